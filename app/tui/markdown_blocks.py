"""Where does a growing Markdown text end in blocks that nothing can change any more?

An answer arrives in thousands of fragments. Each line is looked at once; a block is given out the
moment the next line can no longer belong to it, so that only the last, open block is parsed again
while the answer grows. Blocks are short (`LIMIT`, `CODE_LINES`): a longer paragraph, table or
listing goes on in the next block, marked `joined`. Parsing and drawing are `app.tui.markdown`'s.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum, auto

LIMIT = 1_500
"""Characters after which a block is closed at the next line or word."""
CODE_LINES = 40
"""Lines after which a listing goes on in a new block."""

_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})\s*([^\s`]*)[^`]*$")
_INNER_FENCE = re.compile(r"^\s*(`{3,}|~{3,})")
_HEADING = re.compile(r"^ {0,3}#{1,6}(\s|$)")
_ITEM = re.compile(r"^ ?([-*+]|\d{1,9}[.)])(\s|$)")
_RULER = re.compile(r"^\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$")


class Kind(Enum):
    """What a block is; headings, quotes and paragraphs are all PROSE."""

    PROSE = auto()
    ITEM = auto()
    TABLE = auto()
    CODE = auto()


@dataclass(frozen=True, slots=True)
class Block:
    """A stretch of Markdown that is drawn by itself.

    `joined`: it goes on where the block before ended. `tight`: no empty line above. For CODE,
    `source` is the listing alone and `language` its name; for a joined TABLE, `shape` is the
    source of the table's first block, which gives the columns.
    """

    source: str
    kind: Kind = Kind.PROSE
    language: str = ""
    joined: bool = False
    tight: bool = False
    shape: str = ""


class Splitter:
    """Text in, closed blocks out; `open` is what may still change."""

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._partial = ""
        self._size = 0
        self._kind = Kind.PROSE
        self._fence = ""
        self._inner_fence = ""
        self._language = ""
        self._joined = False
        self._blanks = 0
        self._shape = ""
        self._after_item = False

    @property
    def open(self) -> Block | None:
        """The last block as far as it has come."""
        if not self._lines and not self._partial:
            return None
        lines = [*self._lines, *[""] * self._blanks, self._partial]
        return self._block(lines if self._partial else self._lines)

    def feed(self, text: str) -> list[Block]:
        """The blocks that `text` closes."""
        closed: list[Block] = []
        *whole, partial = text.split("\n")
        for line in whole:
            self._take(self._partial + line, closed)
            self._partial = ""
        self._partial += partial
        while self._size + len(self._partial) > LIMIT:
            self._break_partial(closed)
        return closed

    def end(self) -> list[Block]:
        """What is left, closed."""
        closed: list[Block] = []
        if self._partial:
            line, self._partial = self._partial, ""
            self._take(line, closed)
        self._close(closed)
        return closed

    def _take(self, line: str, closed: list[Block]) -> None:
        if self._fence:
            self._take_code(line, closed)
        elif self._kind is Kind.ITEM and self._lines and self._belongs_to_item(line):
            self._add_item_line(line, closed)
        elif not line.strip():
            self._close(closed)
        elif found := _FENCE.match(line):
            self._close(closed)
            self._kind, self._fence, self._language = Kind.CODE, found[1], found[2]
        elif _HEADING.match(line):
            self._close(closed)
            self._add(line)
            self._close(closed)
        elif _ITEM.match(line):
            self._close(closed)
            self._kind = Kind.ITEM
            self._add(line)
        else:
            self._take_prose(line, closed)

    def _take_prose(self, line: str, closed: list[Block]) -> None:
        if self._kind is Kind.ITEM and self._lines and self._blanks:
            self._close(closed)
        self._add(line)
        if len(self._lines) == 2 and self._kind is Kind.PROSE and not self._joined:
            header, ruler = self._lines
            if "|" in header and "|" in ruler and _RULER.match(ruler):
                self._kind = Kind.TABLE
        if self._size > LIMIT:
            self._break(closed)

    def _take_code(self, line: str, closed: list[Block]) -> None:
        bare = line.strip()
        if bare.startswith(self._fence) and not bare.strip(self._fence[0]):
            self._fence = ""
            self._close(closed)
            return
        self._add(line)
        if len(self._lines) >= CODE_LINES or self._size > LIMIT:
            self._break(closed)

    def _belongs_to_item(self, line: str) -> bool:
        if self._inner_fence or not line.strip() or line.startswith(("  ", "\t")):
            return True
        begins = _ITEM.match(line) or _HEADING.match(line) or _FENCE.match(line)
        return not self._blanks and not begins

    def _add_item_line(self, line: str, closed: list[Block]) -> None:
        if not line.strip() and not self._inner_fence:
            self._blanks += 1
            return
        for _ in range(self._blanks):
            self._add("")
        self._blanks = 0
        self._add(line)
        bare = line.strip()
        if self._inner_fence:
            if bare.startswith(self._inner_fence):
                self._inner_fence = ""
        elif found := _INNER_FENCE.match(line):
            self._inner_fence = found[1]
        if self._size > LIMIT:
            self._break(closed)

    def _add(self, line: str) -> None:
        self._lines.append(line)
        self._size += len(line) + 1

    def _break(self, closed: list[Block]) -> None:
        """The block is long enough: it goes on in the next one."""
        block = self._block(self._lines)
        closed.append(block)
        if self._kind is Kind.TABLE and not self._shape:
            self._shape = block.source
        self._lines, self._size, self._joined = [], 0, True

    def _break_partial(self, closed: list[Block]) -> None:
        """A line without an end: close it at its last space."""
        room = max(LIMIT - self._size, 1)
        cut = self._partial.rfind(" ", 1, room) if len(self._partial) > room else -1
        cut = cut if cut > 0 else min(room, len(self._partial))
        if self._kind is Kind.PROSE and not self._fence and _FENCE.match(self._partial[:cut]):
            cut = min(room, len(self._partial))
        self._add(self._partial[:cut])
        self._partial = self._partial[cut:].removeprefix(" ")
        self._break(closed)

    def _close(self, closed: list[Block]) -> None:
        if self._lines or (self._kind is Kind.CODE and not self._joined):
            closed.append(self._block(self._lines))
        self._after_item = self._kind is Kind.ITEM
        self._lines, self._size, self._blanks = [], 0, 0
        self._kind, self._joined, self._shape, self._language = Kind.PROSE, False, "", ""
        self._inner_fence = ""

    def _block(self, lines: list[str]) -> Block:
        source = "\n".join(lines)
        kind = self._kind
        if kind is Kind.PROSE and not self._joined and _ITEM.match(source):
            kind = Kind.ITEM
        tight = kind is Kind.ITEM and self._after_item
        return Block(source, kind, self._language, self._joined, tight, self._shape)


def split(text: str) -> list[Block]:
    """All blocks of a finished text: the same as when it came in fragments."""
    splitter = Splitter()
    return [*splitter.feed(text), *splitter.end()]
