"""How does a very long text stand in a composer? As a few words that stand for it.

A text area cannot hold 100,000 lines without a freeze, and nobody wants to see them there.
"""

from __future__ import annotations

from app.messages import Messages
from app.tui.figures import count_text, size_text

LONGEST = 10_000
"""Characters that are still shown as they are."""
MOST_LINES = 200


class Pastes:
    """The long texts of one composer, by the words that stand for them."""

    def __init__(self, messages: Messages) -> None:
        self.messages = messages
        self._texts: dict[str, str] = {}

    def fold(self, text: str) -> str:
        """The text, or the words that stand for it when it is very long."""
        lines = text.count("\n") + 1
        if len(text) <= LONGEST and lines <= MOST_LINES:
            return text
        known = next((words for words, one in self._texts.items() if one == text), None)
        if known is not None:
            return known
        words = self.messages.plural(
            "chat.pasted",
            lines,
            number=len(self._texts) + 1,
            lines=count_text(lines, self.messages),
            size=size_text(len(text.encode("utf-8", "replace")), self.messages),
        )
        self._texts[words] = text
        return words

    def unfold(self, text: str) -> str:
        """The text with all that words in it stand for."""
        for words, long_text in self._texts.items():
            text = text.replace(words, long_text)
        return text
