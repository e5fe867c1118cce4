"""What did the model change when it mended a call? `before → after`, field by field."""

from __future__ import annotations

import json

from app.call_views import CallView
from app.mending import ABSENT, FieldChange, Mend, changes
from app.messages import Messages
from app.tui.ink import Ink, Line, Piece, clip, fold, outside

VALUE_CHARACTERS = 200
"""The most that is shown of each of the two values."""
SIGN = "↻"


def mend_line(mend: Mend, view: CallView, messages: Messages, width: int) -> Line:
    """One line for a card: the other round, and on the mending call the first change."""
    head = [Piece(f"{SIGN} {_said(mend, view, messages)}", Ink.WAITING)]
    if view is mend.after and (changed := changes(mend)):
        head += [Piece("  "), *_change(changed[0], messages)]
    return clip(head, width)


def mend_lines(mend: Mend, view: CallView, messages: Messages, width: int) -> list[Line]:
    """All of it: which round mends which, and every argument before and after."""
    lines = [clip([Piece(f"{SIGN} {_said(mend, view, messages)}", Ink.WAITING)], width)]
    changed = changes(mend)
    if not changed:
        lines += _wholes(mend, width)
    for change in changed:
        lines += [(Piece("  "), *line) for line in fold(_change(change, messages), width - 2)]
    return lines


def _said(mend: Mend, view: CallView, messages: Messages) -> str:
    if view is mend.after:
        return messages("mend.mends", number=mend.before.round)
    return messages("mend.mended", number=mend.after.round)


def _change(change: FieldChange, messages: Messages) -> list[Piece]:
    return [
        outside(f"{change.name} ", Ink.KEY),
        _value(change.before, Ink.FAILED, messages),
        Piece(" → ", Ink.DIM),
        _value(change.after, Ink.OK, messages),
    ]


def _value(value: object, ink: Ink, messages: Messages) -> Piece:
    if value is ABSENT:
        return Piece(messages("mend.absent"), Ink.DIM)
    text = json.dumps(value, ensure_ascii=False, default=str)
    return outside(_cut(text), ink)


def _wholes(mend: Mend, width: int) -> list[Line]:
    """Both texts, where one of them is no object whose fields could be compared."""
    before = outside(_cut(mend.before.arguments.head(VALUE_CHARACTERS + 1)), Ink.FAILED)
    after = outside(_cut(mend.after.arguments.head(VALUE_CHARACTERS + 1)), Ink.OK)
    lines = fold([before], width - 2) + fold([Piece("→ ", Ink.DIM), after], width - 2)
    return [(Piece("  "), *line) for line in lines]


def _cut(text: str) -> str:
    return text if len(text) <= VALUE_CHARACTERS else text[:VALUE_CHARACTERS] + "…"
