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
    width = max(width, 2)
    rows: list[Row] = [[]]
    used = 0
    gap: Row = []
    for word in _words(runs):
        text = word[0][0]
        if text == "\n":
            rows.append([])
            used, gap = 0, []
            continue
        if text[0] == " ":
            gap = word
            continue
        room = width - used - (cells(gap) if used else 0)
        size = cells(word)
        breakable = size > width or (size > room and size != sum(len(t) for t, _ in word))
        if size <= room or (breakable and room > 2):
            if used or (rows[-1] == [] and len(rows) == 1):
                rows[-1] += gap
                used += cells(gap)
        elif used:
            rows.append([])
            used = 0
        for piece in _fill(word, width, used) if breakable else [word]:
            if piece is None:
                rows.append([])
                used = 0
            else:
                rows[-1] += piece
                used += cells(piece)
        gap = []
    return rows


def fold(runs: Iterable[Run], width: int) -> list[Row]:
    """Rows of at most `width` cells that keep every space: for code and for plain text."""
    width = max(width, 2)
    rows: list[Row] = [[]]
    used = 0
    for text, style in runs:
        for place, line in enumerate(text.split("\n")):
            if place:
                rows.append([])
                used = 0
            for piece in _fill([(line, style)], width, used) if line else ():
                if piece is None:
                    rows.append([])
                    used = 0
                else:
                    rows[-1] += piece
                    used += cells(piece)
    return rows


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


def _fill(word: Row, width: int, used: int) -> Iterable[Row | None]:
    """A word too long for a row, in pieces that fill rows; None begins a new row."""
    room = width - used
    for text, style in word:
        rest = text
        while rest:
            piece, rest = take(rest, room)
            if piece:
                yield [(piece, style)]
                room -= cells([(piece, style)])
            elif room == width:  # not even one cluster fits a whole row
                yield [("�", style)]
                rest = rest[1:]
            if rest:
                yield None
                room = width
