"""How bytes go to a provider and come back: the only file that knows the HTTP library.

A `Transport` opens a `WireRequest` and gives a `WireResponse` that streams; whatever goes wrong
on the way is one exception, `ConnectionFailed`, that holds a `Failure` in our terms. What an
answer means, and whether to ask again, is for others. The library is imported and its client
built at the first use, in a thread: both take longer than a frame.

With a `Handler` the same path ends in this process, without a socket: see `InProcess` below.
"""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import AsyncGenerator, AsyncIterator, Iterator
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from providers.exchange import Handler, WireRequest, WireResponse
from providers.failures import TRANSIENT, Failure, FailureKind, When

if TYPE_CHECKING:
    import httpx

USER_AGENT = "vitral"
HERE = ("localhost", "127.0.0.1", "[::1]")
"""Servers on this machine are reached directly: a proxy would look for them on its own."""

KEPT_OPEN = 60.0
"""Seconds that an idle connection is kept for the next round: tools may run in between."""


@dataclass(frozen=True, slots=True)
class Timeouts:
    """Seconds to reach a server, and without a byte from it before we give it up."""

    connect: float = 10.0
    silence: float = 300.0


class ConnectionFailed(Exception):  # noqa: N818 - the glossary's word for it is "failure"
    """No whole exchange took place. Holds no text of the request: a header may be a key."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(f"{failure.kind.value}: {failure.message}")
        self.failure = failure


class Transport:
    """Connections to providers, kept for the run. Close it with `aclose`."""

    def __init__(self, *, handler: Handler | None = None, timeouts: Timeouts | None = None) -> None:
        self._handler = handler
        self.timeouts = timeouts or Timeouts()
        self._client: httpx.AsyncClient | None = None
        self._building = asyncio.Lock()

    async def warm(self) -> None:
        """Import and build everything that the first request needs, off the event loop."""
        await self._ready_client()

    async def aclose(self) -> None:
        """Close the connections; the transport may be used again and then opens new ones."""
        client, self._client = self._client, None
        if client is not None:
            await client.aclose()

    @asynccontextmanager
    async def open(self, request: WireRequest) -> AsyncIterator[WireResponse]:
        """The answer to a request, as soon as its headers are here; leaving closes it at once.

        Raises ConnectionFailed here, and from the body's iterator.
        """
        client = await self._ready_client()
        response = await _send(client, request)
        try:
            async with aclosing(_reads(response)) as body:
                yield WireResponse(response.status_code, dict(response.headers), body)
        finally:
            await response.aclose()

    async def _ready_client(self) -> httpx.AsyncClient:
        async with self._building:
            if self._client is None:
                try:
                    self._client = await asyncio.to_thread(self._build)
                except (OSError, ValueError, ImportError) as error:
                    # A certificate file or a proxy of the environment that cannot be used.
                    raise ConnectionFailed(_unusable(error)) from error
            return self._client

    def _build(self) -> httpx.AsyncClient:
        import httpx

        seconds = self.timeouts
        # The pool has no limit of its own to wait for: a round is one request.
        timeout = httpx.Timeout(seconds.silence, connect=seconds.connect, pool=seconds.connect)
        return httpx.AsyncClient(
            transport=None if self._handler is None else _in_process(self._handler),
            timeout=timeout,
            follow_redirects=False,
            headers={"user-agent": USER_AGENT},
            mounts={f"all://{host}": None for host in HERE},
            limits=httpx.Limits(keepalive_expiry=KEPT_OPEN),
        )


async def _send(client: httpx.AsyncClient, request: WireRequest) -> httpx.Response:
    import httpx

    try:
        prepared = client.build_request(
            request.method, request.url, headers=dict(request.headers), content=request.body
        )
        return await client.send(prepared, stream=True)
    except (httpx.RequestError, httpx.InvalidURL, UnicodeError) as error:
        # Cut off from its cause, whose text may quote a header.
        raise ConnectionFailed(failure_of_http_error(error)) from None


async def _reads(response: httpx.Response) -> AsyncGenerator[bytes, None]:
    """The body, decompressed, in the pieces in which it came."""
    import httpx

    when = When.BEFORE
    try:
        async for data in response.aiter_bytes():
            yield data
            when = When.INSIDE
    except httpx.RequestError as error:
        raise ConnectionFailed(failure_of_http_error(error, when, reading=True)) from None


def failure_of_http_error(
    error: Exception, when: When = When.BEFORE, *, reading: bool = False
) -> Failure:
    """The failure that an exception of the HTTP library tells of; `reading` once headers came."""
    import httpx

    kind, transient = FailureKind.NETWORK, True
    match error:
        case httpx.TimeoutException():
            kind = FailureKind.TIMEOUT
        case httpx.RemoteProtocolError() if reading:
            kind = FailureKind.CUT
        case httpx.DecodingError():
            kind = FailureKind.PROTOCOL
        case httpx.InvalidURL() | httpx.UnsupportedProtocol():
            transient = False
        case httpx.LocalProtocolError() | UnicodeError():
            kind = FailureKind.BAD_REQUEST
        case _:
            transient = not any(_lasting(cause) for cause in _causes(error))
    message = ", caused by ".join(_name(cause) for cause in _causes(error))
    return Failure(kind, transient and kind in TRANSIENT, when, message=message)


def _unusable(error: Exception) -> Failure:
    return Failure(FailureKind.NETWORK, transient=False, message=f"no connection: {error}")


def _lasting(cause: BaseException) -> bool:
    """Whether trying again will find the same: a bad certificate, an address that is none."""
    match cause:
        case ssl.SSLCertVerificationError():
            return True
        case socket.gaierror(errno=number):
            return number != socket.EAI_AGAIN
    return False


def _name(cause: BaseException) -> str:
    """What the cause is, without its text where that may quote the request."""
    match cause:
        case ssl.SSLCertVerificationError(verify_message=why):
            return f"{type(cause).__name__} ({why})"
        case OSError(strerror=str(why)):
            return f"{type(cause).__name__} ({why})"
    return type(cause).__name__


def _causes(error: BaseException) -> Iterator[BaseException]:
    """The exception and what led to it, groups opened."""
    yield error
    if isinstance(error, BaseExceptionGroup):
        for inner in error.exceptions:
            yield from _causes(inner)
    if (cause := error.__cause__ or error.__context__) is not None:
        yield from _causes(cause)


def _in_process(handler: Handler) -> httpx.AsyncBaseTransport:
    """An HTTP transport whose server is `handler`. A function, as its classes need the library."""
    import httpx

    class HandledBody(httpx.AsyncByteStream):
        """The handler's reads, one at a time; silence is measured as on a socket."""

        def __init__(self, body: AsyncIterator[bytes], silence: float | None) -> None:
            self._body = body
            self._silence = silence

        async def __aiter__(self) -> AsyncIterator[bytes]:
            try:
                while True:
                    async with asyncio.timeout(self._silence):
                        data = await anext(self._body, None)
                    if data is None:
                        return
                    yield data
            except TimeoutError:
                raise httpx.ReadTimeout("the handler was silent") from None
            except OSError as error:
                raise httpx.ReadError("the handler's network failed") from error

        async def aclose(self) -> None:
            if isinstance(self._body, AsyncGenerator):
                await self._body.aclose()

    class InProcess(httpx.AsyncBaseTransport):
        """Answers each request by the handler, as a server at any address would."""

        async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
            silence = request.extensions["timeout"]["read"]
            wire = WireRequest(
                request.method, str(request.url), dict(request.headers), await request.aread()
            )
            try:
                async with asyncio.timeout(silence):
                    answer = await handler(wire)
            except TimeoutError:
                raise httpx.ReadTimeout("the handler was silent") from None
            except OSError as error:
                raise httpx.ConnectError("the handler's network failed") from error
            return httpx.Response(
                answer.status,
                headers=dict(answer.headers),
                stream=HandledBody(answer.body, silence),
            )

    return InProcess()
