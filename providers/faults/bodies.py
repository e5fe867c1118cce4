"""How is a body made, and how is the one of a server's answer taken in hand?"""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping
from contextlib import aclosing
from dataclasses import replace
from typing import TypeAlias

from providers.exchange import WireResponse
from providers.faults.events import WireEvent, events_in, whole_answer
from providers.faults.fault import Exchange, Strike

Change: TypeAlias = Callable[[AsyncIterator[WireEvent], Exchange], AsyncGenerator[bytes, None]]
"""What becomes of the events of an answer. Each piece it gives is one read of the network."""

Rewrite: TypeAlias = Callable[[AsyncIterator[bytes], Exchange], AsyncGenerator[bytes, None]]
"""What becomes of the reads of an answer."""

_LENGTHS = frozenset({"content-length"})


async def at_once(data: bytes) -> AsyncGenerator[bytes, None]:
    """A body that comes in one read; none at all for no bytes."""
    if data:
        yield data


async def closing(body: AsyncIterator[bytes]) -> AsyncGenerator[bytes, None]:
    """The reads of a body; closing this closes the body's own generator."""
    try:
        async for data in body:
            yield data
    finally:
        if isinstance(body, AsyncGenerator):
            await body.aclose()


async def as_they_are(
    reads: AsyncIterator[bytes], exchange: Exchange
) -> AsyncGenerator[bytes, None]:
    """The same reads: only the headers lie."""
    async for data in reads:
        yield data


async def all_of(body: AsyncIterator[bytes]) -> bytes:
    """The whole body."""
    return b"".join([data async for data in closing(body)])


def is_stream(response: WireResponse) -> bool:
    """Whether the answer comes as server-sent events."""
    return response.headers.get("content-type", "").startswith("text/event-stream")


def rewriting(rewrite: Rewrite, **headers: str) -> Strike:
    """The server answers, and its reads are changed on the way; `headers` replace its own. Its
    refusals pass as they are."""

    async def strike(exchange: Exchange) -> WireResponse:
        response = await exchange.healthy(exchange.request)
        if response.status != 200:
            return response
        return _with(response, rewrite(closing(response.body), exchange), headers)

    return strike


def changing(
    change: Change, *, whole: Strike | None = None, streams_only: bool = False, **headers: str
) -> Strike:
    """The server answers, and the events of its answer are changed on the way.

    An answer that does not stream is one event; or `whole` is given in its place, or with
    `streams_only` nothing happens to it.
    """

    async def strike(exchange: Exchange) -> WireResponse:
        response = await exchange.healthy(exchange.request)
        stream = is_stream(response)
        if response.status != 200 or (streams_only and not stream):
            return response
        if whole is not None and not stream:
            await all_of(response.body)
            return await whole(exchange)
        changed = _changed if stream else _changed_whole
        return _with(response, changed(response.body, exchange, change), headers)

    return strike


def _with(
    response: WireResponse, body: AsyncIterator[bytes], headers: Mapping[str, str]
) -> WireResponse:
    """The response with another body; its length is not known any more."""
    kept = {name: response.headers[name] for name in response.headers.keys() - _LENGTHS}
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return replace(response, headers=kept | named, body=body)


async def _changed(
    body: AsyncIterator[bytes], exchange: Exchange, change: Change
) -> AsyncGenerator[bytes, None]:
    async with aclosing(closing(body)) as reads:
        events = events_in(reads, exchange.dialect)
        async with aclosing(change(events, exchange)) as changed:
            async for data in changed:
                yield data


async def _changed_whole(
    body: AsyncIterator[bytes], exchange: Exchange, change: Change
) -> AsyncGenerator[bytes, None]:
    """The one event of an answer in one piece goes out without the line's name."""

    async def only() -> AsyncIterator[WireEvent]:
        yield whole_answer(await all_of(body))

    started = False
    async with aclosing(change(only(), exchange)) as changed:
        async for data in changed:
            yield data if started else data.removeprefix(b"data: ")
            started = True
