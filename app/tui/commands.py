"""The command palette: every action of the table, found by its name or by what it does."""

from __future__ import annotations

from collections.abc import Iterator

from textual.app import App
from textual.dom import DOMNode
from textual.screen import Screen

from app.messages import Messages
from app.tui.actions import ACTIONS, Action
from app.tui.screens.choice import ChoiceScreen, Offer
from app.tui.widgets.call_panel import CallPanel


class CommandsScreen(ChoiceScreen):
    """Gives the name of the chosen action."""

    def __init__(self, messages: Messages, offered: list[Action]) -> None:
        key_cells = max((len(action.key_shown) for action in offered), default=0) + 1
        offers = [
            Offer(
                action.name,
                messages(action.title),
                f"{action.key_shown:<{key_cells}} {messages(action.help)}",
            )
            for action in offered
        ]
        super().__init__(messages, messages("commands.placeholder"), offers)


def open_commands(app: App[None], messages: Messages) -> None:
    """Open the palette over the screen that is shown, and run what is chosen where it belongs."""
    homes = {action.name: home for action, home in _offered(app.screen)}
    offered = [action for action in ACTIONS if action.name in homes]

    async def run(name: str | None) -> None:
        if name is not None:
            await app.run_action(name, default_namespace=homes[name])

    app.push_screen(CommandsScreen(messages, offered), run)


def _offered(screen: Screen[object]) -> Iterator[tuple[Action, DOMNode]]:
    """The actions that can be done from this screen, each with the node that does it."""
    for action in ACTIONS:
        if action.palette and (home := _home_of(action, screen)) is not None:
            yield action, home


def _home_of(action: Action, screen: Screen[object]) -> DOMNode | None:
    """The nearest node that implements the action, from where the person is."""
    near = [screen.focused] if screen.focused is not None else []
    around: list[DOMNode] = [*near, *screen.query(CallPanel), screen, screen.app]
    for node in around:
        if hasattr(node, f"action_{action.name}"):
            return node
    return None
