"""All actions and their keys, made from the one table of actions."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.widgets import Static

from app.messages import Messages
from app.tui.actions import Action, Where, actions, shown
from app.tui.ink import Ink, Line, Piece, fold
from app.tui.screens.choice import Dialog
from app.tui.widgets.painted_lines import content_of

KEY_CELLS = 10
TITLE_CELLS = 18


def help_lines(messages: Messages, width: int) -> list[Line]:
    """A heading for each place, below it its actions; long lines go on in their column."""
    lines: list[Line] = []
    for where in Where:
        here = actions(where)
        if not here:
            continue
        if lines:
            lines.append(())
        lines.append((Piece(messages(f"actions.where.{where.value}"), Ink.TITLE),))
        for action in here:
            lines += _action_lines(action, messages, width)
    return lines


def _action_lines(action: Action, messages: Messages, width: int) -> list[Line]:
    keys = "  ".join(shown(key) for key in action.keys)
    beside = Piece(" " * (KEY_CELLS + TITLE_CELLS + 3))
    room = max(width - KEY_CELLS - TITLE_CELLS - 3, 20)
    first, *others = fold([Piece(messages(action.help), Ink.DIM)], room, words=True)
    title = Piece(f"{messages(action.title):<{TITLE_CELLS}} ")
    head = (Piece(f"  {keys:<{KEY_CELLS}}", Ink.ACCENT), title)
    return [(*head, *first), *((beside, *line) for line in others)]


class HelpScreen(Dialog[None]):
    """The help. Esc, or the key that opened it, leaves."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("f1", "leave", show=False)]

    def __init__(self, messages: Messages) -> None:
        super().__init__(messages, messages("help.title"), messages("help.keys"))

    def body(self) -> ComposeResult:
        yield HelpBody(Static(classes="help-lines", markup=False))

    def on_mount(self) -> None:
        super().on_mount()
        self.query_one(HelpBody).focus()

    def on_resize(self) -> None:
        self.call_after_refresh(self.paint)

    def paint(self) -> None:
        super().paint()
        width = self.query_one(HelpBody).size.width - 2
        lines = [content_of(line, self.app) for line in help_lines(self.messages, width)]
        joined = content_of((Piece("\n"),), self.app).join(lines)
        self.query_one(".help-lines", Static).update(joined)


class HelpBody(VerticalScroll, can_focus=True):
    """Scrolls by keys, since it is the only thing here."""
