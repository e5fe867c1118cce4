"""A server that answers by asking another one: what a recording proxy is made of.

The client's own headers go on, its key among them; none of ours is lent to it.
"""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import replace
from types import TracebackType
from urllib.parse import urlsplit

from providers.exchange import WireRequest, WireResponse
from providers.provider import join
from providers.transport import ConnectionFailed, Transport

OF_THIS_HOP = frozenset(
    {"accept-encoding", "connection", "content-length", "host", "transfer-encoding"}
)
"""Headers that each connection says for itself."""

_UNPACKED_HERE = frozenset({"content-encoding", "content-length"})
"""Headers that do not hold any more for a body whose reads the transport has unpacked."""


class Forwarding:
    """Give `handle` to a socket. Requests go to the same path below `base_url`."""

    def __init__(self, transport: Transport, base_url: str) -> None:
        self._transport = transport
        self._base_url = base_url

    async def handle(self, request: WireRequest) -> WireResponse:
        """The other server's answer; 502 when it cannot be reached."""
        opened = AsyncExitStack()
        try:
            response = await opened.enter_async_context(self._transport.open(self._sent(request)))
        except ConnectionFailed as failed:
            return _bad_gateway(failed)
        headers = {
            name: value for name, value in response.headers.items() if name not in _UNPACKED_HERE
        }
        return replace(response, headers=headers, body=_Forwarded(response.body, opened))

    def _sent(self, request: WireRequest) -> WireRequest:
        parts = urlsplit(request.url)
        path = f"{parts.path}?{parts.query}" if parts.query else parts.path
        headers = {
            name: value
            for name, value in request.headers.items()
            if name.lower() not in OF_THIS_HOP
        }
        return replace(request, url=join(self._base_url, path), headers=headers)


class _Forwarded(AsyncGenerator[bytes, None]):
    """The other server's reads. Not written as a generator, since one that has not begun to run
    would not close the connection."""

    def __init__(self, reads: AsyncIterator[bytes], opened: AsyncExitStack) -> None:
        self._reads = reads
        self._opened = opened

    async def asend(self, value: None) -> bytes:
        try:
            return await anext(self._reads)
        except ConnectionFailed as failed:
            await self.aclose()
            raise ConnectionResetError(str(failed)) from None
        except StopAsyncIteration:
            await self.aclose()
            raise

    # The signature is that of the standard library's class.
    async def athrow(
        self,
        typ: type[BaseException] | BaseException,
        val: BaseException | object = None,
        tb: TracebackType | None = None,
        /,
    ) -> bytes:
        await self.aclose()
        raise typ

    async def aclose(self) -> None:
        await self._opened.aclose()


def _bad_gateway(failed: ConnectionFailed) -> WireResponse:
    message = f"The provider could not be reached: {failed}"
    data = json.dumps({"error": {"type": "bad_gateway", "message": message}}).encode()

    async def body() -> AsyncIterator[bytes]:
        yield data

    return WireResponse(502, {"content-type": "application/json"}, body())
