"""A server that says again what a cassette recorded, at its pace or another.

Requests of one dialect get the recorded answers in their order, and from the first one again when
they are used up. What is asked does not matter: a cassette is no model.
"""

from __future__ import annotations

import asyncio
import errno
from collections import Counter
from collections.abc import AsyncIterator, Sequence

from providers.cassette import Ending, Exchange, dialect_of
from providers.exchange import WireRequest, WireResponse
from providers.simulator.pacing import Sleep

_NO_ANSWER = b'{"error":{"message":"the cassette has no answer for this address"}}'


class Player:
    """Give `handle` to a transport or to a socket. `speed` 1 is as it was, 0 without waiting."""

    def __init__(
        self, exchanges: Sequence[Exchange], *, speed: float = 1.0, sleep: Sleep = asyncio.sleep
    ) -> None:
        self._exchanges = exchanges
        self._speed = speed
        self._sleep = sleep
        self._played: Counter[str] = Counter()

    async def handle(self, request: WireRequest) -> WireResponse:
        """The next answer in the dialect of this address; raises OSError where none came then."""
        dialect = dialect_of(request.url)
        tape = [one for one in self._exchanges if one.dialect == dialect and dialect]
        if not tape:
            return WireResponse(404, {"content-type": "application/json"}, _at_once(_NO_ANSWER))
        exchange = tape[self._played[dialect] % len(tape)]
        self._played[dialect] += 1
        if exchange.response is None:
            raise ConnectionResetError(errno.ECONNRESET, "as it was recorded")
        await self._wait(exchange.response.after)
        head = exchange.response
        return WireResponse(head.status, head.headers, self._reads(exchange, head.after))

    async def _reads(self, exchange: Exchange, since: float) -> AsyncIterator[bytes]:
        for read in exchange.reads:
            await self._wait(read.after - since)
            since = read.after
            yield read.data
        if exchange.ending is Ending.FAILED:
            raise ConnectionResetError(errno.ECONNRESET, "as it was recorded")

    async def _wait(self, seconds: float) -> None:
        if self._speed > 0 and seconds > 0:
            await self._sleep(seconds / self._speed)


async def _at_once(data: bytes) -> AsyncIterator[bytes]:
    yield data
