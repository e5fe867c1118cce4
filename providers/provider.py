"""One provider as the agent uses it: ask, and get what it says as parts.

A provider = where (address), how (dialect), who (key), which (model). It joins the pure rooms
(encode, decode, classify) with the transport, and turns everything that can go wrong into the
stream's last part. Whether to ask again is for the caller.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from providers.dialects import Decoder, Dialect, Encoded, NewId
from providers.exchange import WireRequest, WireResponse
from providers.failures import Failure, FailureKind, failure_of_response, protocol
from providers.history import Origin
from providers.json_text import written
from providers.parts import Part, StreamFailed
from providers.refused_fields import OF_THIS_RUN, RefusedFields, refused_field, without
from providers.request import Request
from providers.secret import Secret
from providers.transport import ConnectionFailed, Transport
from providers.unsigned_turns import told_as_text
from tools.call import JsonObject

LINGER = 2.0
"""Seconds that we read on after the format's end, so that the connection can be used again."""

ANSWER_LIMIT = 256 * 1024 * 1024
"""Bytes of one answer, several times the longest that any model writes; a server that says more
never ends."""

ERROR_LIMIT = 64 * 1024
"""Bytes of a refusal's body that are read: enough for any error, not for a flood."""

ERROR_SECONDS = 10.0
"""How long a refusal's body may take; what has come by then must do."""

_PAGES = frozenset({"text/html", "application/xhtml+xml"})


@dataclass(frozen=True, slots=True)
class Received:
    """One read of the body and the parts that it completed; `data` joins to the whole body."""

    data: bytes
    parts: tuple[Part, ...]


def fresh_id() -> str:
    """A call id for a call that came without one: no two alike in any conversation."""
    return f"call_{secrets.token_hex(8)}"


@dataclass(frozen=True, slots=True)
class Provider:
    """A service at an address, ready to be asked. Printing it shows no key."""

    id: str
    title: str
    dialect: Dialect
    base_url: str
    model: str
    transport: Transport = field(repr=False)
    key: Secret | None = None
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    new_id: NewId = field(default=fresh_id, repr=False)
    refused: RefusedFields = field(default_factory=lambda: OF_THIS_RUN, repr=False)

    @property
    def origin(self) -> Origin:
        return Origin(provider=self.id, dialect=self.dialect.id, model=self.model)

    async def stream(self, request: Request) -> AsyncGenerator[Received, None]:
        """What the provider says, read by read; the last part is Stopped or StreamFailed.

        No failure of provider or network is an exception. Closing the generator, or cancelling
        the task that reads it, closes the connection at once.
        """
        if self.key is not None and not self.key.sendable:
            yield _failed(_unsendable_key())
            return
        try:
            async with aclosing(self._ask(request)) as reads:
                async for received in reads:
                    yield received
        except ConnectionFailed as failed:
            yield _failed(failed.failure)

    async def _ask(self, request: Request) -> AsyncGenerator[Received, None]:
        """Asks; once more for each field that the server refuses by name, and once with turns
        as text whose signature it refuses."""
        encoded, signed = self.dialect.encode(request), True
        dropped = self.refused.known(self.base_url)
        while True:
            body = without(encoded.body, dropped)
            async with self.transport.open(self._wire(encoded, body)) as response:
                if 200 <= response.status < 300:
                    self.refused.remember(self.base_url, dropped)
                    async with aclosing(self._answer(response)) as reads:
                        async for received in reads:
                            yield received
                    return
                refusal = await _read_start(response.body)
            failure = self._refusal(response, refusal)
            name = refused_field(failure, body)
            unsigned = told_as_text(request, failure, self.origin) if signed else None
            if name is not None:
                dropped |= {name}
            elif unsigned is not None:
                encoded, signed = self.dialect.encode(unsigned), False
            else:
                yield _failed(failure, refusal)
                return

    def _wire(self, encoded: Encoded, body: JsonObject) -> WireRequest:
        headers = {"content-type": "application/json", "accept": "text/event-stream"}
        headers |= {name.lower(): value for name, value in encoded.headers.items()}
        headers |= {name.lower(): value for name, value in self.headers.items()}
        if self.key:
            name, value = self.dialect.authorize(self.key.reveal())
            headers[name.lower()] = value
        return WireRequest("POST", join(self.base_url, encoded.path), headers, json_bytes(body))

    def _refusal(self, response: WireResponse, body: bytes) -> Failure:
        """What an answer that is no stream says."""
        return failure_of_response(
            self.dialect.id, response.status, response.headers, body, datetime.now(UTC)
        )

    async def _answer(self, response: WireResponse) -> AsyncGenerator[Received, None]:
        """Decodes an answer with a 2xx status. Event streams and whole JSON answers are both
        the decoder's to read; only a page for people is refused by its type."""
        if _media_type(response.headers) in _PAGES:
            page = await _read_start(response.body)
            yield _failed(self._refusal(response, page), page)
            return
        decoder = self.dialect.decoder(provider=self.id, new_id=self.new_id)
        deadline: float | None = None
        broken: Failure | None = None
        size = 0
        try:
            while (data := await _next_read(response.body, deadline)) is not None:
                yield Received(data, tuple(decoder.feed(data)))
                size += len(data)
                if size > ANSWER_LIMIT:
                    broken = protocol(f"the answer goes on after {ANSWER_LIMIT} bytes")
                    break
                if decoder.finished and not decoder.complete:
                    break  # it failed: whoever waits for the next attempt has waited enough
                if deadline is None and decoder.finished:
                    deadline = asyncio.get_running_loop().time() + LINGER
        except ConnectionFailed as failed:
            broken = failed.failure
        yield Received(b"", self._ending(decoder, broken, response))

    def _ending(
        self, decoder: Decoder, broken: Failure | None, response: WireResponse
    ) -> tuple[Part, ...]:
        """The last parts. A stream whose format ended is whole, whatever the connection did then;
        of one that did not, the connection's own failure says more than "cut"."""
        *parts, last = decoder.end()
        if not isinstance(last, StreamFailed):
            return (*parts, last)
        failure = last.failure
        if broken is not None and failure.kind in (FailureKind.CUT, FailureKind.PROTOCOL):
            failure = broken
        told = replace(
            failure,
            status=response.status if failure.status is None else failure.status,
            request_id=failure.request_id or self._refusal(response, b"").request_id,
        )
        return (*parts, replace(last, failure=told))


async def _next_read(body: AsyncIterator[bytes], deadline: float | None) -> bytes | None:
    """The next read; None at the end of the body or past the deadline."""
    try:
        async with asyncio.timeout_at(deadline):
            return await anext(body, None)
    except TimeoutError:
        return None


async def _read_start(body: AsyncIterator[bytes]) -> bytes:
    """The first bytes of a body that is no answer, or what could be had of them."""
    deadline = asyncio.get_running_loop().time() + ERROR_SECONDS
    start = bytearray()
    try:
        while (data := await _next_read(body, deadline)) is not None:
            start += data
            if len(start) >= ERROR_LIMIT:
                break
    except ConnectionFailed:
        # The status has already said that there is no answer: a cut body cannot make it worse.
        return bytes(start)
    return bytes(start[:ERROR_LIMIT])


def _failed(failure: Failure, data: bytes = b"") -> Received:
    return Received(data, (StreamFailed(failure),))


def _unsendable_key() -> Failure:
    message = "the key holds characters that no header can carry; nothing was sent"
    return Failure(FailureKind.AUTH, transient=False, message=message)


def _media_type(headers: Mapping[str, str]) -> str:
    return headers.get("content-type", "").split(";")[0].strip().lower()


def join(base_url: str, path: str) -> str:
    """The address of `path` at a provider. A version that ends the one and begins the other
    (`…/v1` and `/v1/messages`: both ways of writing an address are about) stands once."""
    base = base_url.rstrip("/")
    first = path.split("/", 2)[1] if path.startswith("/") else ""
    if first and base.endswith(f"/{first}"):
        base = base.removesuffix(f"/{first}")
    return f"{base}/{path.lstrip('/')}"


def json_bytes(body: JsonObject) -> bytes:
    """Compact JSON. Half a surrogate pair, which text cut in the middle can hold, has no UTF-8:
    what `backslashreplace` writes for it is just JSON's own escape."""
    return written(body, compact=True).encode("utf-8", "backslashreplace")
