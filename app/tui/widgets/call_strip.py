"""One line above the composer of a small screen: what the calls are doing."""

from __future__ import annotations

from rich.cells import cell_len

from app.call_views import CallBoard
from app.messages import Messages
from app.tui.actions import shown
from app.tui.call_words import brief_of_view, strip_words
from app.tui.widgets.bars import Bar


class CallStrip(Bar):
    """Shows the calls of a board that are at work, else all, as far as there is room."""

    def __init__(self, messages: Messages) -> None:
        super().__init__()
        self.messages = messages
        self._board = CallBoard()

    def show(self, board: CallBoard) -> None:
        """The calls as they are now."""
        self._board = board
        hint = [(shown("ctrl+t"), "$ink"), (f" {self.messages('action.panel')} ", "$dim")]
        room = self.size.width - sum(cell_len(text) for text, _ in hint) - 2
        briefs = map(brief_of_view, board.standing or board.views)
        words = strip_words(briefs, self.messages, room)
        styled = [(text, f"${style}") for text, style in words]
        self.say(styled, right=hint if styled else ())

    def on_resize(self) -> None:
        self.show(self._board)

    def relabel(self, messages: Messages) -> None:
        """Speak another language."""
        self.messages = messages
        self.show(self._board)
