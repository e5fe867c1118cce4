"""An exchange with faults in two columns: what was sent, as it came, and what we made of it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from app.messages import Messages
from app.struck import Made
from app.tui.figures import count_text, size_text
from app.tui.ink import Ink, Line, Piece, coloured, fold, outside, titled
from app.tui.json_prefix import JsonPrefix
from app.tui.widgets.wire_view import event_pieces
from providers.cassette import Ending, Exchange

HEAD_BYTES, TAIL_BYTES = 3_000, 5_000
"""How much is shown of a body's beginning and of its end, where the damage mostly is."""
TEXT_CHARACTERS = 1_200
_ENDS = {Ending.WHOLE: Ink.DIM, Ending.CLOSED: Ink.WAITING, Ending.FAILED: Ink.FAILED}
_CAPITAL = re.compile("(?<!^)(?=[A-Z])")


def sent_lines(exchange: Exchange, messages: Messages, width: int) -> list[Line]:
    """The head of the answer, its bytes, and how the connection ended."""
    lines = titled(messages("lab.sent"), _size(exchange, messages), width)
    lines += fold([_head(exchange, messages)], width)
    lines += fold(list(_body(exchange.body)), width)
    end = Piece(messages(f"lab.ending.{exchange.ending.value}"), _ENDS[exchange.ending])
    return [*lines, *fold([Piece("■ ", end.ink), end], width, words=True)]


def _size(exchange: Exchange, messages: Messages) -> str:
    size = size_text(len(exchange.body), messages)
    reads = count_text(len(exchange.reads), messages)
    return messages.plural("lab.reads", len(exchange.reads), count=reads, size=size)


def _head(exchange: Exchange, messages: Messages) -> Piece:
    if exchange.response is None:
        return Piece(messages("lab.no_answer"), Ink.FAILED)
    status = exchange.response.status
    kind = exchange.response.headers.get("content-type", "–")
    return outside(f"{status}  {kind}", Ink.WAITING if status == 200 else Ink.FAILED)


def _body(body: bytes) -> Iterator[Piece]:
    """The bytes as text; what is no UTF-8 shows as U+FFFD."""
    reader = JsonPrefix()
    left_out = len(body) - HEAD_BYTES - TAIL_BYTES
    if left_out <= 0:
        yield from event_pieces(_text(body), reader)
    else:
        yield from event_pieces(_text(body[:HEAD_BYTES]), reader)
        yield Piece("\n … \n", Ink.DIM)
        yield from event_pieces(_text(body[-TAIL_BYTES:]), JsonPrefix())
    if body and not body.endswith(b"\n"):
        yield Piece("\n")


def _text(data: bytes) -> str:
    return re.sub(r"(?:\r?\n)+", "\n", data.decode("utf-8", errors="replace"))


def made_lines(made: Made, messages: Messages, width: int) -> list[Line]:
    """The verdict first, then the answer, its calls, and the parts that it was made of."""
    lines = titled(messages("lab.made"), "", width)
    lines += fold(list(_verdict(made, messages)), width, words=True)
    for title, pieces in _content(made, messages):
        lines += [(), (Piece(title, Ink.DIM),), *fold(pieces, width, words=True)]
    return lines


def _verdict(made: Made, messages: Messages) -> Iterator[Piece]:
    if made.failure:
        yield Piece(f"✗ {messages('lab.failed')} ", Ink.FAILED)
        yield outside(made.failure, Ink.VALUE)
        yield outside(f"  {made.code}" if made.code else "", Ink.DIM)
    elif made.reading.broken:
        yield Piece(f"✗ {messages('lab.broken')}", Ink.WAITING)
    else:
        yield Piece(f"✓ {messages('lab.whole')}", Ink.OK)


def _content(made: Made, messages: Messages) -> Iterator[tuple[str, list[Piece]]]:
    reading = made.reading
    if reading.text:
        yield messages("lab.text"), [outside(_short(reading.text), newlines=True)]
    for call in reading.calls:
        arguments = json.dumps(call.args, ensure_ascii=False, default=str)
        shown = coloured(JsonPrefix().feed(_short(arguments)))
        yield messages("lab.call"), [outside(call.name, Ink.NAME), Piece(" "), *shown]
    for broken in reading.broken:
        raw = outside(f" {_short(broken.raw)}", Ink.FAILED, newlines=True)
        yield messages("lab.broken_call"), [outside(broken.name, Ink.NAME), raw]
    if made.runs:
        parts = [_run(kind.__name__, count, messages) for kind, count in made.runs]
        yield messages("lab.parts"), [Piece(" · ".join(parts))]


def _run(name: str, count: int, messages: Messages) -> str:
    word = messages(f"lab.part.{_CAPITAL.sub('_', name).lower()}")
    return f"{word} ×{count_text(count, messages)}" if count > 1 else word


def _short(text: str) -> str:
    return text if len(text) <= TEXT_CHARACTERS else text[:TEXT_CHARACTERS] + " …"
