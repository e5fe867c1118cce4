"""How are a call's arguments shown whole? Field by field, as a person reads them.

Nothing is left out: whoever permits a write has to be able to see all of it. A text of several
lines stands as lines, behind a bar, so that it cannot pass for another field.
"""

from __future__ import annotations

import json

from app.messages import Messages
from app.tui.ink import Ink, Line, Piece, coloured, fold, outside, width_of
from app.tui.json_prefix import JsonPrefix
from tools.call import JsonObject

LABEL_CELLS = 20
"""The most that the column of names takes; a longer name has lines of its own."""
GAP = 2
BAR = Piece("│ ", Ink.DIM)


def argument_lines(args: JsonObject, messages: Messages, width: int) -> list[Line]:
    """Every argument with its whole value, none of the lines wider than `width` cells."""
    if not args:
        return [(Piece(messages("permission.no_arguments"), Ink.DIM),)]
    widest = max(width_of([outside(name)]) for name in args)
    cells = min(widest, LABEL_CELLS, width // 3)
    lines: list[Line] = []
    for name, value in args.items():
        lines += _argument(name, value, cells, width)
    return lines


def _argument(name: str, value: object, cells: int, width: int) -> list[Line]:
    label = outside(name, Ink.KEY)
    indent = Piece(" " * (cells + GAP))
    values = _value(value, width - cells - GAP)
    free = cells + GAP - width_of([label])
    if free < GAP:
        return [*fold([label], width), *((indent, *line) for line in values)]
    first, *others = values
    return [(label, Piece(" " * free), *first), *((indent, *line) for line in others)]


def _value(value: object, width: int) -> list[Line]:
    if isinstance(value, str) and "\n" in value:
        said = outside(value, Ink.STRING, newlines=True)
        return [(BAR, *line) for line in fold([said], width - width_of([BAR]))]
    text = json.dumps(value, ensure_ascii=False, indent=2, default=str)
    return fold(coloured(JsonPrefix().feed(text)), width)
