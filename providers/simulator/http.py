"""How does a server in the process become one on a socket, for any client on this machine?

`serving` gives a `Handler` an address on 127.0.0.1. Each read of the handler's body goes out as
it comes; a client that leaves closes the handler at once; a handler whose network is dead
(`OSError`) drops the connection. Imported by what serves alone: no start-up pays for it.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncGenerator, AsyncIterator, Set
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import uvicorn
from starlette.requests import Request
from starlette.types import Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from providers.exchange import Handler, WireRequest, WireResponse

HOST = "127.0.0.1"

_FRAMING = frozenset({"connection", "content-length", "transfer-encoding"})
"""What this server says itself. How the body is packed is the handler's to say."""


def listen(port: int = 0) -> socket.socket:
    """A socket of this machine alone; port 0 takes any that is free. Raises OSError if taken."""
    return socket.create_server((HOST, port))


def address(listening: socket.socket) -> str:
    """Where clients find it."""
    return f"http://{HOST}:{listening.getsockname()[1]}"


@asynccontextmanager
async def serving(handler: Handler, listening: socket.socket) -> AsyncIterator[asyncio.Task[None]]:
    """Serve inside the block; leaving it closes the socket and every connection.

    In the main thread an interrupt ends the server first, and with it the task that the block
    gets, and then reaches the program, unless that was started deaf to it.
    """
    server = _server(handler)
    running = asyncio.create_task(server.serve(sockets=[listening]))
    try:
        yield running
    finally:
        server.should_exit = True
        await running


def _server(handler: Handler) -> uvicorn.Server:
    bridge = _Bridge(handler)
    config = uvicorn.Config(
        bridge,
        http="h11",
        ws="none",
        lifespan="off",
        log_config=None,
        log_level="critical",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=0,
    )
    server = uvicorn.Server(config)
    bridge.connections = server.server_state.connections
    return server


@dataclass(slots=True, eq=False)
class _Bridge:
    """The ASGI application: a request in, the handler's reads out."""

    handler: Handler
    connections: Set[object] = field(default_factory=set)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        wire = WireRequest(
            request.method, str(request.url), dict(request.headers), await request.body()
        )
        answering = asyncio.create_task(self._answer(wire, send))
        leaving = asyncio.create_task(_gone(receive))
        try:
            await asyncio.wait((answering, leaving), return_when=asyncio.FIRST_COMPLETED)
        finally:
            answering.cancel()
            leaving.cancel()
            await asyncio.gather(answering, leaving, return_exceptions=True)
        failure = None if answering.cancelled() else answering.exception()
        if isinstance(failure, OSError):
            self._drop(scope)
            await _gone(receive)
        elif failure is not None:
            raise failure

    async def _answer(self, wire: WireRequest, send: Send) -> None:
        response = await self.handler(wire)
        try:
            await self._say(response, send)
        finally:
            if isinstance(response.body, AsyncGenerator):
                await response.body.aclose()

    async def _say(self, response: WireResponse, send: Send) -> None:
        headers = [
            (name.encode("latin-1"), value.encode("latin-1"))
            for name, value in response.headers.items()
            if name not in _FRAMING
        ]
        await send({"type": "http.response.start", "status": response.status, "headers": headers})
        async for data in response.body:
            await send({"type": "http.response.body", "body": data, "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    def _drop(self, scope: Scope) -> None:
        """Cut this client off without a goodbye; ASGI has no word for it."""
        for connection in self.connections:
            if isinstance(connection, H11Protocol) and connection.client == scope["client"]:
                connection.transport.abort()


async def _gone(receive: Receive) -> None:
    """Returns when the client has left."""
    while (await receive())["type"] != "http.disconnect":
        pass
