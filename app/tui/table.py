"""How wide is each column of a table, and how is it drawn? No lines but one under the header."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest

from app.tui.palette import Palette
from app.tui.wrap import Row, Run, cells, wrap

GAP = 2
_NARROWEST = 4


@dataclass(frozen=True, slots=True)
class Column:
    """One cell: its words and the side that they stand on ("" for the left)."""

    runs: list[Run]
    side: str = ""


def shape_of(table: Sequence[Sequence[Column]], width: int) -> list[int]:
    """The columns' widths: as wide as their content, narrowed from the widest to fit `width`; to
    less than a word's start only where nothing else fits."""
    widths = [
        max((cells(cell.runs) for cell in column if cell), default=0)
        for column in zip_longest(*table)
    ]
    room = width - GAP * (len(widths) - 1)
    return _narrowed(_narrowed(widths, room, _NARROWEST), room, 1)


def _narrowed(widths: list[int], room: int, narrowest: int) -> list[int]:
    """The widths, the widest first, made narrower until they fit or are all at the least."""
    while sum(widths) > room and max(widths) > narrowest:
        widest = max(widths)
        next_widest = max((one for one in widths if one < widest), default=narrowest)
        at_widest = widths.count(widest)
        share = -(-(sum(widths) - room) // at_widest)
        narrowed = max(widest - share, next_widest, narrowest)
        widths = [narrowed if one == widest else one for one in widths]
    return widths


def draw_table(
    table: Sequence[Sequence[Column]], widths: Sequence[int], look: Palette, *, headed: bool
) -> list[Row]:
    """The table's rows; with `headed` the first one is the header."""
    rows: list[Row] = []
    for place, line in enumerate(table):
        rows += _draw_line(line, widths, look)
        if headed and place == 0:
            rows.append([("─" * (sum(widths) + GAP * (len(widths) - 1)), look.dim)])
    return rows


def _draw_line(line: Sequence[Column], widths: Sequence[int], look: Palette) -> list[Row]:
    wrapped = [wrap(cell.runs, size) for cell, size in zip(line, widths, strict=False)]
    rows: list[Row] = []
    for parts in zip_longest(*wrapped, fillvalue=[]):
        row: Row = []
        for cell, part, size in zip(line, parts, widths, strict=False):
            free = max(size - cells(part), 0)
            left = {"right": free, "center": free // 2}.get(cell.side, 0)
            if row:
                row.append((" " * GAP, look.ink))
            row += [(" " * left, look.ink), *part, (" " * (free - left), look.ink)]
        rows.append([run for run in row if run[0]])
    return rows
