"""The simulator on a real socket: streams truly, notices who leaves, and ends cleanly."""

from __future__ import annotations

import asyncio
import json
import signal
import socket
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from providers.dialects import dialect
from providers.exchange import Handler, WireRequest, WireResponse
from providers.failures import FailureKind
from providers.simulator import DEFAULT_MODEL, FAULTS, MODELS, Simulator
from providers.simulator.http import address, listen, serving
from providers.transport import ConnectionFailed, Transport
from tests.simulate_process import simulate
from tests.simulating import DIALECTS, Answer, answer, post, question
from tests.talking import failure_heard, provider_at

SECONDS = 10.0


@asynccontextmanager
async def served(handler: Handler) -> AsyncIterator[str]:
    """The handler on a socket; its address."""
    listening = listen()
    async with serving(handler, listening):
        yield address(listening)


def at(url: str, request: WireRequest) -> WireRequest:
    """The same request to another server."""
    path = request.url.removeprefix("http://simulator.invalid")
    return WireRequest(request.method, url + path, request.headers, request.body)


async def over_socket(handler: Handler, request: WireRequest) -> Answer:
    transport = Transport()
    try:
        async with served(handler) as url, transport.open(at(url, request)) as response:
            reads = [data async for data in response.body]
            return Answer(response.status, dict(response.headers), tuple(reads))
    finally:
        await transport.aclose()


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("stream", [True, False])
async def test_a_socket_gives_the_bytes_of_the_process(dialect: str, stream: bool) -> None:
    request = post(dialect, question(dialect, "hello", stream=stream), stream=stream)
    there = await over_socket(Simulator(speed=0).handle, request)
    here = await asyncio.to_thread(answer, request)
    assert (there.status, there.body) == (here.status, here.body)


@pytest.mark.parametrize(
    ("path", "headers", "member"),
    [
        ("/v1/models", {}, "data"),
        ("/v1/models", {"anthropic-version": "2023-06-01"}, "first_id"),
        ("/v1beta/models", {}, "models"),
    ],
)
async def test_each_dialect_lists_the_models(
    path: str, headers: dict[str, str], member: str
) -> None:
    request = WireRequest("GET", f"http://simulator.invalid{path}", headers)
    listed = await over_socket(Simulator(speed=0).handle, request)
    assert member in listed.json
    assert all(name.encode() in listed.body for name in MODELS)


async def test_a_read_arrives_before_the_next_one_is_made() -> None:
    taken = asyncio.Event()

    async def handler(_: WireRequest) -> WireResponse:
        async def body() -> AsyncIterator[bytes]:
            yield b"first"
            await taken.wait()
            yield b"second"

        return WireResponse(200, {"content-type": "text/event-stream"}, body())

    transport = Transport()
    request = WireRequest("POST", "http://simulator.invalid/", {})
    async with asyncio.timeout(SECONDS), served(handler) as url:
        async with transport.open(at(url, request)) as response:
            assert await anext(response.body) == b"first"
            taken.set()
            assert await anext(response.body) == b"second"
        await transport.aclose()


async def test_a_client_that_leaves_a_silent_server_ends_its_handler_at_once() -> None:
    closed = asyncio.Event()

    async def handler(_: WireRequest) -> WireResponse:
        async def body() -> AsyncIterator[bytes]:
            try:
                yield b"first"
                await asyncio.Event().wait()
            finally:
                closed.set()

        return WireResponse(200, {}, body())

    transport = Transport()
    request = WireRequest("POST", "http://simulator.invalid/", {})
    async with asyncio.timeout(SECONDS), served(handler) as url:
        async with transport.open(at(url, request)) as response:
            await anext(response.body)
        await closed.wait()
        await transport.aclose()


async def test_a_dead_network_drops_the_connection() -> None:
    assert "unreachable" in FAULTS
    simulator = Simulator(speed=0, fault="unreachable")
    request = post("openai-chat", question("openai-chat", "hello"))
    with pytest.raises(ConnectionFailed):
        await over_socket(simulator.handle, request)


async def test_a_network_that_dies_inside_the_answer_cuts_the_body() -> None:
    async def handler(_: WireRequest) -> WireResponse:
        async def body() -> AsyncIterator[bytes]:
            yield b"first"
            raise ConnectionResetError

        return WireResponse(200, {}, body())

    with pytest.raises(ConnectionFailed):
        await over_socket(handler, WireRequest("GET", "http://simulator.invalid/", {}))


@pytest.mark.parametrize(
    ("fault", "kind"),
    [
        ("cut-compressed", FailureKind.CUT),
        ("wrong-encoding", FailureKind.PROTOCOL),
    ],
)
async def test_a_fault_of_the_packing_reaches_the_client(fault: str, kind: FailureKind) -> None:
    async with served(Simulator(speed=0, fault=fault).handle) as url:
        provider = replace(
            provider_at(f"{url}/v1"), dialect=dialect("openai-chat"), model=DEFAULT_MODEL
        )
        failure = await failure_heard(provider)
        await provider.transport.aclose()
    assert failure.kind is kind


async def test_an_unknown_address_is_not_found() -> None:
    request = WireRequest("GET", "http://simulator.invalid/nothing", {})
    assert (await over_socket(Simulator(speed=0).handle, request)).status == 404


def interrupted(server: subprocess.Popen[str]) -> tuple[int, str, str]:
    """How a server that has answered once ends by an interrupt: code and what it printed."""
    assert server.stdout is not None
    port = json.loads(server.stdout.readline())["port"]
    with socket.create_connection(("127.0.0.1", port)) as client:
        client.sendall(b"GET /v1/models HTTP/1.1\r\nHost: here\r\n\r\n")
        assert client.recv(12) == b"HTTP/1.1 200"
    server.send_signal(signal.SIGINT)
    out, err = server.communicate(timeout=SECONDS)
    return server.returncode, out, err.strip()


no_interrupts = pytest.mark.skipif(
    sys.platform == "win32", reason="Windows sends no interrupt to one process"
)


@no_interrupts
def test_an_interrupt_ends_the_server_without_a_word(tmp_path: Path) -> None:
    with simulate(tmp_path, "--json") as server:
        assert interrupted(server) == (130, "", "")


@no_interrupts
def test_a_server_in_the_background_of_a_script_ends_by_an_interrupt_too(tmp_path: Path) -> None:
    was = signal.signal(signal.SIGINT, signal.SIG_IGN)  # what a script's `&` does to its child
    try:
        with simulate(tmp_path, "--json") as server:
            assert interrupted(server) == (0, "", "")
    finally:
        signal.signal(signal.SIGINT, was)


def test_a_port_that_is_taken_is_an_error_of_usage(tmp_path: Path) -> None:
    with listen() as taken:
        port = taken.getsockname()[1]
        with simulate(tmp_path, "--port", str(port)) as server:
            _, err = server.communicate(timeout=SECONDS)
    assert server.returncode == 2
    assert str(port) in err
