"""The same message to two to four providers, side by side; one at a time where there is no room.

Each column asks by a session of its own and hears its own events; nothing is kept of it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import ClassVar

from textual import events as textual_events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.screen import Screen
from textual.worker import Worker, WorkerState

from app import events
from app.choice import Choice
from app.comparing import FEWEST, MOST, beside, compare
from app.session import Session
from app.tui.actions import ACTIONS, Where, actions, bindings
from app.tui.widgets.answer_column import AnswerColumn
from app.tui.widgets.bars import Bar
from app.tui.widgets.composer import Composer
from providers.catalogue import CatalogueError
from providers.history import UserTurn
from providers.presets import SIMULATOR
from providers.provider import Provider

LEAST = 40
"""The cells that a column needs."""
_TOLD_FOR = 3.0
_SHARED = ("stop", "provider")
"""Actions of anywhere that this screen does in its own way."""
_SHOWN = ("send", "stop", "column_next", "provider", "column_add", "column_remove")
"""The keys at the bottom, the ones that matter most first: a small screen shows as many as fit."""


def first_two(session: Session) -> tuple[Choice, Choice]:
    """Who is compared at first: who is asked in the chat, and the simulator; the simulator in
    another of its dialects where that is the same."""
    choice, origin = session.choice, session.origin
    if choice.provider != SIMULATOR:
        return choice, Choice(SIMULATOR)
    other = next(name for name in session.preset.dialects if name != origin.dialect)
    return choice, replace(choice, dialect=other)


class Columns(Horizontal):
    """The answers beside one another."""

    BLANK = True


class CompareScreen(Screen[None]):
    """Compares; leaves the chat below as it is."""

    CSS_PATH = "../compare.tcss"
    BLANK = True
    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings(one for one in actions(Where.ANYWHERE) if one.name in _SHARED),
        *bindings(actions(Where.COMPARE), priority=True),
    ]

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        self.columns = [AnswerColumn(beside(session, choice)) for choice in first_two(session)]
        self._chosen = 0
        self._top = Bar()
        self._body = Columns()
        self._composer = Composer(session.messages)
        self._bottom = Bar()
        self._worker: Worker[None] | None = None

    def compose(self) -> ComposeResult:
        yield self._top
        with self._body:
            yield from self.columns
        yield self._composer
        yield self._bottom

    def on_mount(self) -> None:
        said = [turn.text for turn in self.session.history if isinstance(turn, UserTurn)]
        self._composer.remember(said)
        self._composer.offer(said[-1] if said else "")
        self._composer.focus()
        self._arrange()

    def on_resize(self, _: textual_events.Resize) -> None:
        self._arrange()

    @property
    def working(self) -> bool:
        """Whether a message is on its way."""
        return self._worker is not None

    # --- how the columns stand

    def _arrange(self) -> None:
        """Show all columns, or the chosen one alone where they do not fit."""
        fits = len(self.columns) * LEAST <= self.size.width
        self._chosen = min(self._chosen, len(self.columns) - 1)
        for place, column in enumerate(self.columns):
            column.chosen = place == self._chosen
            column.display = fits or column.chosen
            if column.is_attached:
                column.write_head()
        self._write_bars()

    def _write_bars(self) -> None:
        messages = self.session.messages
        tabs: list[tuple[str, str]] = [(" Vitral   ", "bold $ink")]
        for place, column in enumerate(self.columns, start=1):
            style = "bold $ink" if column.chosen else "$dim"
            tabs.append((f"{place} {column.title} {column.sign}".rstrip() + "   ", style))
        self._top.say(tabs, right=[(f"{messages('compare.title')} ", "$dim")])
        self._bottom.say([(" ", ""), *(word for name in _SHOWN for word in self._key(name))])

    def _key(self, name: str) -> tuple[tuple[str, str], tuple[str, str]]:
        """An action's key and its short name."""
        action = next(one for one in ACTIONS if one.name == name)
        leaves = name == "stop" and not self.working
        title = self.session.messages("compare.leave" if leaves else action.title)
        return (action.key_shown, "$ink"), (f" {title}   ", "$dim")

    def action_column_next(self) -> None:
        self._choose(self._chosen + 1)

    def action_column_previous(self) -> None:
        self._choose(self._chosen - 1)

    def _choose(self, place: int) -> None:
        self._chosen = place % len(self.columns)
        self._arrange()

    # --- who is compared

    def action_provider(self) -> None:
        """Ask somebody else in the chosen column."""
        column = self.columns[self._chosen]

        def take(choice: Choice | None) -> None:
            if choice is not None:
                self.run_worker(self._change(column, choice), group="columns")

        self._pick(column.session.choice, take)

    def action_column_add(self) -> None:
        """Ask one more."""
        if len(self.columns) >= MOST:
            self._say("compare.no_more")
            return

        def take(choice: Choice | None) -> None:
            if choice is not None:
                self.run_worker(self._add(choice), group="columns")

        self._pick(None, take)

    async def action_column_remove(self) -> None:
        """Ask the one in the chosen column no longer."""
        if self.working:
            self._say("chat.still_working")
        elif len(self.columns) <= FEWEST:
            self._say("compare.no_fewer")
        else:
            await self.columns.pop(self._chosen).remove()
            self._arrange()

    def _pick(self, current: Choice | None, take: Callable[[Choice | None], None]) -> None:
        from app.tui.screens.picker import PickerScreen

        if self.working:
            self._say("chat.still_working")
            return
        session = self.session
        options = session.settings.provider_options
        screen = PickerScreen(session.messages, session.credentials, options, current)
        self.app.push_screen(screen, take)

    async def _change(self, column: AnswerColumn, choice: Choice) -> None:
        await column.ask_another(choice)
        self._arrange()

    async def _add(self, choice: Choice) -> None:
        column = AnswerColumn(beside(self.session, choice))
        self.columns.append(column)
        await self._body.mount(column)
        self._choose(len(self.columns) - 1)

    def _say(self, key: str) -> None:
        self.notify(self.session.messages(key), markup=False, timeout=_TOLD_FOR)

    # --- a message on its way

    def on_composer_sent(self, event: Composer.Sent) -> None:
        if self.working:
            self._say("chat.still_working")
            return
        self._composer.take()
        for column in self.columns:
            column.begin()
        self._worker = self.run_worker(self._ask(event.text), exit_on_error=False, name="compare")
        self._write_bars()

    async def _ask(self, text: str) -> None:
        from app.tui.markdown import warm_up

        await asyncio.to_thread(warm_up)
        asked: list[AnswerColumn] = []
        providers: list[Provider] = []
        for column in self.columns:
            try:
                providers.append(await column.session.provider())
                asked.append(column)
            except CatalogueError as error:
                column.refuse(error)

        def tell(place: int, event: events.Event) -> None:
            asked[place].take(event)

        await compare(self.session, providers, text, tell)

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        if event.worker is not self._worker or not event.worker.is_finished:
            return
        self._worker = None
        if event.state is WorkerState.ERROR and event.worker.error is not None:
            self.session.diagnostics.record(event.worker.error)
            self._say("fallback.no_answer")
        self._write_bars()

    def on_answer_column_signed(self) -> None:
        self._write_bars()

    def action_stop(self) -> None:
        """Stop all answers; without any on its way, go back to the chat."""
        if self._worker is not None:
            self._worker.cancel()
        else:
            self.dismiss()

    def on_composer_scrolled(self, event: Composer.Scrolled) -> None:
        self.columns[self._chosen].scroll_pages(event.pages)
