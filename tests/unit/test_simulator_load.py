"""Many clients at once are all answered, each with its own calls, and the server stays small."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.load import load
from tests.process_cost import peak_megabytes
from tests.simulate_process import simulate

CLIENTS = 50
MEGABYTES = 32
"""What fifty streams at once, again and again, may add: about two are usual."""


@dataclass(frozen=True, slots=True)
class Server:
    url: str
    process: int


@pytest.fixture(params=[(), ("--verdict",)], ids=["plain", "watched"])
def server(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Server]:
    with simulate(tmp_path, "--json", "--speed", "0", *request.param) as process:
        assert process.stdout is not None
        yield Server(json.loads(process.stdout.readline())["url"], process.pid)


def test_many_clients_at_once_are_answered_and_nothing_is_kept(server: Server) -> None:
    asyncio.run(load(server.url, 1))
    before = peak_megabytes(server.process)
    borne = asyncio.run(load(server.url, CLIENTS, 4))
    assert borne.errors == []
    assert borne.answers == CLIENTS * 4
    assert peak_megabytes(server.process) - before < MEGABYTES


async def test_the_load_tells_what_is_not_the_right_answer() -> None:
    async def refuse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 503 Busy\r\ncontent-length: 0\r\n\r\n")
        writer.close()

    async with await asyncio.start_server(refuse, "127.0.0.1", 0) as busy:
        port = busy.sockets[0].getsockname()[1]
        borne = await load(f"http://127.0.0.1:{port}", 2)
    assert borne.errors == ["HTTP/1.1 503 Busy"] * 2
