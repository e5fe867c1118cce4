"""Writes down what goes over the wire while it goes, without getting in its way.

A `RecordingTransport` stands where a `Transport` does. An exchange is handed over when it is over,
however it ended, so that it can be masked as a whole.
"""

from __future__ import annotations

import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TextIO

from providers.cassette import (
    Ending,
    Exchange,
    Read,
    RecordedRequest,
    RecordedResponse,
    content,
    dialect_of,
    dump,
)
from providers.exchange import WireRequest, WireResponse
from providers.masking import (
    kept_headers,
    kept_url,
    masked,
    masked_reads,
    secret_values,
    secrets_of_url,
)
from providers.transport import ConnectionFailed, Transport

Keep = Callable[[Exchange], None]
Clock = Callable[[], float]


class RecordingTransport(Transport):
    """Connections of `inner`, each exchange of which goes to `keep`."""

    def __init__(self, inner: Transport, keep: Keep, clock: Clock = time.monotonic) -> None:
        super().__init__(timeouts=inner.timeouts)
        self._inner = inner
        self._keep = keep
        self._clock = clock

    async def warm(self) -> None:
        await self._inner.warm()

    async def aclose(self) -> None:
        await self._inner.aclose()

    @asynccontextmanager
    async def open(self, request: WireRequest) -> AsyncIterator[WireResponse]:
        tape = Tape(request, self._clock)
        try:
            async with self._inner.open(request) as response:
                tape.head(response)
                async with aclosing(tape.listening(response.body)) as body:
                    yield replace(response, body=body)
        except ConnectionFailed as failed:
            tape.failed(failed.failure.kind.value)
            raise
        finally:
            self._keep(tape.exchange())


@dataclass(slots=True, eq=False)
class Tape:
    """What is known of one exchange so far."""

    request: WireRequest
    clock: Clock = time.monotonic
    _at: datetime = field(default_factory=lambda: datetime.now(UTC))
    _start: float = field(init=False)
    _response: WireResponse | None = None
    _answered: float = 0.0
    _reads: list[tuple[float, bytes]] = field(default_factory=list)
    _ending: Ending = Ending.CLOSED
    _failure: str | None = None

    def __post_init__(self) -> None:
        self._start = self.clock()

    def head(self, response: WireResponse) -> None:
        """The headers of the answer have come."""
        self._response, self._answered = response, self._elapsed()

    async def listening(self, body: AsyncIterator[bytes]) -> AsyncGenerator[bytes, None]:
        """The same reads; each is written down before it is passed on."""
        async for data in body:
            self._reads.append((self._elapsed(), data))
            yield data
        self._ending = Ending.WHOLE

    def failed(self, kind: str) -> None:
        """The network did not bear it."""
        self._ending, self._failure = Ending.FAILED, kind

    def exchange(self) -> Exchange:
        """All of it, without what must not be kept."""
        answered = self._response.headers if self._response else {}
        secrets = secret_values(self.request.headers) | secret_values(answered)
        secrets |= secrets_of_url(self.request.url)
        reads = masked_reads((data for _, data in self._reads), secrets)
        return Exchange(
            dialect=dialect_of(self.request.url),
            at=self._at,
            request=RecordedRequest(
                method=self.request.method,
                url=masked(kept_url(self.request.url).encode(), secrets).decode(),
                headers=kept_headers(self.request.headers),
            ).asking(masked(self.request.body, secrets)),
            response=self._recorded_head(),
            reads=tuple(
                Read(after=after, **content(data))
                for (after, _), data in zip(self._reads, reads, strict=True)
            ),
            ending=self._ending,
            failure=self._failure,
        )

    def _recorded_head(self) -> RecordedResponse | None:
        if self._response is None:
            return None
        return RecordedResponse(
            status=self._response.status,
            headers=kept_headers(self._response.headers),
            after=self._answered,
        )

    def _elapsed(self) -> float:
        return round(self.clock() - self._start, 6)


class CassetteFile:
    """A file that grows by one line an exchange; readable by its owner alone.

    What it writes is small and goes to the system's cache: no event loop waits for a disk.
    """

    def __init__(self, path: Path) -> None:
        """Opens the file; raises OSError where that cannot be."""
        path.touch(mode=0o600)
        self._file: TextIO = path.open("a", encoding="utf-8", newline="\n")

    def keep(self, exchange: Exchange) -> None:
        self._file.write(dump(exchange) + "\n")
        self._file.flush()

    def close(self) -> None:
        self._file.close()
