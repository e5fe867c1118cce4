"""The command palette: every action of the table, found by its name or what it does."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Protocol, cast

from textual.command import DiscoveryHit, Hit, Hits, Provider
from textual.content import Content
from textual.dom import DOMNode

from app.messages import Messages
from app.tui.actions import ACTIONS, Action
from app.tui.widgets.call_panel import CallPanel


class Speaks(Protocol):
    """An app that has the texts of a language."""

    messages: Messages


class ActionCommands(Provider):
    """Offers the actions; each runs where it is implemented: the panel, the screen or the app."""

    @property
    def _messages(self) -> Messages:
        return cast(Speaks, self.app).messages

    async def discover(self) -> Hits:
        for action in self._offered():
            yield DiscoveryHit(
                Content(self._label(action)),
                partial(self._run, action),
                text=self._messages(action.title),
                help=self._messages(action.help),
            )

    async def search(self, query: str) -> Hits:
        matcher = self.matcher(query)
        for action in self._offered():
            title, help_text = self._messages(action.title), self._messages(action.help)
            score = max(matcher.match(title), matcher.match(help_text) * 0.6)
            if score > 0:
                yield Hit(
                    score,
                    matcher.highlight(self._label(action)),
                    partial(self._run, action),
                    text=title,
                    help=help_text,
                )

    def _label(self, action: Action) -> str:
        return f"{self._messages(action.title)}  {action.key_shown}"

    def _offered(self) -> Iterator[Action]:
        for action in ACTIONS:
            if action.palette and self._home_of(action) is not None:
                yield action

    def _home_of(self, action: Action) -> DOMNode | None:
        """The node that implements the action, as seen from where the person was."""
        near = [self.focused] if self.focused is not None else []
        panels = list(self.screen.query(CallPanel))
        for node in (*near, *panels, self.screen, self.app):
            if hasattr(node, f"action_{action.name}"):
                return node
        return None

    async def _run(self, action: Action) -> None:
        home = self._home_of(action)
        if home is not None:
            await self.app.run_action(action.name, default_namespace=home)
