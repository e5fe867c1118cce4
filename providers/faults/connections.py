"""How do faults strike a provider on the network? A transport that goes through the lab."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import replace

from providers.exchange import Handler, WireRequest, WireResponse
from providers.faults.lab import Lab
from providers.forwarding import OF_THIS_HOP
from providers.transport import Transport

_FRAMING = frozenset({"content-encoding", "content-length", "transfer-encoding"})
"""What the inner connection has undone already."""


class FaultyTransport(Transport):
    """The connections of `inner`, with a lab on the way."""

    def __init__(self, inner: Transport, lab: Lab) -> None:
        super().__init__(handler=lab.around(forwarding(inner)), timeouts=inner.timeouts)
        self._inner = inner

    async def warm(self) -> None:
        await self._inner.warm()
        await super().warm()

    async def aclose(self) -> None:
        await super().aclose()
        await self._inner.aclose()


def forwarding(transport: Transport) -> Handler:
    """A server in the process that asks the one on the network."""

    async def handle(request: WireRequest) -> WireResponse:
        async with AsyncExitStack() as stack:
            response = await stack.enter_async_context(transport.open(_sent(request)))
            body = _held(response.body, stack.pop_all())
            await anext(body)  # begun, so that closing it closes the connection
        kept = {name: response.headers[name] for name in response.headers.keys() - _FRAMING}
        return WireResponse(response.status, kept, body)

    return handle


def _sent(request: WireRequest) -> WireRequest:
    """The request for a connection of its own: a fault may have given it another body."""
    headers = {
        name: value for name, value in request.headers.items() if name.lower() not in OF_THIS_HOP
    }
    return replace(request, headers=headers)


async def _held(
    body: AsyncIterator[bytes], connection: AsyncExitStack
) -> AsyncGenerator[bytes, None]:
    """Nothing, and then the reads; the connection lasts as long."""
    async with connection:
        yield b""
        async for data in body:
            yield data
