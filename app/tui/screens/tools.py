"""Which tools may a model call, and which writes are asked for? A list to switch them in.

What is changed holds from the next message on and is remembered. The list says what each tool
costs in every request, because that is what switching one off saves.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from functools import partial
from typing import ClassVar

from textual.binding import Binding, BindingType

from app.messages import Messages
from app.own_tools import describe_problem
from app.permissions import Rule
from app.session import Session
from app.settings_file import SettingsUnwritable, Value
from app.tool_shelf import ListCost, ToolStanding
from app.tui.figures import count_text
from app.tui.ink import Ink, Line, Piece
from app.tui.screens.choice import ChoiceDialog, Offer
from app.tui.tool_words import cost_words
from tools.own import OwnToolProblem
from tools.tool import Effect, Role

ROLE, STAGES, PROBLEM = "role:", "stages:", "problem:"
"""The rows that are no tools; no tool can be named so."""
ON, OFF, WRONG = Piece("✓", Ink.OK), Piece("–", Ink.DIM), Piece("✗", Ink.FAILED)


class ToolsScreen(ChoiceDialog[None]):
    """Lists the tools of `session`. Enter switches one on or off, left and right change whether
    its writes are asked for."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "rule(-1)", show=False, priority=True),
        Binding("right", "rule(1)", show=False, priority=True),
    ]

    other_rows = 14

    def __init__(self, messages: Messages, session: Session) -> None:
        super().__init__(messages, messages("tools.title"), (), keys=messages("tools.keys"))
        self._session = session
        self._standings: tuple[ToolStanding, ...] = ()
        self._cost: ListCost | None = None
        self._problems: list[Offer] = []
        self._problem = ""
        self._changing = asyncio.Lock()

    def on_mount(self) -> None:
        super().on_mount()
        self.run_worker(self._load(), exclusive=True)

    async def _load(self) -> None:
        problems = await asyncio.to_thread(self._look)
        self._problems = [
            Offer(f"{PROBLEM}{place}", describe_problem(problem, self.messages), mark=WRONG)
            for place, problem in enumerate(problems)
        ]
        self._list()

    def _look(self) -> tuple[OwnToolProblem, ...]:
        shelf, history = self._session.shelf, self._session.history
        self._standings, self._cost = shelf.standings(history), shelf.cost(history)
        return shelf.own.problems

    def _list(self) -> None:
        role = Offer(ROLE, self.messages("tools.role"), self._role_note(), Piece("◇", Ink.DIM))
        by_stage = self._session.settings.tools_by_stage
        about = self.messages("tools.stages.about")
        stages = Offer(STAGES, self.messages("tools.stages"), about, ON if by_stage else OFF)
        self.replace_choices([*map(self._row, self._standings), stages, role, *self._problems])

    def _row(self, standing: ToolStanding) -> Offer:
        note = " · ".join((self._effect(standing), self._tokens(standing)))
        return Offer(standing.name, standing.name, note, ON if standing.on else OFF)

    def _effect(self, standing: ToolStanding) -> str:
        effect = self.messages(f"tools.effect.{standing.effect.value}")
        if standing.effect is Effect.READ:
            return effect
        return f"{effect} · ‹ {self.messages(f'tools.rule.{self._rule(standing)}')} ›"

    def _rule(self, standing: ToolStanding) -> str:
        """The rule of a write; one that asks may have been told not to in this chat."""
        session = self._session
        asks = standing.rule is Rule.ASK
        if asks and session.permissions.always(session.chat.uid, standing.name):
            return "always"
        return standing.rule.value

    def _tokens(self, standing: ToolStanding) -> str:
        count = count_text(standing.tokens, self.messages)
        if not standing.on:
            return self.messages("tools.tokens_saved", count=count)
        return self.messages("tools.tokens" if standing.sent else "tools.tokens_later", count=count)

    def _role_note(self) -> str:
        return f"‹ {self.messages(f'tools.role.{self._session.settings.role}')} ›"

    def note_line(self, found: int) -> Line:
        if self._problem:
            return (Piece(f"✗ {self._problem}", Ink.FAILED),)
        if self._cost is None or not self.choices:  # they come in a moment
            return ()
        if not found:
            return super().note_line(found)
        return (Piece(cost_words(self._cost, self._session.tool_choice, self.messages), Ink.DIM),)

    # --- changes

    def take(self, chosen: str) -> None:
        if chosen == ROLE:
            self._change_role()
        elif chosen == STAGES:
            by_stage = not self._session.settings.tools_by_stage
            self.run_worker(self._keep(partial(self._session.change, tools_by_stage=by_stage)))
        elif (standing := self._standing(chosen)) is not None:
            self._change(replace(standing, on=not standing.on), enabled=not standing.on)

    def action_rule(self, step: int) -> None:
        """Ask, allow or deny the writes of the tool under the cursor; or another role."""
        standing = self._standing(self.highlighted)
        if self.highlighted == ROLE:
            self._change_role()
        elif standing is not None and standing.effect is Effect.WRITE:
            rules = list(Rule)
            rule = rules[(rules.index(standing.rule) + step) % len(rules)]
            self._session.permissions.withdraw(standing.name)
            self._change(replace(standing, rule=rule), permission=rule.value)

    def _standing(self, name: str) -> ToolStanding | None:
        return next((one for one in self._standings if one.name == name), None)

    def _change(self, now: ToolStanding, **values: Value) -> None:
        """Show the change at once, and keep it behind the person's back."""
        self._standings = tuple(now if one.name == now.name else one for one in self._standings)
        self._list()
        self.run_worker(self._keep(partial(self._session.change_tool, now.name, **values)))

    def _change_role(self) -> None:
        roles = list(Role)
        role = roles[(roles.index(Role(self._session.settings.role)) + 1) % len(roles)]
        self.run_worker(self._keep(partial(self._session.change, role=role.value)))

    async def _keep(self, change: partial[None]) -> None:
        async with self._changing:
            try:
                await asyncio.to_thread(change)
            except SettingsUnwritable:
                self._problem = self.messages("app.not_remembered")
            await asyncio.to_thread(self._look)
        self._list()
