"""Stands before a server and remembers what it is asked and what it answers.

It changes nothing of either. Whoever asks for `PATH` gets the verdict so far.
"""

from __future__ import annotations

import json
import time
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from dataclasses import replace
from datetime import UTC, datetime
from urllib.parse import urlsplit

from providers.exchange import Handler, WireRequest, WireResponse
from providers.simulator.verdict.answered import NETWORK_FAILED, Answered, Listening
from providers.simulator.verdict.asked import Asked
from providers.simulator.verdict.exchanges import Observed
from providers.simulator.verdict.verdict import Verdict, judge

PATH = "/verdict"

REMEMBERED = 2000
"""The exchanges that are judged, the newest ones: a server may run for days."""


def _now() -> datetime:
    return datetime.now(UTC)


class Watch:
    """Give `handle` to a socket in place of the server's own. `clock` tells seconds, `now` the
    date, which some servers use to say how long to wait."""

    def __init__(
        self,
        server: Handler,
        *,
        clock: Callable[[], float] = time.monotonic,
        now: Callable[[], datetime] = _now,
    ) -> None:
        self._server = server
        self._clock = clock
        self._now = now
        self._exchanges: deque[Observed] = deque(maxlen=REMEMBERED)
        self._count = 0

    @property
    def verdict(self) -> Verdict:
        """The verdict on all that was heard."""
        return judge(tuple(self._exchanges), self._count)

    async def handle(self, request: WireRequest) -> WireResponse:
        """The server's answer; raises what it raises."""
        if request.method == "GET" and urlsplit(request.url).path == PATH:
            return _json(self.verdict)
        asked = Asked.read(request)
        if asked is None:
            return await self._server(request)
        exchange = self._begin(asked)
        try:
            response = await self._server(request)
        except OSError:
            self._end(exchange, NETWORK_FAILED)
            raise
        return replace(response, body=self._heard(response, exchange))

    def _begin(self, asked: Asked) -> Observed:
        self._count += 1
        exchange = Observed(self._count, asked, self._clock())
        self._exchanges.append(exchange)
        return exchange

    def _end(self, exchange: Observed, answered: Answered) -> None:
        exchange.answered, exchange.ended = answered, self._clock()

    async def _heard(self, response: WireResponse, exchange: Observed) -> AsyncIterator[bytes]:
        """The body. It has been heard as far as the client took it."""
        listening = Listening(
            exchange.asked.dialect, response.status, response.headers, self._now()
        )
        try:
            async for data in response.body:
                listening.hear(data)
                yield data
        finally:
            self._end(exchange, listening.answer())
            if isinstance(response.body, AsyncGenerator):
                await response.body.aclose()


def _json(verdict: Verdict) -> WireResponse:
    async def body() -> AsyncIterator[bytes]:
        yield json.dumps(verdict.as_json()).encode()

    return WireResponse(200, {"content-type": "application/json"}, body())
