"""The side panel of calls: a heading, the cards, and the wire when it is asked for.

Composes only. Whoever owns the board applies the events and tells the panel what changed.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import Static

from app.call_views import CallBoard, CallKey, CallView
from app.messages import Messages
from app.tui.ink import Ink, Line, Piece
from app.tui.widgets.call_list import CallList
from app.tui.widgets.painted_lines import content_of
from app.tui.widgets.wire_view import WireView


def panel_title(board: CallBoard, turn: int, messages: Messages) -> Line:
    """`CALLS  turn 2 · 1 of 2 complete`."""
    title = Piece(messages("panel.title"), Ink.TITLE)
    facts = [messages("panel.turn", number=turn)] if turn else []
    if len(board):
        total = len(board.standing)
        facts.append(messages.plural("panel.complete", total, complete=board.complete))
    return (title, Piece("  " + " · ".join(facts), Ink.DIM))


class CallPanel(Vertical):
    """Shows a `CallBoard`. `show` gives it one, `changed` says which of its views changed."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("w,2", "lens_wire", show=False),
        Binding("1", "lens_command", show=False),
        Binding("left", "fragment(-1)", show=False),
        Binding("right", "fragment(1)", show=False),
    ]

    def __init__(self, messages: Messages) -> None:
        super().__init__()
        self.messages = messages
        self.board = CallBoard()
        self.turn = 0

    def compose(self) -> ComposeResult:
        yield Static(classes="panel-title", markup=False)
        yield CallList(self.messages)
        yield Static(classes="panel-empty", markup=False)
        yield WireView(self.messages)
        yield Static(classes="panel-keys", markup=False)

    def on_mount(self) -> None:
        self._wire.display = False
        self.watch(self.app, "theme", self._write_labels, init=False)
        self._write_labels()

    def show(self, board: CallBoard, turn: int = 0) -> None:
        """Show the calls of one message; `turn` is its number in the chat, from 1."""
        self.board, self.turn = board, turn
        self._list.show(board)
        self._show_wire(self._list.chosen)
        self._write_labels()

    def changed(self, keys: Iterable[CallKey]) -> None:
        """These views of the board changed."""
        keys = set(keys)
        if keys:
            self._list.changed(keys)
            self._write_title()

    def relabel(self, messages: Messages) -> None:
        """Speak another language."""
        self.messages = messages
        self._list.relabel(messages)
        self._wire.relabel(messages)
        self._write_labels()

    @property
    def chosen(self) -> CallView | None:
        """The call that the lenses show."""
        return self._list.chosen

    @property
    def wire_shown(self) -> bool:
        return bool(self._wire.display)

    def action_wire(self) -> None:
        """Show or hide the wire beside the command."""
        self._set_wire(not self.wire_shown)

    def action_lens_wire(self) -> None:
        self.action_wire()

    def action_lens_command(self) -> None:
        self._set_wire(False)

    def action_fragment(self, step: int) -> None:
        if not self.wire_shown:
            self._set_wire(True)
        elif step < 0:
            self._wire.action_fragment_previous()
        else:
            self._wire.action_fragment_next()

    def focus_cards(self) -> None:
        """Put the keyboard on the cards."""
        self._list.focus()

    def on_call_list_chosen(self, event: CallList.Chosen) -> None:
        event.stop()
        self._show_wire(event.view)

    def on_descendant_focus(self) -> None:
        self._write_labels()

    def on_descendant_blur(self) -> None:
        self._write_labels()

    @property
    def _list(self) -> CallList:
        return self.query_one(CallList)

    @property
    def _wire(self) -> WireView:
        return self.query_one(WireView)

    def _set_wire(self, shown: bool) -> None:
        self._wire.display = shown
        self.set_class(shown, "-wire")
        self._show_wire(self._list.chosen)

    def _show_wire(self, view: CallView | None) -> None:
        if self.wire_shown:
            self._wire.show(view)

    def _write_title(self) -> None:
        line = panel_title(self.board, self.turn, self.messages)
        self.query_one(".panel-title", Static).update(content_of(line, self.app))
        empty = not len(self.board)
        self._list.display = not empty
        self.query_one(".panel-empty", Static).display = empty

    def _write_labels(self) -> None:
        self._write_title()
        empty = content_of((Piece(self.messages("panel.empty"), Ink.DIM),), self.app)
        self.query_one(".panel-empty", Static).update(empty)
        keys = self.query_one(".panel-keys", Static)
        keys.visible = self.has_focus_within and len(self.board) > 0
        keys.update(content_of((Piece(self.messages("panel.keys"), Ink.DIM),), self.app))
