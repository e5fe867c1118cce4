"""How one call looks: its view laid out as coloured lines of a given width.

A card says the same in four rows whatever the provider: the envelope's own word and the tool's
name; the arguments as they come, open at the end while they grow and torn where they were cut;
the state; the result; and the address the result goes back to. Colour never stands alone: each
state has a glyph and a word.
"""

from __future__ import annotations

import json
from dataclasses import dataclass

from app.call_views import CallState, CallView
from app.mending import Mend
from app.messages import Messages
from app.safe_text import safe
from app.tui.figures import seconds_text, size_text
from app.tui.ink import Ink, Line, Piece, clip, coloured, fold, outside, shorten, width_of
from app.tui.json_prefix import Highlights, JsonPrefix
from app.tui.widgets.mend_lines import mend_line
from tools.call import ToolError, ToolResult

CURSOR = "▍"
TORN = "//"
GAP = Piece("  ")

SHORT_LINES = 6
"""How many lines of arguments a card shows before it is opened."""
LONG_LINES = 400
"""How many it shows once opened; of a longer text, both ends."""
GROWING_LINES = 40
"""How many an opened card shows while it grows, when they are laid out anew for each frame."""
SEEN_CHARACTERS = 24_000
"""How much of each end of the arguments is kept coloured."""

_MARKS: dict[CallState, tuple[str, Ink]] = {
    CallState.ASSEMBLING: ("…", Ink.WAITING),
    CallState.COMPLETE: ("✓", Ink.OK),
    CallState.WAITING: ("?", Ink.WAITING),
    CallState.RUNNING: ("▸", Ink.WAITING),
    CallState.ANSWERED: ("✓", Ink.OK),
    CallState.FAILED: ("✗", Ink.FAILED),
    CallState.BROKEN: ("✗", Ink.FAILED),
    CallState.CUT: ("✗", Ink.FAILED),
    CallState.CANCELLED: ("–", Ink.DIM),
    CallState.UNANSWERED: ("○", Ink.WAITING),
}


def mark(state: CallState) -> Piece:
    """The glyph of a state."""
    return Piece(*_MARKS[state])


@dataclass(slots=True)
class Card:
    """One view and what the screen keeps for it: the coloured arguments and whether it is open.

    `lines(width)` is laid out anew only when the view, the width or the language changed.
    """

    view: CallView
    messages: Messages
    opened: bool = False
    mend: Mend | None = None
    _seen: Highlights | None = None
    _fed: int = 0
    _laid: tuple[object, ...] = ()
    _lines: tuple[Line, ...] = ()

    def lines(self, width: int) -> tuple[Line, ...]:
        """The card's lines, none wider than `width` cells."""
        state = (self.view.revision, width, self.opened, self.messages.language, self.mend)
        if state != self._laid:
            self._lines = tuple(self._lay_out(width))
            self._laid = state
        return self._lines

    def _lay_out(self, width: int) -> list[Line]:
        return [
            heading(self.view, width),
            *self._arguments(width),
            state_line(self.view, self.messages, width),
            *result_lines(self.view, self.messages, width, self._limit),
            *self._mending(width),
            address_line(self.view, self.messages, width),
        ]

    def _mending(self, width: int) -> list[Line]:
        if self.mend is None:
            return []
        return [mend_line(self.mend, self.view, self.messages, width)]

    @property
    def _limit(self) -> int:
        if not self.opened:
            return SHORT_LINES
        return GROWING_LINES if self.view.state is CallState.ASSEMBLING else LONG_LINES

    def _arguments(self, width: int) -> list[Line]:
        seen = self._catch_up()
        end = open_end(self.view)
        room = self._limit * width
        if seen.characters <= room:
            lines = fold([*coloured(seen.first(room)), *end], width)
            if len(lines) <= self._limit:
                return lines
        upper = max(self._limit // 3, 1)
        lower = self._limit - upper - 1
        above = fold(coloured(seen.first(upper * width)), width)[:upper]
        # Counted in whole lines from the beginning, so that the last line fills and nothing shifts.
        tail = (lower - 1) * width + (seen.characters - 1) % width + 1
        below = fold([*coloured(seen.last(tail)), *end], width)[-lower:]
        return [*above, self._between(above + below, width), *below]

    def _between(self, shown: list[Line], width: int) -> Line:
        """How much of the arguments stands between the lines that are shown."""
        seen = sum(len(piece.text) for line in shown for piece in line)
        hidden = max(self.view.arguments.characters - seen, 1)
        return clip([Piece(self.messages.plural("panel.more_characters", hidden), Ink.DIM)], width)

    def _catch_up(self) -> Highlights:
        """Colour the pieces that came since the last time."""
        if self._seen is None:
            self._seen = Highlights(SEEN_CHARACTERS)
        pieces = self.view.arguments.pieces
        if self._fed < len(pieces):
            self._seen.feed("".join(pieces[self._fed :]))
            self._fed = len(pieces)
        return self._seen


def heading(view: CallView, width: int) -> Line:
    """The envelope's own word and the tool's name."""
    name = outside(view.name, Ink.NAME) if view.name else Piece("…", Ink.DIM)
    return clip([Piece(view.envelope, Ink.DIM), GAP, name], width)


def open_end(view: CallView) -> list[Piece]:
    """What stands where the arguments end: a cursor while they grow, a tear where they were cut."""
    if view.torn:
        return [Piece(TORN, Ink.FAILED)]
    if view.state is CallState.ASSEMBLING:
        return [Piece(CURSOR, Ink.WAITING)]
    return []


def state_line(view: CallView, messages: Messages, width: int) -> Line:
    """Glyph, word and how much has come."""
    glyph, ink = _MARKS[view.state]
    words = f"{glyph} {messages(f'panel.state.{view.state.value}')}"
    if view.state is CallState.CUT:
        words += f" · {messages('panel.did_not_run')}"
    facts = []
    if view.fragments:
        facts.append(messages.plural("panel.fragments", view.fragments))
    facts.append(size_text(view.arguments.bytes, messages))
    line = [Piece(words, ink), GAP, Piece(" · ".join(facts), Ink.DIM)]
    while facts and width_of(line) > width:
        facts.pop()
        line[-1] = Piece(" · ".join(facts), Ink.DIM)
    return clip(line, width)


def result_lines(view: CallView, messages: Messages, width: int, limit: int) -> list[Line]:
    """The value or the error, with the time it took; while there is none, whether it is late."""
    if view.result is None:
        late = Piece(messages("panel.overdue"), Ink.WAITING)
        return fold([late], width, words=True) if view.overdue else []
    time = [GAP, Piece(seconds_text(view.result.seconds, messages), Ink.DIM)]
    if view.result.error is not None:
        return _error_lines(view.result.error, time, messages, width, limit)
    value = value_pieces(view.result)
    sign = Piece("= ", Ink.DIM)
    if width_of([sign, *value, *time]) <= width and all("\n" not in p.text for p in value):
        return [(sign, *value, *time)]
    folded = _shortened(value, width - 2, limit, messages)
    lines = [(sign, *folded[0]), *((GAP, *line) for line in folded[1:])]
    if width_of(lines[-1]) + width_of(time) <= width:
        lines[-1] = (*lines[-1], *time)
    else:
        lines.append(tuple(time))
    return lines


def value_pieces(result: ToolResult) -> list[Piece]:
    """A result's output as a person reads it: `170 cm` for a value with a unit, else JSON."""
    match result.output:
        case {"value": int() | float() | str() as value, "unit": str(unit), **others} if (
            _says_no_more(others)
        ):
            return [outside(f"{value} {unit}".strip(), Ink.VALUE)]
        case {"value": int() | float() | str() as value, **others} if _says_no_more(others):
            about = "≈ " if others.get("exact") is False else ""
            return [outside(f"{about}{value}", Ink.VALUE)]
        case str(text):
            return [outside(text, Ink.VALUE, newlines=True)]
        case {"result": int() | float() | str() as value, **others} if _says_no_more(others):
            return [outside(str(value), Ink.VALUE)]
        case output:
            text = json.dumps(output, ensure_ascii=False, default=str)
            return coloured(JsonPrefix().feed(text[: 2 * SEEN_CHARACTERS]))


def address_line(view: CallView, messages: Messages, width: int) -> Line:
    """Where the result goes: the call's id and the field that will carry it."""
    if view.state is CallState.CUT:
        target = Piece(messages("panel.no_result_due"), Ink.DIM)
    else:
        target = Piece(view.return_address, Ink.ADDRESS)
    arrow = Piece(" → ", Ink.DIM)
    room = width - width_of([arrow, target]) - 2
    name = shorten(safe(view.call_id, newlines=False), min(max(room, 6), 16)) or "…"
    return clip([Piece(f"↩ {name}", Ink.DIM), arrow, target], width)


def _says_no_more(others: dict[object, object]) -> bool:
    """Whether what stands beside a value only repeats the question or qualifies it."""
    short = (isinstance(other, str | bool) and len(str(other)) < 200 for other in others.values())
    return len(others) <= 2 and all(short)


def _error_lines(
    error: ToolError, time: list[Piece], messages: Messages, width: int, limit: int
) -> list[Line]:
    kind = Piece(f"! {messages(f'panel.error.{error.kind.value}')}", Ink.FAILED)
    lines = [clip([kind, *time], width)]
    details = [
        outside(
            messages("panel.problem", field=item.field, wanted=item.wanted, got=item.got), Ink.DIM
        )
        for item in error.problems
    ] or [outside(error.message, Ink.DIM)]
    for detail in details[: limit if limit == LONG_LINES else 2]:
        lines += [(GAP, *line) for line in _shortened([detail], width - 2, min(limit, 3), messages)]
    return lines


def _shortened(pieces: list[Piece], width: int, limit: int, messages: Messages) -> list[Line]:
    """The first `limit` lines, and how much more there is."""
    room = (limit + 1) * max(width, 2)
    total = sum(len(piece.text) for piece in pieces)
    lines = fold(_first(pieces, room), width, words=True)
    if len(lines) <= limit and total <= room:
        return lines
    shown = lines[: max(limit - 1, 1)]
    hidden = total - sum(len(piece.text) for line in shown for piece in line)
    more = Piece(messages.plural("panel.more_characters", hidden), Ink.DIM)
    return [*shown, clip([more], width)]


def _first(pieces: list[Piece], characters: int) -> list[Piece]:
    kept = []
    for piece in pieces:
        if characters <= 0:
            break
        kept.append(Piece(piece.text[:characters], piece.ink))
        characters -= len(piece.text)
    return kept
