"""How do events come twice, not at all, in the wrong order, or with rubbish between them?"""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator

from providers.faults.bodies import Change
from providers.faults.cuts import marked
from providers.faults.events import FRAGMENTS, EventKind, WireEvent, to_json
from providers.faults.fault import Exchange
from tools.call import JsonObject

Bytes = AsyncGenerator[bytes, None]
Events = AsyncIterator[WireEvent]

UNKNOWN = b'event: vitral.unknown\ndata: {"type":"vitral.unknown","note":"of a later version"}\n\n'
NO_FIELD = b"this line is of no format\n\n"
NO_JSON = b"data: {this is no JSON}\n\n"
NO_UTF8 = b": \xff\xfe\xc3\n\n"

_MEGABYTE = 1024 * 1024
_TOO_MANY_MEGABYTES = 65
_TEXT_NAMES = ("delta", "content", "text", "thinking", "reasoning_content")
_MARK = "\ue000"
_NO_CHARACTER = b"\xff\xfe"


def inserting(extra: bytes) -> Change:
    """Something of no meaning before the first event, and once more in the middle."""

    async def change(events: Events, exchange: Exchange) -> Bytes:
        yield extra
        async for event, here in marked(events, exchange):
            if here:
                yield extra
            yield event.data

    return change


async def rubbish(events: Events, exchange: Exchange) -> Bytes:
    """In the middle, an event whose data is no JSON."""
    async for event, here in marked(events, exchange):
        if here:
            yield NO_JSON
        yield event.data


async def no_utf8(events: Events, exchange: Exchange) -> Bytes:
    """Bytes that are no characters: in a comment, and in the first fragment of text."""
    yield NO_UTF8
    done = False
    async for event in events:
        if not done and event.kind is EventKind.TEXT and event.value is not None:
            done = _mark(event.value)
            marked_event = event.having(event.value)
            yield marked_event.data.replace(_MARK.encode(), _NO_CHARACTER)
        else:
            yield event.data


def _mark(value: JsonObject) -> bool:
    """Put a mark behind the first text in it; whether there is one."""
    for name, inner in value.items():
        if name in _TEXT_NAMES and isinstance(inner, str) and inner:
            value[name] = inner + _MARK
            return True
        within = inner if isinstance(inner, list) else [inner]
        if any(_mark(one) for one in within if isinstance(one, dict)):
            return True
    return False


async def large(events: Events, exchange: Exchange) -> Bytes:
    """One event of a megabyte, of no known type."""
    value = {"type": "vitral.unknown", "padding": "x" * _MEGABYTE}
    yield b"event: vitral.unknown\ndata: " + to_json(value) + b"\n\n"
    async for event in events:
        yield event.data


async def too_large(events: Events, exchange: Exchange) -> Bytes:
    """In the middle, one event that is longer than anybody would keep."""
    padding = b"x" * _MEGABYTE
    async for event, here in marked(events, exchange):
        if here:
            yield b'data: {"padding":"'
            for _ in range(_TOO_MANY_MEGABYTES):
                yield padding
            yield b'"}\n\n'
        yield event.data


async def duplicated(events: Events, exchange: Exchange) -> Bytes:
    """The first fragment comes twice."""
    done = False
    async for event in events:
        yield event.data
        if not done and event.kind in FRAGMENTS:
            done = True
            yield event.data


async def dropped(events: Events, exchange: Exchange) -> Bytes:
    """The first fragment does not come."""
    done = False
    async for event in events:
        if not done and event.kind in FRAGMENTS:
            done = True
        else:
            yield event.data


async def swapped(events: Events, exchange: Exchange) -> Bytes:
    """The first two fragments that stand side by side change places."""
    held: WireEvent | None = None
    done = False
    async for event in events:
        if done:
            yield event.data
        elif held is not None and event.kind is held.kind:
            yield event.data + held.data
            held, done = None, True
        else:
            if held is not None:
                yield held.data
            held = event if event.kind in FRAGMENTS else None
            if held is None:
                yield event.data
    if held is not None:
        yield held.data


async def started_again(events: Events, exchange: Exchange) -> Bytes:
    """In the middle the message begins anew, as when a gateway asks another server."""
    seen: list[bytes] = []
    spliced = False
    async for event, here in marked(events, exchange):
        if here:
            spliced = True
            for data in seen:
                yield data
        if not spliced:
            seen.append(event.data)
        yield event.data
