"""What did a recorded exchange say, in the terms in which any answer is read?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from itertools import count

from providers.cassette import Exchange
from providers.dialects import Decoder, dialect
from providers.failures import FailureKind, failure_of_response
from providers.parts import Part, StreamFailed
from providers.reading import Reading, read_body
from tools.call import JsonObject

_VAGUE = (FailureKind.CUT, FailureKind.PROTOCOL)
"""What a body alone tells of a connection that failed; the connection's own failure says more."""


def read_exchange(exchange: Exchange) -> Reading:
    """The whole of it. A refusal or a dead network has an error and nothing else.

    Raises ValueError for an exchange in none of our dialects.
    """
    if exchange.response is None:
        error: JsonObject = {"kind": exchange.failure, "code": None, "message": None}
        return replace(read_body(exchange.dialect, ()), error=error)
    if refused(exchange):
        failure = failure_of_response(
            exchange.dialect,
            exchange.response.status,
            exchange.response.headers,
            exchange.body,
            exchange.at or datetime.now(UTC),
        )
        error = {"kind": failure.kind.value, "code": failure.code, "message": failure.message}
        return replace(read_body(exchange.dialect, ()), error=error)
    reading = read_body(exchange.dialect, (read.data for read in exchange.reads))
    if reading.error and reading.error["kind"] in _VAGUE and exchange.failure:
        return replace(reading, error={**reading.error, "kind": exchange.failure})
    return reading


def refused(exchange: Exchange) -> bool:
    """Whether there is no answer to decode."""
    return exchange.response is None or not 200 <= exchange.response.status < 300


def moments(exchange: Exchange) -> Iterator[tuple[float, list[Part]]]:
    """What became known when: seconds from the request's start, and the parts of that read."""
    numbers = count(1)
    decoder: Decoder = dialect(exchange.dialect).decoder(
        provider=exchange.dialect, new_id=lambda: f"call_{next(numbers)}"
    )
    after = exchange.response.after if exchange.response else 0.0
    for read in exchange.reads:
        after = read.after
        yield after, decoder.feed(read.data)
    yield after, [_known(part, exchange) for part in decoder.end()]


def _known(part: Part, exchange: Exchange) -> Part:
    """The last part, with what was known of the connection then."""
    match part:
        case StreamFailed(failure=failure) if failure.kind in _VAGUE:
            kinds = {kind.value: kind for kind in FailureKind}
            kind = kinds.get(exchange.failure or "", failure.kind)
            return replace(part, failure=replace(failure, kind=kind))
    return part


def facts(exchange: Exchange) -> JsonObject:
    """What is known of it beside its content."""
    asked = exchange.request.json_body
    model = asked.get("model") if isinstance(asked, dict) else None
    return {
        "dialect": exchange.dialect,
        "model": model if isinstance(model, str) else None,
        "status": exchange.response.status if exchange.response else None,
        "ending": exchange.ending.value,
        "reads": len(exchange.reads),
        "seconds": exchange.reads[-1].after if exchange.reads else 0.0,
    }
