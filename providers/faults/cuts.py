"""How does a body break off, fall silent or come in pieces?

Each function is what becomes of an answer's events or reads. Where it strikes is for the seed.
"""

from __future__ import annotations

import asyncio
import errno
import zlib
from collections.abc import AsyncGenerator, AsyncIterator

from providers.faults.bodies import Change
from providers.faults.events import FRAGMENTS, EventKind, WireEvent, to_json
from providers.faults.fault import Exchange
from providers.faults.refusals import Refusal

SILENCE_SECONDS = 15.0
"""How long a slow server says nothing: longer than a screen waits before it tells so."""

_GZIP = 16 + zlib.MAX_WBITS
_FARTHEST_BYTE = 200

Bytes = AsyncGenerator[bytes, None]
Events = AsyncIterator[WireEvent]


async def marked(events: Events, exchange: Exchange) -> AsyncIterator[tuple[WireEvent, bool]]:
    """Each event, and whether the fault strikes right before it: once, after some fragments, and
    before the end whatever came."""
    left = exchange.chance.randint(3, 5)
    struck = False
    async for event in events:
        here = not struck and (left <= 0 or event.kind is EventKind.END)
        struck = struck or here
        left -= event.kind in FRAGMENTS
        yield event, here


async def cut_in_arguments(events: Events, exchange: Exchange) -> Bytes:
    """The body ends inside a fragment of arguments; inside the end if there are none."""
    left = exchange.chance.randint(2, 5)
    held: WireEvent | None = None
    async for event in events:
        fragment = event.kind is EventKind.ARGUMENTS
        if not fragment and (held is not None or event.kind is EventKind.END):
            held = held or event
            break
        if not fragment:
            yield event.data
            continue
        if held is not None:
            yield held.data
        held, left = event, left - 1
        if not left:
            break
    if held is not None:
        yield held.data[: len(held.data) * 3 // 5]


async def cut_before_end(events: Events, exchange: Exchange) -> Bytes:
    """All but the end; of an answer that is nothing else, the half."""
    nothing = True
    async for event in events:
        if event.kind is EventKind.END:
            if nothing:
                yield event.data[: len(event.data) // 2]
            return
        nothing = False
        yield event.data


async def cut_in_character(events: Events, exchange: Exchange) -> Bytes:
    """The body ends after the first byte of a character of several."""
    async for event in events:
        place = next((n for n, byte in enumerate(event.data) if byte >= 0xC0), None)
        if place is not None:
            yield event.data[: place + 1]
            return
        if event.kind is EventKind.END:
            yield event.data[: len(event.data) // 2]
            return
        yield event.data


async def cut_at_byte(reads: AsyncIterator[bytes], exchange: Exchange) -> Bytes:
    """The body ends anywhere in its first bytes."""
    left = exchange.chance.randint(1, _FARTHEST_BYTE)
    async for data in reads:
        yield data[:left]
        left -= len(data)
        if left <= 0:
            return


async def reset_after_end(reads: AsyncIterator[bytes], exchange: Exchange) -> Bytes:
    """Everything comes, and then the connection breaks instead of being closed."""
    async for data in reads:
        yield data
    raise reset()


async def reset_midway(events: Events, exchange: Exchange) -> Bytes:
    """The connection breaks between two events."""
    async for event, here in marked(events, exchange):
        if here:
            raise reset()
        yield event.data


def reset() -> OSError:
    """What a client gets when the other side throws the connection away."""
    return ConnectionResetError(errno.ECONNRESET, "Connection reset by peer")


def breaking_off(refusal: Refusal, *, hanging: bool = False) -> Change:
    """An event in the middle says that it went wrong. `hanging`: the connection stays open."""

    async def change(events: Events, exchange: Exchange) -> Bytes:
        async for event, here in marked(events, exchange):
            if here:
                break
            yield event.data
        yield error_event(refusal, exchange.dialect)
        if hanging:
            await asyncio.Event().wait()

    return change


def error_event(refusal: Refusal, dialect: str) -> bytes:
    """How a stream says that it failed."""
    body = refusal.body(dialect)
    match dialect:
        case "openai-responses" | "anthropic":
            return b"event: error\ndata: " + to_json({"type": "error", **body}) + b"\n\n"
        case "gemini":
            return b"data: " + to_json(body) + b"\r\n\r\n"
        case _:
            return b"data: " + to_json(body) + b"\n\n"


async def hang(events: Events, exchange: Exchange) -> Bytes:
    """From the middle on nothing comes any more, and the connection stays open."""
    async for event, here in marked(events, exchange):
        if here:
            await asyncio.Event().wait()
        yield event.data


async def stall(events: Events, exchange: Exchange) -> Bytes:
    """A long silence in the middle, and then the rest."""
    async for event, here in marked(events, exchange):
        if here:
            await exchange.wait(SILENCE_SECONDS)
        yield event.data


async def late(reads: AsyncIterator[bytes], exchange: Exchange) -> Bytes:
    """A long silence before the first byte of the body."""
    await exchange.wait(SILENCE_SECONDS)
    async for data in reads:
        yield data


async def drip(reads: AsyncIterator[bytes], exchange: Exchange) -> Bytes:
    """One byte a read."""
    async for data in reads:
        for byte in data:
            yield bytes([byte])


async def cut_compressed(events: Events, exchange: Exchange) -> Bytes:
    """The answer compressed, without its last bytes."""
    packing = zlib.compressobj(wbits=_GZIP)
    async for event in events:
        if event.kind is EventKind.END:
            kept = event.data[: len(event.data) // 2]
            yield packing.compress(kept) + packing.flush(zlib.Z_SYNC_FLUSH)
            return
        yield packing.compress(event.data) + packing.flush(zlib.Z_SYNC_FLUSH)
