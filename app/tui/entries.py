"""What stands in a chat: messages, answers, reasoning, calls and notices, each made of passages.

Entries know their texts and how they grow; `app.tui.document` knows where they stand.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field

from app.messages import Messages
from app.safe_text import safe
from app.tui.call_words import CallBrief, summary
from app.tui.figures import count_text
from app.tui.markdown_blocks import Block, Splitter
from app.tui.passages import Aside, Barred, Content, Folded, Line, Passage, Said, Spoken, in_pieces
from providers.history import Turn


def _rough(text: str, width: int) -> int:
    return text.count("\n") + len(text) // max(width - 4, 8) + 2


@dataclass(eq=False, slots=True)
class Message:
    """What the person wrote."""

    text: str
    _passages: list[Passage] = field(default_factory=list)

    def passages(self) -> list[Passage]:
        if not self._passages:
            pieces = in_pieces(self.text)
            self._passages = [Passage(Said(text, bool(n))) for n, text in enumerate(pieces)]
        return self._passages

    def rough(self, width: int) -> int:
        return _rough(self.text, width)

    def plain(self) -> str:
        return safe(self.text)


class Answer:
    """What the model wrote; it may still grow. Only its last block is drawn again then."""

    def __init__(self, text: str = "", *, growing: bool = False) -> None:
        self._pieces = [text] if text else []
        self._new = list(self._pieces)
        self._splitter = Splitter()
        self._passages: list[Passage] = []
        self.growing = growing

    @property
    def text(self) -> str:
        """The whole Markdown text."""
        self._pieces = ["".join(self._pieces)]
        return self._pieces[0]

    def add(self, text: str) -> None:
        """More of the answer came."""
        self._pieces.append(text)
        self._new.append(text)

    def finish(self) -> None:
        """The answer is whole."""
        self._grow(self._splitter.feed("".join(self._new)) + self._splitter.end(), None)
        self._new.clear()
        self.growing = False

    def passages(self) -> list[Passage]:
        if self._new and not self.growing:
            self.finish()
        elif self._new or (self.growing and not self._passages):
            closed = self._splitter.feed("".join(self._new))
            self._new.clear()
            self._grow(closed, Spoken(self._splitter.open, open=True))
        return self._passages

    def rough(self, width: int) -> int:
        return _rough(self.text, width)

    def plain(self) -> str:
        return safe(self.text)

    def _grow(self, closed: list[Block], last: Spoken | None) -> None:
        """Put the closed blocks, and the open one, in the place of the one that was open."""
        before = self._passages[-1].content if self._passages else None
        if isinstance(before, Spoken) and before.open:
            self._passages.pop()
        contents = [Spoken(block) for block in closed] + ([last] if last else [])
        if contents and not self._passages:
            contents[0].first = True
        self._passages += [Passage(content) for content in contents]


class Reasoning:
    """The model's reasoning: one line until the person unfolds it."""

    def __init__(self, messages: Messages, text: str = "") -> None:
        self.messages = messages
        self._pieces = [text] if text else []
        self._size = len(text)
        self._passages: list[Passage] = []
        self.unfolded = False

    def add(self, text: str) -> None:
        """More reasoning came."""
        self._pieces.append(text)
        self._size += len(text)
        self._passages = []

    def relabel(self, messages: Messages) -> None:
        """Speak another language."""
        self.messages, self._passages = messages, []

    def toggle(self) -> None:
        """Fold or unfold."""
        self.unfolded = not self.unfolded
        self._passages = []

    def passages(self) -> list[Passage]:
        if not self._passages:
            size = count_text(self._size, self.messages)
            label = self.messages("chat.reasoning", characters=size)
            contents: list[Content] = [Folded(label, self.unfolded)]
            if self.unfolded:
                contents += [Aside(text) for text in in_pieces(self.plain())]
            self._passages = [Passage(content) for content in contents]
        return self._passages

    def rough(self, width: int) -> int:
        return 2 + (_rough(self.plain(), width) if self.unfolded else 0)

    def plain(self) -> str:
        self._pieces = ["".join(self._pieces)]
        return safe(self._pieces[0].strip("\n"))


class Calls:
    """One line about the calls of a round: `▸ 2 calls  ✓ 170 cm  … lookup_demo_value`.

    `turns` are the stored turns that the panel shows when the line is chosen; for the calls of
    the message at work it is empty. `unanswered` are the places of those without a result.
    """

    def __init__(
        self, messages: Messages, turns: Sequence[Turn] = (), unanswered: Collection[int] = ()
    ) -> None:
        self.messages = messages
        self.turns = tuple(turns)
        self.unanswered = unanswered
        self._briefs: tuple[CallBrief, ...] = ()
        self._passages: list[Passage] = []

    def show(self, briefs: Sequence[CallBrief]) -> bool:
        """The calls as they are now; whether that changes the line."""
        now = tuple(briefs)
        if now == self._briefs:
            return False
        self._briefs, self._passages = now, []
        return True

    def relabel(self, messages: Messages) -> None:
        """Speak another language."""
        self.messages, self._passages = messages, []

    def passages(self) -> list[Passage]:
        if not self._passages:
            self._passages = [Passage(Line(summary(self._briefs, self.messages)))]
        return self._passages

    def rough(self, width: int) -> int:
        return 2

    def plain(self) -> str:
        return "".join(text for text, _ in summary(self._briefs, self.messages))


Words = Sequence[tuple[str, str]]
"""A line of a notice: texts with the names of their styles in the palette."""
Saying = Callable[[Messages], Sequence[Words] | None]
"""What a notice says, in any language."""


class Notice:
    """A few words from us, not from the model: why there is no answer, or what is going on."""

    def __init__(self, say: Saying, messages: Messages, bar: str = "dim") -> None:
        self.messages = messages
        self._say = say
        self._bar = bar
        self._passages: list[Passage] = []

    def show(self, say: Saying, bar: str) -> None:
        """Say something else in the same place."""
        self._say, self._bar, self._passages = say, bar, []

    def relabel(self, messages: Messages) -> None:
        """Speak another language."""
        self.messages, self._passages = messages, []

    def passages(self) -> list[Passage]:
        if not self._passages:
            self._passages = [Passage(Barred(self._lines, self._bar))]
        return self._passages

    def rough(self, width: int) -> int:
        return 1 + len(self._lines)

    def plain(self) -> str:
        return "\n".join("".join(text for text, _ in line) for line in self._lines)

    @property
    def _lines(self) -> Sequence[Words]:
        return self._say(self.messages) or ()


class Welcome:
    """What an empty chat shows: what this is for, and what one could ask."""

    def __init__(self, messages: Messages) -> None:
        self.messages = messages
        self._passages: list[Passage] = []

    def relabel(self, messages: Messages) -> None:
        """Speak another language."""
        self.messages, self._passages = messages, []

    def passages(self) -> list[Passage]:
        if not self._passages:
            text = self.messages
            contents = [Line([(text("chat.empty.hello"), "ink")])]
            contents.append(Line([(text("chat.empty.try"), "dim")]))
            contents += [
                Line([("◇ ", "voice"), (text(f"chat.empty.{name}"), "ink")], gap=int(n == 0))
                for n, name in enumerate(("first", "second", "third"))
            ]
            self._passages = [Passage(content) for content in contents]
        return self._passages

    def rough(self, width: int) -> int:
        return 8

    def plain(self) -> str:
        return ""
