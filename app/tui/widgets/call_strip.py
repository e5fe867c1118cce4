"""One line above the composer of a small screen: what the calls are doing."""

from __future__ import annotations

from app.call_views import CallBoard
from app.messages import Messages
from app.tui.actions import shown
from app.tui.call_words import brief_of_view, strip_words
from app.tui.widgets.bars import Bar


class CallStrip(Bar):
    """Shows the newest calls of a board."""

    def __init__(self, messages: Messages) -> None:
        super().__init__()
        self.messages = messages
        self._board = CallBoard()

    def show(self, board: CallBoard) -> None:
        """The calls as they are now."""
        self._board = board
        words = strip_words(map(brief_of_view, board.standing or board.views), self.messages)
        styled = [(text, f"${style}") for text, style in words[1:]]
        hint = [(shown("ctrl+t"), "$ink"), (f" {self.messages('action.panel')} ", "$dim")]
        self.say(styled, right=hint if styled else ())

    def relabel(self, messages: Messages) -> None:
        """Speak another language."""
        self.messages = messages
        self.show(self._board)
