"""A tiny server on a real socket, for what only a socket can show: resets, silence, closing.

It says what a test tells it to, byte by byte, and remembers what it was asked.
"""

from __future__ import annotations

import asyncio
import socket
import struct
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field


@dataclass(slots=True)
class Connection:
    """One client. `gone` is set as soon as it has closed its side."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    gone: asyncio.Event = field(default_factory=asyncio.Event)

    async def say(self, data: bytes) -> None:
        self.writer.write(data)
        await self.writer.drain()

    async def answer(self, body: bytes, *, status: str = "200 OK", **headers: str) -> None:
        """A whole answer with a length; `content_type="…"` becomes the header of that name."""
        await self.say(head(status, content_length=str(len(body)), **headers) + body)

    async def begin(self, *, status: str = "200 OK", **headers: str) -> None:
        """The head of a chunked answer; go on with `chunk` and `finish`."""
        await self.say(head(status, transfer_encoding="chunked", **headers))

    async def chunk(self, data: bytes) -> None:
        await self.say(b"%x\r\n%s\r\n" % (len(data), data))

    async def finish(self) -> None:
        await self.say(b"0\r\n\r\n")

    def reset(self) -> None:
        """Close without a goodbye: the client's read fails."""
        raw: socket.socket = self.writer.get_extra_info("socket")
        switch_and_seconds = "hh" if sys.platform == "win32" else "ii"
        linger = struct.pack(switch_and_seconds, 1, 0)
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        self.writer.transport.abort()


Script = Callable[[Connection], Awaitable[None]]


@dataclass(slots=True)
class Loopback:
    """The running server: its address, and each request (head and body) in the order they came."""

    url: str
    requests: list[bytes] = field(default_factory=list)
    connections: list[Connection] = field(default_factory=list)


def head(status: str, **headers: str) -> bytes:
    """The head of an answer; underscores in names become dashes."""
    lines = [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return "\r\n".join([f"HTTP/1.1 {status}", *lines, "", ""]).encode()


@asynccontextmanager
async def serving(script: Script) -> AsyncIterator[Loopback]:
    """A server that plays `script` for each request."""
    loopback = Loopback("")

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connection = Connection(reader, writer)
        loopback.connections.append(connection)
        try:
            while request := await _request(reader):
                loopback.requests.append(request)
                playing = asyncio.ensure_future(script(connection))
                watching = asyncio.ensure_future(_closed(connection))
                await asyncio.wait({playing, watching}, return_when=asyncio.FIRST_COMPLETED)
                for task in (playing, watching):
                    task.cancel()
                await asyncio.gather(playing, watching, return_exceptions=True)
                if connection.gone.is_set() or writer.is_closing():
                    return
        finally:
            writer.close()

    server = await asyncio.start_server(connected, "127.0.0.1", 0)
    loopback.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    try:
        yield loopback
    finally:
        server.close()
        for connection in loopback.connections:
            connection.writer.transport.abort()


async def _request(reader: asyncio.StreamReader) -> bytes:
    try:
        top = await reader.readuntil(b"\r\n\r\n")
    except (asyncio.IncompleteReadError, ConnectionError):
        return b""
    length = next(
        (
            int(line.split(b":")[1])
            for line in top.lower().split(b"\r\n")
            if line.startswith(b"content-length:")
        ),
        0,
    )
    return top + await reader.readexactly(length)


async def _closed(connection: Connection) -> None:
    """Returns when the client has closed; a client that waits for an answer says nothing."""
    with suppress(ConnectionError):
        await connection.reader.read(1)
    connection.gone.set()


def unused_address() -> str:
    """An address of this machine where nobody listens."""
    with socket.socket() as raw:
        raw.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{raw.getsockname()[1]}"
