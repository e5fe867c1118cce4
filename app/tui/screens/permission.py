"""May this write run? A dialog that shows the waiting call itself, whole, and takes the answer.

Saying yes is never an accident: keys of a sentence that somebody is still typing when the dialog
opens are not an answer. Esc is a no.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.geometry import Size
from textual.message import Message
from textual.strip import Strip
from textual.widgets import Input, Static

from app.change_words import change_sentence, earlier_sentence
from app.messages import Messages
from app.permissions import Answer, Question, Reply
from app.tui.arguments import argument_lines
from app.tui.figures import count_text
from app.tui.ink import Ink, Line, Piece, outside
from app.tui.screens.choice import Dialog, SafeInput
from app.tui.themes import colours_of
from app.tui.widgets.painted_lines import PaintedLines, content_of, painted

QUIET = 0.7
"""Seconds without typing after which a key is an answer."""
REPLIES = "yanw"
NO = Answer(Reply.NO)


class Arguments(PaintedLines):
    """All arguments of a call, scrolled by keys and wheel."""

    class Moved(Message):
        """Other lines are in view."""

    def __init__(self, question: Question, messages: Messages) -> None:
        super().__init__()
        self._args = question.call.args
        self._messages = messages
        self._lines: list[Line] = []
        self._laid_for = 0

    @property
    def in_view(self) -> tuple[int, int, int]:
        """The first and the last line that are seen, from 1, and how many there are."""
        first = round(self.scroll_y)
        return first + 1, min(first + self.size.height, len(self._lines)), len(self._lines)

    def on_resize(self) -> None:
        if self._laid_for != self.line_width:
            self._laid_for = self.line_width
            self._lines = argument_lines(self._args, self._messages, self.line_width)
            self.virtual_size = Size(self.size.width, len(self._lines))
            self.refresh(layout=True)
        self.post_message(self.Moved())

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        super().watch_scroll_y(old_value, new_value)
        self.post_message(self.Moved())

    def line_at(self, y: int, width: int) -> Strip | None:
        if y >= len(self._lines):
            return None
        colours = colours_of(self.app)
        return painted(self._lines[y], width, colours, colours.card)


class Reaction(Static):
    """One answer that can be given, by its key or by a click."""

    def __init__(self, name: str, key: str, label: str) -> None:
        super().__init__(classes="permission-reply", markup=False)
        self.reply = name
        self._words = (key, label)

    def paint(self) -> None:
        key, label = self._words
        line = (Piece(f" {key}", Ink.NAME), Piece("  "), outside(label))
        self.update(content_of(line, self.app))

    async def on_click(self) -> None:
        await self.run_action(f"screen.{self.reply}")


class PermissionScreen(Dialog[Answer]):
    """Gives the person's answer. `envelope` is the provider's word for a call; `typing` says that
    somebody was writing a moment ago, so that the first keys may not be meant for this."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "once", show=False),
        Binding("a", "always", show=False),
        Binding("n", "no", show=False),
        Binding("w", "word", show=False),
    ]

    def __init__(
        self,
        messages: Messages,
        question: Question,
        envelope: str,
        *,
        typing: bool = False,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        title = messages("permission.title", tool=question.tool.name)
        super().__init__(messages, title, messages("permission.keys"))
        self._question = question
        self._envelope = envelope
        self._now = now
        self._typed_at = now() if typing else float("-inf")

    def body(self) -> ComposeResult:
        text, question = self.messages, self._question
        with Vertical(classes="permission-card"):
            yield Static(classes="permission-heading", markup=False)
            yield Arguments(question, text)
            yield Static(classes="permission-state", markup=False)
        yield Static(classes="permission-change", markup=False)
        yield Static(classes="permission-earlier", markup=False)
        with Vertical(classes="permission-replies"):
            yield Reaction("once", "y", text("permission.once"))
            yield Reaction("always", "a", text("permission.always", tool=question.tool.name))
            yield Reaction("no", "n", text("permission.no"))
            yield Reaction("word", "w", text("permission.word"))
        yield SafeInput(placeholder=text("permission.word_hint"), classes="dialog-filter")

    def on_mount(self) -> None:
        super().on_mount()
        self.query_one(Input).display = False
        self.query_one(Arguments).focus()

    def paint(self) -> None:
        super().paint()
        text, question = self.messages, self._question
        name = outside(question.call.name, Ink.NAME)
        self.write(".permission-heading", (Piece(f"{self._envelope}  ", Ink.DIM), name))
        change = change_sentence(question.change, text) or text("permission.some_change")
        self.write(".permission-change", (Piece(change, Ink.VALUE),))
        earlier = earlier_sentence(question.change, text)
        self.write(".permission-earlier", (Piece(f"! {earlier}", Ink.WAITING),))
        self.query_one(".permission-earlier").display = bool(earlier)
        for reaction in self.query(Reaction):
            reaction.paint()
        self._write_state()

    def on_resize(self) -> None:
        self.call_after_refresh(self._fit)

    def _fit(self) -> None:
        """Give the arguments the rows that the rest of the dialog leaves, in cells: an automatic
        height does not see a limit in parts of the screen."""
        keys, arguments = self.query_one(".dialog-keys"), self.query_one(Arguments)
        others = keys.virtual_region.bottom + 2 - arguments.outer_size.height
        arguments.styles.max_height = max(self.size.height * 92 // 100 - others, 3)

    def on_arguments_moved(self) -> None:
        self._write_state()

    def _write_state(self) -> None:
        waits = Piece(f"? {self.messages('panel.state.waiting')}", Ink.WAITING)
        first, last, total = self.query_one(Arguments).in_view
        place = ""
        if last - first + 1 < total:
            numbers = (count_text(number, self.messages) for number in (first, last, total))
            names = ("first", "last", "total")
            place = self.messages("permission.place", **dict(zip(names, numbers, strict=True)))
        self.write(".permission-state", (waits, Piece(f"   {place}", Ink.DIM)))

    # --- answers

    def action_once(self) -> None:
        self._answer(Answer(Reply.ONCE))

    def action_always(self) -> None:
        self._answer(Answer(Reply.ALWAYS))

    def action_no(self) -> None:
        self._answer(NO)

    def action_leave(self) -> None:
        self.dismiss(NO)

    def action_word(self) -> None:
        """Open the line for a word to the model."""
        if self._meant():
            field = self.query_one(Input)
            field.display = True
            field.focus()
            self.call_after_refresh(self._fit)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.dismiss(Answer(Reply.NO, event.value.strip()))

    def _answer(self, answer: Answer) -> None:
        if self._meant():
            self.dismiss(answer)

    def _meant(self) -> bool:
        """Whether a key is an answer, and not the middle of a sentence that is being typed."""
        now = self._now()
        quiet = now - self._typed_at >= QUIET
        if not quiet:
            self._typed_at = now
            self.write(".dialog-keys", (Piece(self.messages("permission.pause"), Ink.WAITING),))
        return quiet

    def on_key(self, event: events.Key) -> None:
        """Letters that answer nothing are somebody's writing."""
        if event.is_printable and event.character and event.character not in f"{REPLIES} ":
            self._typed_at = self._now()
