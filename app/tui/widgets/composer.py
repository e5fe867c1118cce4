"""Where the person writes: sends, keeps lines, remembers what was sent, makes pastes safe."""

from __future__ import annotations

from collections.abc import Iterable

from textual import events
from textual.content import Content
from textual.message import Message
from textual.widgets import TextArea

from app.messages import Messages
from app.safe_text import safe
from app.tui.pastes import Pastes

_NEW_LINE = ("shift+enter", "ctrl+j", "alt+enter")


class Composer(TextArea):
    """A text area that sends. ↑ and ↓ go through what was sent, at its first and last row."""

    class Sent(Message):
        """The person sends `text`; the composer is empty again once it was taken."""

        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

    class Scrolled(Message):
        """The person pages through the chat without leaving the composer."""

        def __init__(self, pages: int) -> None:
            super().__init__()
            self.pages = pages

    class WentToEnd(Message):
        """End in an empty composer: the chat's end is meant."""

    def __init__(self, messages: Messages) -> None:
        super().__init__(
            placeholder=Content(messages("chat.placeholder")),
            soft_wrap=True,
            show_line_numbers=False,
            highlight_cursor_line=False,
        )
        self.cursor_blink = False  # an open chat at rest costs nothing
        self._pastes = Pastes(messages)
        self._sent: list[str] = []
        self._at = 0
        self._draft = ""
        self._offered = ""

    def relabel(self, messages: Messages) -> None:
        """Speak another language."""
        self.placeholder = Content(messages("chat.placeholder"))
        self._pastes.messages = messages

    def remember(self, texts: Iterable[str]) -> None:
        """What was sent before, the oldest first."""
        self._sent = [safe(text) for text in texts if text.strip()]
        self._at = len(self._sent)

    def offer(self, text: str) -> None:
        """Write a text that the person may send, in place of the last one that was offered; never
        in place of their own."""
        if self.text and self.text != self._offered:
            return
        self._offered = safe(text)
        self.load_text(self._offered)
        self.move_cursor(self.document.end)

    def take(self) -> None:
        """The text was sent: remember it and begin anew."""
        self.remember([*self._sent, self._pastes.unfold(self.text)])
        self._draft = ""
        self.load_text("")

    async def _on_key(self, event: events.Key) -> None:
        if self._handles(event.key):
            event.stop()
            event.prevent_default()
            return
        await super()._on_key(event)

    async def _on_paste(self, event: events.Paste) -> None:
        event.prevent_default()
        text = self._pastes.fold(safe(_unix_lines(event.text)))
        if result := self._replace_via_keyboard(text, *self.selection):
            self.move_cursor(result.end_location)
        event.stop()

    def _handles(self, key: str) -> bool:
        """Whether the key was ours."""
        match key:
            case "enter":
                if text := self.text.strip():
                    self.post_message(self.Sent(self._pastes.unfold(text)))
            case one if one in _NEW_LINE:
                self.insert("\n")
            case "up" if self.cursor_at_first_line:
                return self._recall(-1)
            case "down" if self.cursor_at_last_line:
                return self._recall(1)
            case "pageup" | "pagedown":
                self.post_message(self.Scrolled(-1 if key == "pageup" else 1))
            case "end" if not self.text:
                self.post_message(self.WentToEnd())
            case _:
                return False
        return True

    def _recall(self, step: int) -> bool:
        at = self._at + step
        if not 0 <= at <= len(self._sent):
            return False
        if self._at == len(self._sent):
            self._draft = self.text
        self._at = at
        self.load_text(self._draft if at == len(self._sent) else self._pastes.fold(self._sent[at]))
        self.move_cursor(self.document.end)
        return True


def _unix_lines(text: str) -> str:
    """Terminals paste line ends as carriage returns."""
    return text.replace("\r\n", "\n").replace("\r", "\n")
