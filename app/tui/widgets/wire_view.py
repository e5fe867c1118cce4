"""The wire beside the command: what came, byte for byte, and the one command that it becomes.

Lines only: the command as far as it is known, and the event that brought a fragment of the call,
with the fragment marked in it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from app.call_views import CallState, CallView
from app.messages import Messages
from app.tui.figures import count_text
from app.tui.ink import Ink, Line, Piece, coloured, fold, outside, titled
from app.tui.json_prefix import JsonPrefix
from app.tui.widgets.call_card import CURSOR, TORN
from tools.call import ToolCall

EVENT_CHARACTERS = 6_000
"""The most that is shown of one event: an answer that did not stream is one long event."""
ARGUMENT_CHARACTERS = 600
LABEL_CELLS = 10


def command_lines(view: CallView, messages: Messages, width: int) -> list[Line]:
    """The normalized command: the same four fields whoever sent it."""
    made = isinstance(view.call, ToolCall) and view.state is not CallState.CUT
    note = "panel.command_made" if made else "panel.command_not_yet"
    if view.state in (CallState.CUT, CallState.BROKEN) or view.torn:
        note = "panel.command_never"
    lines = titled(messages("panel.command"), messages(note), width)
    arguments = coloured(JsonPrefix().feed(_argument_text(view)))
    if view.arguments.characters > ARGUMENT_CHARACTERS:
        arguments.append(Piece(" …", Ink.DIM))
    elif view.torn:
        arguments.append(Piece(TORN, Ink.FAILED))
    elif view.state is CallState.ASSEMBLING:
        arguments.append(Piece(CURSOR, Ink.WAITING))
    lines += _field("name", [outside(view.name or "…", Ink.NAME)], width)
    lines += _field("args", arguments, width)
    lines += _field("provider", [outside(view.origin.provider)], width)
    lines += _field("call_id", [outside(view.call_id or "…", Ink.ADDRESS)], width)
    return lines


def event_lines(view: CallView, at: int, messages: Messages, width: int) -> list[Line]:
    """The event that brought fragment `at` (from 0), the fragment marked in it."""
    title = messages("panel.wire")
    if view.wire is None or not view.spans:
        return titled(title, messages("panel.no_wire"), width)
    span = view.spans[at]
    place = messages(
        "panel.wire_place",
        number=count_text(at + 1, messages),
        total=count_text(len(view.spans), messages),
        first=count_text(span[0], messages),
        last=count_text(max(span[1] - 1, span[0]), messages),
    )
    lines = [*titled(title, place, width), ()]
    raw = view.wire.cut(span).strip("\r\n")
    fragment = view.arguments.pieces[at] if at < len(view.arguments.pieces) else ""
    return lines + fold(_marked(raw, fragment), width)


def _field(label: str, value: list[Piece], width: int) -> list[Line]:
    first, *others = fold(value, width - LABEL_CELLS - 2)
    indent = Piece(" " * (LABEL_CELLS + 2))
    lines = [(Piece(f"  {label:<{LABEL_CELLS}}", Ink.DIM), *first)]
    return lines + [(indent, *line) for line in others]


def _argument_text(view: CallView) -> str:
    if isinstance(view.call, ToolCall) and view.arguments.characters <= ARGUMENT_CHARACTERS:
        return json.dumps(view.call.args, ensure_ascii=False, default=str)
    return view.arguments.head(ARGUMENT_CHARACTERS)


def _marked(raw: str, fragment: str) -> list[Piece]:
    """An event's text in colours, `fragment` marked where it is found as the wire writes it."""
    start, end = _find(raw, fragment)
    reader = JsonPrefix()
    if start < 0:
        return [*event_pieces(raw[:EVENT_CHARACTERS], reader), *_rest(len(raw) - EVENT_CHARACTERS)]
    before, inside, after = raw[:start], raw[start:end], raw[end:]
    left, right = max(len(before) - EVENT_CHARACTERS // 4, 0), EVENT_CHARACTERS // 4
    shown = inside[:EVENT_CHARACTERS]
    coloured_before = event_pieces(before[left:], reader)
    reader.feed(inside)  # it may be a part of a string or an object of its own
    return [
        *_rest(left),
        *coloured_before,
        outside(shown, Ink.ADDED, newlines=True),
        *_rest(len(inside) - len(shown)),
        *event_pieces(after[:right], reader),
        *_rest(len(after) - right),
    ]


def _find(raw: str, fragment: str) -> tuple[int, int]:
    """Where the fragment stands in the event; (-1, -1) when it is written in no way we know."""
    for written, margin in _ways_to_write(fragment):
        if (start := raw.rfind(written)) >= 0:
            return start + margin, start + len(written) - margin
    return -1, -1


def _ways_to_write(fragment: str) -> Iterator[tuple[str, int]]:
    """The fragment as a JSON string, whole or in part, or as the object itself (Gemini sends
    arguments so); with the characters at both ends that are not the fragment's own."""
    if not fragment:
        return
    escaped = [json.dumps(fragment, ensure_ascii=ascii_only) for ascii_only in (False, True)]
    yield from ((written, 1) for written in escaped)
    yield from ((written[1:-1], 0) for written in escaped)
    yield fragment, 0
    try:
        value = json.loads(fragment)
    except (ValueError, RecursionError):
        return  # a part of an object, as most fragments are: it was written as a string
    for ascii_only in (False, True):
        yield json.dumps(value, ensure_ascii=ascii_only), 0
        yield json.dumps(value, ensure_ascii=ascii_only, separators=(",", ":")), 0


def event_pieces(text: str, reader: JsonPrefix) -> list[Piece]:
    """The lines of an event: field names dim, the event's name in full, the data as JSON, which
    goes on where the reader stands."""
    pieces: list[Piece] = []
    for line in text.splitlines(keepends=True):
        name, colon, value = line.partition(":")
        if colon and name in ("event", "id", "retry"):
            pieces += [Piece(f"{name}:", Ink.DIM), outside(value, Ink.WAITING, newlines=True)]
        elif colon and name == "data":
            pieces += [Piece("data:", Ink.DIM), *coloured(reader.feed(value))]
        else:
            pieces += coloured(reader.feed(line))
    return pieces


def _rest(characters: int) -> list[Piece]:
    return [Piece(" … ", Ink.DIM)] if characters > 0 else []
