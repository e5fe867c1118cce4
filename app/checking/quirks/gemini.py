"""What do Gemini's servers and its gateways do that a client must know?

The numbers are those of the list of traps that the decoder of this dialect is tested by.
"""

from __future__ import annotations

from app.checking.quirks.gemini_stream import GeminiStream
from app.checking.quirks.quirk import Quirk, Sign


def _no_ids(stream: GeminiStream) -> bool:
    return bool(stream.calls) and not any(call.get("id") for call in stream.calls)


def _no_args(stream: GeminiStream) -> bool:
    return any("args" not in call for call in stream.calls if call not in stream.pieces)


def _text_args(stream: GeminiStream) -> bool:
    return any(isinstance(call.get("args"), str) for call in stream.calls)


def _partial_args(stream: GeminiStream) -> bool:
    return bool(stream.pieces)


def _error_inside(stream: GeminiStream) -> bool:
    return any(event.get("error") for event in stream.events)


def _named(number: int, name: str) -> Quirk:
    return Quirk("gemini", number, name)


SIGNS: tuple[Sign[GeminiStream], ...] = (
    Sign(_named(1, "no-ids"), _no_ids),
    Sign(_named(2, "no-args"), _no_args),
    Sign(_named(2, "text-args"), _text_args),
    Sign(_named(4, "partial-args"), _partial_args),
    Sign(_named(7, "error-inside"), _error_inside),
)
