"""All actions and their keys, made from the one table of actions."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.widgets import Static

from app.messages import Messages
from app.tui.actions import ACTIONS, Action, Where, actions, shown
from app.tui.ink import Ink, Line, Piece, fold
from app.tui.screens.choice import Dialog
from app.tui.widgets.painted_lines import content_of

GAP = 2
"""The cells between two columns."""


def help_lines(messages: Messages, width: int) -> list[Line]:
    """A heading for each place, below it its actions; long lines go on in their column."""
    cells = _column_cells(messages)
    lines: list[Line] = []
    for where in Where:
        here = actions(where)
        if not here:
            continue
        if lines:
            lines.append(())
        lines.append((Piece(messages(f"actions.where.{where.value}"), Ink.TITLE),))
        for action in here:
            lines += _action_lines(action, messages, cells, width)
    return lines


def _column_cells(messages: Messages) -> tuple[int, int]:
    """How wide the columns of keys and of names are, so that each holds the longest of them."""
    keys = max(len(_keys_of(action)) for action in ACTIONS)
    titles = max(len(messages(action.title)) for action in ACTIONS)
    return keys + GAP, titles + GAP


def _keys_of(action: Action) -> str:
    return "  ".join(map(shown, action.keys))


def _action_lines(
    action: Action, messages: Messages, cells: tuple[int, int], width: int
) -> list[Line]:
    key_cells, title_cells = cells
    indent = GAP + key_cells + title_cells
    room = max(width - indent, 20)
    first, *others = fold([Piece(messages(action.help), Ink.DIM)], room, words=True)
    keys = Piece(f"{'':{GAP}}{_keys_of(action):<{key_cells}}", Ink.ACCENT)
    head = (keys, Piece(f"{messages(action.title):<{title_cells}}"))
    beside = Piece(" " * indent)
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
