"""Which events does a body hold, and what is each of them for?

The lab changes events, not bytes, where a fault has to know what it hits. It stands on the
server's side and shares no code with what reads the streams.
"""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, replace
from enum import Enum, auto

from tools.call import JsonObject

_BLANK_LINE = re.compile(rb"\r?\n\r?\n")
_LONGEST_BLANK = 4


class EventKind(Enum):
    """What an event carries."""

    NOTE = auto()
    """Openings, closings, pings, counts."""
    TEXT = auto()
    """A fragment of the answer or of the reasoning."""
    ARGUMENTS = auto()
    """A fragment of a call's arguments."""
    END = auto()
    """Without this one the format calls the stream cut."""


FRAGMENTS = (EventKind.TEXT, EventKind.ARGUMENTS)


@dataclass(frozen=True, slots=True)
class WireEvent:
    """One event as it came, blank line included; `value` is None where its data is no object."""

    data: bytes
    kind: EventKind
    value: JsonObject | None = None

    def having(self, value: JsonObject) -> WireEvent:
        """The same event with another value."""
        head, mark, rest = self.data.partition(b"data: ")
        ending = rest[len(rest.rstrip()) :]
        return replace(self, data=head + mark + to_json(value) + ending, value=value)


def to_json(value: object) -> bytes:
    """Compact JSON in UTF-8."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


async def events_in(body: AsyncIterator[bytes], dialect: str) -> AsyncIterator[WireEvent]:
    """The events of a stream, each as soon as its blank line is there; a rest comes as it is."""
    pending = bytearray()
    async for data in body:
        searched = max(0, len(pending) - _LONGEST_BLANK)
        pending += data
        for block in _blocks(pending, searched):
            yield event_of(block, dialect)
    if pending:
        yield event_of(bytes(pending), dialect)


def _blocks(pending: bytearray, searched: int) -> Iterator[bytes]:
    """The blocks that a blank line has closed; what is open stays in `pending`."""
    while (blank := _BLANK_LINE.search(pending, searched)) is not None:
        yield bytes(pending[: blank.end()])
        del pending[: blank.end()]
        searched = 0


def event_of(block: bytes, dialect: str) -> WireEvent:
    """One block of lines as an event."""
    _, mark, data = block.partition(b"data: ")
    if mark and data.strip() == b"[DONE]":
        return WireEvent(block, EventKind.END)
    try:
        value = json.loads(data)
    except ValueError:
        return WireEvent(block, EventKind.NOTE)
    if not isinstance(value, dict):
        return WireEvent(block, EventKind.NOTE)
    return WireEvent(block, _KINDS[dialect](value), value)


def whole_answer(body: bytes) -> WireEvent:
    """An answer that is no stream, as one event without lines around it."""
    try:
        value = json.loads(body)
    except ValueError:
        value = None
    return WireEvent(b"data: " + body, EventKind.END, value if isinstance(value, dict) else None)


def _responses_kind(value: JsonObject) -> EventKind:
    kind = str(value.get("type"))
    if kind == "response.function_call_arguments.delta":
        return EventKind.ARGUMENTS
    if kind.endswith("text.delta"):
        return EventKind.TEXT
    ends = ("response.completed", "response.incomplete", "response.failed")
    return EventKind.END if kind in ends else EventKind.NOTE


def _chat_kind(value: JsonObject) -> EventKind:
    choice = next(iter(value.get("choices") or ()), None)
    if choice is None or choice.get("finish_reason"):
        return EventKind.END  # the last chunk with a choice, and the counts after it
    delta = choice.get("delta") or {}
    calls = delta.get("tool_calls") or ()
    if any((call.get("function") or {}).get("arguments") for call in calls):
        return EventKind.ARGUMENTS
    texts = ("content", "reasoning_content", "reasoning")
    return EventKind.TEXT if any(delta.get(name) for name in texts) else EventKind.NOTE


def _anthropic_kind(value: JsonObject) -> EventKind:
    if value.get("type") == "message_stop":
        return EventKind.END
    delta = value.get("delta") or {}
    if delta.get("partial_json"):
        return EventKind.ARGUMENTS
    return EventKind.TEXT if delta.get("text") or delta.get("thinking") else EventKind.NOTE


def _gemini_kind(value: JsonObject) -> EventKind:
    candidate: JsonObject = next(iter(value.get("candidates") or ()), {})
    if candidate.get("finishReason"):
        return EventKind.END
    parts = (candidate.get("content") or {}).get("parts") or ()
    if any("functionCall" in part for part in parts):
        return EventKind.ARGUMENTS
    return EventKind.TEXT if any(part.get("text") for part in parts) else EventKind.NOTE


_KINDS = {
    "openai-responses": _responses_kind,
    "openai-chat": _chat_kind,
    "anthropic": _anthropic_kind,
    "gemini": _gemini_kind,
}
