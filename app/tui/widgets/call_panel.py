"""The side panel of calls: a heading, the cards, and a lens on one of them when asked for.

Composes only. Whoever owns the board applies the events and tells the panel what changed.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from app.call_views import CallBoard, CallKey, CallView
from app.messages import Messages
from app.tui.actions import Where, actions, bindings
from app.tui.ink import Ink, Line, Piece
from app.tui.playback import Steer
from app.tui.projector import Showing
from app.tui.tool_words import cost_words
from app.tui.widgets.call_list import CallList
from app.tui.widgets.lens_view import Lens, LensView
from app.tui.widgets.painted_lines import content_of
from app.tui.widgets.playback_bar import PlaybackBar
from providers.request import Choose, ToolChoice

if TYPE_CHECKING:  # the start shows the panel, and knows no tool yet
    from app.tool_shelf import ListCost


def panel_title(board: CallBoard, turn: int, messages: Messages) -> Line:
    """`CALLS  turn 2 · 1 of 2 complete`."""
    title = Piece(messages("panel.title"), Ink.TITLE)
    facts = [messages("panel.turn", number=turn)] if turn else []
    if len(board):
        total = len(board.standing) or len(board)
        facts.append(messages.plural("panel.complete", total, complete=board.complete))
    return (title, Piece("  " + " · ".join(facts), Ink.DIM))


class EmptyPanel(Static, can_focus=True):
    """Stands where the cards will come, and keeps the keyboard for them."""


class CallPanel(Vertical):
    """Shows a `CallBoard`. `show` gives it one, `changed` says which of its views changed."""

    BINDINGS: ClassVar[list[BindingType]] = list(bindings(actions(Where.PANEL)))

    class Steered(Message):
        """The person holds, steps or paces the stream."""

        def __init__(self, order: Steer) -> None:
            super().__init__()
            self.order = order

    def __init__(self, messages: Messages) -> None:
        super().__init__()
        self.messages = messages
        self.board = CallBoard()
        self.turn = 0
        self._title = Static(classes="panel-title", markup=False)
        self._title_line: Line = ()
        self._tools: ListCost | None = None
        self._choice: ToolChoice = Choose.AUTO
        self._cost = Static(classes="panel-cost", markup=False)
        self._playback = PlaybackBar(messages)
        self._list = CallList(messages)
        self._empty = EmptyPanel(classes="panel-empty", markup=False)
        self._lens = LensView(messages)
        self._keys = Static(classes="panel-keys", markup=False)

    def compose(self) -> ComposeResult:
        yield from (self._title, self._cost, self._playback, self._list, self._empty)
        yield from (self._lens, self._keys)

    def on_mount(self) -> None:
        self.watch(self.app, "theme", self._write_labels)

    def show(self, board: CallBoard, turn: int = 0) -> None:
        """Show the calls of one message; `turn` is its number in the chat, from 1."""
        self.board, self.turn = board, turn
        self._list.show(board)
        self._lens.show(self._list.chosen, self._list.mend)
        self._write_labels()

    def changed(self, keys: Iterable[CallKey]) -> None:
        """These views of the board changed."""
        self._list.changed(keys)

    def count_tools(self, cost: ListCost, choice: ToolChoice = Choose.AUTO) -> None:
        """Say what the list of tools costs in each request, and what choice the model has."""
        self._tools, self._choice = cost, choice
        self._write_labels()

    def show_playback(self, showing: Showing) -> None:
        """Say whether the stream is held or slowed, and what waits."""
        self._playback.show(showing)
        self._write_keys()
        self._show_keys()

    def relabel(self, messages: Messages) -> None:
        """Speak another language."""
        self.messages = messages
        self._playback.relabel(messages)
        self._list.relabel(messages)
        self._lens.relabel(messages)
        self._write_labels()

    @property
    def chosen(self) -> CallView | None:
        """The call that the lenses show."""
        return self._list.chosen

    def action_wire(self) -> None:
        """Show or hide the wire beside the command."""
        self._look(Lens.WIRE)

    def action_lens_wire(self) -> None:
        self._look(Lens.WIRE)

    def action_lens_command(self) -> None:
        self._look(Lens.COMMAND)

    def action_lens_voices(self) -> None:
        self._look(Lens.VOICES)

    def action_lens_journey(self) -> None:
        self._look(Lens.JOURNEY)

    def action_fragment_back(self) -> None:
        self._step(-1)

    def action_fragment_forward(self) -> None:
        self._step(1)

    def action_playback_pause(self) -> None:
        self.post_message(self.Steered(Steer.PAUSE))

    def action_playback_fragment(self) -> None:
        self.post_message(self.Steered(Steer.STEP_FRAGMENT))

    def action_playback_event(self) -> None:
        self.post_message(self.Steered(Steer.STEP_EVENT))

    def action_playback_faster(self) -> None:
        self.post_message(self.Steered(Steer.FASTER))

    def action_playback_slower(self) -> None:
        self.post_message(self.Steered(Steer.SLOWER))

    def action_lens_up(self) -> None:
        self._lens.scroll_page_up(animate=False)

    def action_lens_down(self) -> None:
        self._lens.scroll_page_down(animate=False)

    def action_card_previous(self) -> None:
        self._list.move(-1)

    def action_card_next(self) -> None:
        self._list.move(1)

    def action_card_open(self) -> None:
        self._list.open_or_close()

    def focus_cards(self) -> None:
        """Put the keyboard on the cards, or where they will come."""
        (self._list if self._list.display else self._empty).focus()

    def on_call_list_drawn(self, event: CallList.Drawn) -> None:
        event.stop()
        self._write_title()

    def on_call_list_chosen(self, event: CallList.Chosen) -> None:
        event.stop()
        self._lens.show(event.view, self._list.mend)

    def on_descendant_focus(self) -> None:
        self._show_keys()

    def on_descendant_blur(self) -> None:
        self._show_keys()

    def _look(self, lens: Lens) -> None:
        """Look through a lens; through none when it is this one already."""
        chosen = None if self._lens.lens is lens else lens
        self._lens.show(self._list.chosen, self._list.mend)
        self._lens.look(chosen)
        self.set_class(chosen is not None, "-lens")

    def _step(self, step: int) -> None:
        if self._lens.lens is not Lens.WIRE:
            self._look(Lens.WIRE)
        else:
            self._lens.step(step)

    def _write_title(self) -> None:
        line = panel_title(self.board, self.turn, self.messages)
        if line == self._title_line:
            return
        self._title_line = line
        self._title.update(content_of(line, self.app))
        here = self.has_focus_within
        self._list.display = len(self.board) > 0
        self._empty.display = not self._list.display
        if here:
            self.focus_cards()

    def _write_labels(self) -> None:
        self._title_line = ()
        self._write_title()
        self._empty.update(self._dim("panel.empty"))
        self._cost.display = self._tools is not None
        if self._tools is not None:
            cost = Piece(cost_words(self._tools, self._choice, self.messages), Ink.DIM)
            self._cost.update(content_of((cost,), self.app))
        self._write_keys()
        self._show_keys()

    def _write_keys(self) -> None:
        self._keys.update(self._dim("playback.keys" if self._playback.display else "panel.keys"))

    def _show_keys(self) -> None:
        useful = len(self.board) > 0 or self._playback.display
        self._keys.visible = self.has_focus_within and useful

    def _dim(self, key: str) -> Content:
        return content_of((Piece(self.messages(key), Ink.DIM),), self.app)
