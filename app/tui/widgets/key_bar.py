"""The line at the bottom: the keys that matter now, made from the table of actions."""

from __future__ import annotations

from rich.cells import cell_len

from app.messages import Messages
from app.tui.actions import ACTIONS
from app.tui.figures import count_text
from app.tui.widgets.bars import Bar
from providers.parts import Usage


class KeyBar(Bar):
    """Keys at the left, the tokens of the last message at the right, where there is room for both.

    The keys come first: what stops an answer must be seen, what it costs may wait.
    """

    def __init__(self, messages: Messages) -> None:
        super().__init__()
        self.messages = messages
        self._usage: Usage | None = None
        self._working = False

    def on_resize(self) -> None:
        self._write()

    def relabel(self, messages: Messages) -> None:
        """Speak another language."""
        self.messages = messages
        self._write()

    def count(self, usage: Usage | None) -> None:
        """Show these tokens."""
        self._usage = usage
        self._write()

    def work(self, working: bool) -> None:
        """Whether there is something to stop."""
        self._working = working
        self._write()

    def _write(self) -> None:
        words: list[tuple[str, str]] = [(" ", "")]
        for action in ACTIONS:
            if action.bar and (action.name != "stop" or self._working):
                words.append((action.key_shown, "$ink"))
                words.append((f" {self.messages(action.title)}   ", "$dim"))
        tokens = f"{self._tokens()} "
        taken = sum(cell_len(text) for text, _ in words) + cell_len(tokens)
        self.say(words, right=[(tokens, "$dim")] if taken <= self.size.width else ())

    def _tokens(self) -> str:
        usage = self._usage
        if usage is None:
            return ""
        sides = (("chat.tokens_in", usage.input), ("chat.tokens_out", usage.output))
        shown = [
            self.messages(key, count=count_text(number, self.messages))
            for key, number in sides
            if number is not None
        ]
        return " · ".join(shown)
