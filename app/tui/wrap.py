"""How do styled words fit a width? Runs of text in, lines of runs and strips out.

Widths are terminal cells: wide characters and emoji count as they are drawn, a cluster of
combined characters is never cut. Knows no Markdown and no theme.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TypeAlias

from rich.cells import cell_len, split_graphemes
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

Run: TypeAlias = tuple[str, Style]
Row: TypeAlias = list[Run]

_WORDS = re.compile(r"\n| +|[^ \n]+")


def wrap(runs: Iterable[Run], width: int) -> list[Row]:
    """Rows of at most `width` cells, broken between words; `\\n` begins a new row."""
    filling = _Filling(width)
    gap: Row = []
    for word in _words(runs):
        match word[0][0][0]:
            case "\n":
                filling.end_row()
                gap = []
            case " ":
                gap = word
            case _:
                filling.add(word, gap)
                gap = []
    return filling.rows


def fold(runs: Iterable[Run], width: int) -> list[Row]:
    """Rows of at most `width` cells that keep every space: for code and for plain text."""
    filling = _Filling(width)
    for text, style in runs:
        for place, line in enumerate(text.split("\n")):
            if place:
                filling.end_row()
            filling.pour([(line, style)])
    return filling.rows


class _Filling:
    """Rows that fill up from the left."""

    def __init__(self, width: int) -> None:
        self.rows: list[Row] = [[]]
        self._width = max(width, 2)
        self._used = 0

    def end_row(self) -> None:
        self.rows.append([])
        self._used = 0

    def add(self, word: Row, gap: Row) -> None:
        """Put a word after a gap, on a new row if need be. A word that no row can hold, and one
        of wide characters, which have no spaces between them, is broken where the row ends."""
        size, room = cells(word), self._width - self._used - cells(gap)
        if size <= room:
            self._put([*gap, *word])
        elif room > 2 and (size > self._width or _is_wide(word, size)):
            self._put(gap)
            self.pour(word)
        else:
            if self._used:
                self.end_row()
            self.pour(word)

    def pour(self, runs: Row) -> None:
        """Put runs wherever there is room, cut between clusters."""
        for text, style in runs:
            rest = text
            while rest:
                piece, rest = take(rest, self._width - self._used)
                self._put([(piece, style)] if piece else [])
                if rest and not piece and not self._used:  # wider than a whole row
                    rest = ""
                if rest:
                    self.end_row()

    def _put(self, runs: Row) -> None:
        self.rows[-1] += runs
        self._used += cells(runs)


def cells(row: Sequence[Run]) -> int:
    """How many cells the runs take."""
    return sum(len(text) if text.isascii() else cell_len(text) for text, _ in row)


def take(text: str, room: int) -> tuple[str, str]:
    """The longest beginning of `text` in `room` cells, cut between clusters, and the rest."""
    if text.isascii():
        return text[:room], text[room:]
    spans, _ = split_graphemes(text[: room * 8 + 64])
    used = 0
    for start, _end, size in spans:
        if used + size > room:
            return text[:start], text[start:]
        used += size
    end = spans[-1][1] if spans else 0
    return text[:end], text[end:]


def clip(text: str, width: int) -> str:
    """`text` in at most `width` cells; what is cut off leaves `…`."""
    if cell_len(text) <= width:
        return text
    return take(text, max(width - 1, 0))[0] + "…" if width > 0 else ""


def strip(row: Sequence[Run], width: int, blank: Style) -> Strip:
    """The row as a strip of exactly `width` cells."""
    size = cells(row)
    segments = [Segment(text, style) for text, style in row if text]
    if size < width:
        segments.append(Segment(" " * (width - size), blank))
    made = Strip(segments, max(size, width))
    return made if size <= width else made.crop(0, width)


def _words(runs: Iterable[Run]) -> Iterable[Row]:
    """Words with their styles: a word that changes style inside stays one word."""
    word: Row = []
    for text, style in runs:
        for found in _WORDS.finditer(text):
            piece = found[0]
            if piece[0] in " \n":
                if word:
                    yield word
                    word = []
                yield [(piece, style)]
            else:
                word.append((piece, style))
    if word:
        yield word


def _is_wide(word: Row, size: int) -> bool:
    return size != sum(len(text) for text, _ in word)
