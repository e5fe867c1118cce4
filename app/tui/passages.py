"""What does one stretch of the chat look like? Each passage draws itself at a width.

A passage is short (a few dozen rows), so that what is off the screen need not be drawn. Its
`rough` height is a guess from its length; `rows` is the truth.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from rich.style import Style
from textual.strip import Strip

from app.safe_text import safe
from app.tui.markdown_blocks import LIMIT, Block, Kind
from app.tui.palette import Palette
from app.tui.wrap import Row, Run, cells, strip, wrap

MARGIN = 3
"""Cells to the left of all text: one free, one for a sign, one free."""
CARET = "▍"
NO_BREAK = "\N{NO-BREAK SPACE}"
MEASURE = 96
"""Prose is never wider than this: a longer line is hard to read."""


class Content(Protocol):
    """Something that can be drawn; `gap` is how many empty rows stand above it."""

    @property
    def gap(self) -> int: ...

    def rough(self, width: int) -> int:
        """About how many rows, without drawing."""
        ...

    def rows(self, width: int, look: Palette) -> list[Row]: ...


@dataclass(slots=True, eq=False)
class Passage:
    """A content and how high it is. `strips` is kept while the passage is near the screen."""

    content: Content
    height: int = 0
    drawn_for: tuple[int, int] | None = None
    strips: list[Strip] | None = None

    def guess(self, width: int) -> int:
        """Take a height without drawing, and give it."""
        self.height = self.content.gap + self.content.rough(width)
        return self.height

    def draw(self, width: int, look: Palette, stamp: int) -> list[Strip]:
        """The strips at this width; `stamp` changes when the look does."""
        if self.strips is None or self.drawn_for != (width, stamp):
            empty: list[Row] = [[]]
            rows = empty * self.content.gap + self.content.rows(width, look)
            self.strips = [strip(row, width, look.ink) for row in rows]
            self.height = len(self.strips)
            self.drawn_for = (width, stamp)
        return self.strips

    def forget(self) -> None:
        """Its content changed: draw again when it is next seen."""
        self.drawn_for = self.strips = None


def _rough_rows(text: str, width: int) -> int:
    return text.count("\n") + len(text) // max(width - MARGIN, 8) + 1


def _measure(width: int) -> int:
    return min(width - MARGIN - 1, MEASURE)


@dataclass(frozen=True, slots=True)
class Said:
    """A piece of what the person wrote: on a band of its own."""

    text: str
    joined: bool = False

    @property
    def gap(self) -> int:
        return 0 if self.joined else 1

    def rough(self, width: int) -> int:
        return _rough_rows(self.text, width)

    def rows(self, width: int, look: Palette) -> list[Row]:
        rows = wrap([(safe(self.text), look.said)], _measure(width) - 1)
        widest = max(map(cells, rows))
        return [
            [
                ("  ", look.ink),
                (" ", look.said),
                *row,
                (" " * (widest - cells(row) + 1), look.said),
            ]
            for row in rows
        ]


@dataclass(slots=True)
class Spoken:
    """A Markdown block of an answer. `first` shows who speaks; `open` that more is coming."""

    block: Block | None
    first: bool = False
    open: bool = False

    @property
    def gap(self) -> int:
        tight = self.block is not None and (self.block.joined or self.block.tight)
        return 0 if tight and not self.first else 1

    def rough(self, width: int) -> int:
        return _rough_rows(self.block.source, width) if self.block else 1

    def rows(self, width: int, look: Palette) -> list[Row]:
        from app.tui.markdown import draw

        room = _measure(width)
        if self.block is not None and self.block.kind in (Kind.CODE, Kind.TABLE):
            room = width - MARGIN - 1
        rows = draw(self.block, room, look) if self.block else []
        if self.open:
            rows = rows or [[]]
            if cells(rows[-1]) >= room:
                rows.append([])
            rows[-1] = [*rows[-1], (CARET, look.voice)]
        sign: Run = (" ◆ ", look.voice) if self.first else (" " * MARGIN, look.ink)
        plain: Run = (" " * MARGIN, look.ink)
        return [[plain if place else sign, *row] for place, row in enumerate(rows)]


@dataclass(frozen=True, slots=True)
class Folded:
    """One secondary line that can open: `▸ reasoning · 1,234 characters`."""

    label: str
    unfolded: bool = False

    gap = 1

    def rough(self, width: int) -> int:
        return 1

    def rows(self, width: int, look: Palette) -> list[Row]:
        sign = "▾" if self.unfolded else "▸"
        return [[(" " * MARGIN, look.dim), (f"{sign} {self.label}", look.dim)]]


@dataclass(frozen=True, slots=True)
class Aside:
    """A piece of unfolded reasoning: plain and secondary."""

    text: str

    gap = 0

    def rough(self, width: int) -> int:
        return _rough_rows(self.text, width)

    def rows(self, width: int, look: Palette) -> list[Row]:
        rows = wrap([(safe(self.text), look.dim + Style(italic=True))], _measure(width) - 2)
        return [[(" " * (MARGIN + 2), look.dim), *row] for row in rows]


@dataclass(frozen=True, slots=True)
class Line:
    """Words of several colours, by the palette's names, on rows after a margin. A sign (words that
    end in a space) stays on one row with the word that it stands before."""

    words: Sequence[tuple[str, str]]
    gap: int = 1

    def rough(self, width: int) -> int:
        return 1

    def rows(self, width: int, look: Palette) -> list[Row]:
        runs = [(_joined(safe(text)), styled(look, name)) for text, name in self.words]
        rows = wrap(runs, _measure(width))
        spaced = [[(text.replace(NO_BREAK, " "), style) for text, style in row] for row in rows]
        return [[(" " * MARGIN, look.ink), *row] for row in spaced]


def _joined(text: str) -> str:
    """The text, its last space holding it to what follows."""
    return f"{text[:-1]}{NO_BREAK}" if text.endswith(" ") and not text.isspace() else text


@dataclass(frozen=True, slots=True)
class Barred:
    """A notice: rows after a bar whose colour says what it is about."""

    lines: Sequence[Sequence[tuple[str, str]]]
    bar: str = "dim"

    gap = 1

    def rough(self, width: int) -> int:
        return len(self.lines)

    def rows(self, width: int, look: Palette) -> list[Row]:
        rows: list[Row] = []
        for line in self.lines:
            runs = [(safe(text), styled(look, name)) for text, name in line]
            rows += wrap(runs, _measure(width) - 1)
        return [[("  ", look.ink), ("▌ ", styled(look, self.bar)), *row] for row in rows]


def styled(look: Palette, name: str) -> Style:
    """The palette's style of a name that a notice uses."""
    style: Style = getattr(look, name)
    return style


def in_pieces(text: str) -> list[str]:
    """`text` in pieces short enough to draw, cut at line ends where there are any."""
    pieces: list[str] = []
    begin = 0
    while len(text) - begin > LIMIT:
        cut = text.rfind("\n", begin + 1, begin + LIMIT)
        end = cut if cut > 0 else begin + LIMIT
        pieces.append(text[begin:end])
        begin = end + (1 if cut > 0 else 0)
    pieces.append(text[begin:])
    return pieces
