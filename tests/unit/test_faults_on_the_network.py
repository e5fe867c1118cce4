"""Faults strike a provider that is reached over a socket, and a cassette that is served."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from app.cli.codes import Code
from app.cli.running import run
from app.cli.sources import Source, served
from app.messages import Messages
from providers import faults
from providers.cassette import load
from providers.exchange import Handler, WireRequest
from providers.faults.connections import FaultyTransport
from providers.recorder import CassetteFile, RecordingTransport
from providers.simulator import DEFAULT_MODEL, Simulator
from providers.transport import Transport
from tests.loopback import Connection, serving
from tests.sdk.lab import HEALTHY, Lab, running_lab
from tests.simulating import LOOKUP, post, question

HEIGHT = "What is my height?"
ANSWER = "Your height is 170 cm."
REACHED = [
    ("openai", "openai-responses", "/v1"),
    ("openai", "openai-chat", "/v1"),
    ("anthropic", "anthropic", ""),
    ("google", "gemini", ""),
]
Ask = Callable[..., tuple[int, dict[str, Any]]]


@pytest.fixture(scope="module")
def server() -> Iterator[Lab]:
    with running_lab() as lab:
        yield lab


@pytest.fixture
def ask(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    server: Lab,
) -> Ask:
    """Asks a provider at the server's address, with a fault on the way."""
    monkeypatch.setenv("VITRAL_HOME", str(tmp_path))
    monkeypatch.setattr("app.attempts.next_wait", _at_once)

    def ask(reached: tuple[str, str, str], *options: str) -> tuple[int, dict[str, Any]]:
        provider, dialect, path = reached
        whom = ["--provider", provider, "--dialect", dialect, "--model", DEFAULT_MODEL]
        where = ["--base-url", server.at(path=path)]
        code = run(["ask", HEIGHT, *whom, *where, *options, "--json"])
        return int(code), json.loads(capsys.readouterr().out)

    server.simulators[HEALTHY].requests.clear()
    return ask


def _at_once(failure: object, number: int, policy: Any, chance: float) -> float | None:
    return 0.0 if number < policy.attempts else None


@pytest.mark.parametrize("reached", REACHED)
def test_a_call_of_a_real_provider_can_be_cut_and_does_not_run(
    ask: Ask, server: Lab, reached: tuple[str, str, str]
) -> None:
    code, said = ask(reached, "--fault", "cut-in-arguments")
    assert (code, said["calls"], said["error"]) == (Code.FAILED, [], {"kind": "cut"})
    assert len(server.simulators[HEALTHY].requests) == 3


@pytest.mark.parametrize("reached", REACHED)
def test_a_real_provider_that_fails_twice_then_answers(
    ask: Ask, reached: tuple[str, str, str]
) -> None:
    code, said = ask(reached, "--fault", "cut-in-arguments,drip", "--fault-times", "2")
    assert (code, said["answer"], len(said["calls"])) == (Code.ANSWERED, ANSWER, 1)


@pytest.mark.parametrize("fault", ["status-401", "unreachable", "html-page"])
def test_what_a_fault_answers_itself_never_reaches_the_provider(
    ask: Ask, server: Lab, fault: str
) -> None:
    code, _ = ask(REACHED[0], "--fault", fault)
    assert (code, len(server.simulators[HEALTHY].requests)) == (Code.FAILED, 0)


def test_a_server_that_is_asked_to_stream_can_be_made_not_to(ask: Ask) -> None:
    assert ask(REACHED[0], "--fault", "json-answer")[1]["answer"] == ANSWER


async def test_a_connection_closes_with_an_answer_that_was_cut() -> None:
    async def endless(connection: Connection) -> None:
        await connection.begin(content_type="text/event-stream")
        await connection.chunk(b"data: {}\n\n" * 100)
        await asyncio.Event().wait()

    async with serving(endless) as loopback:
        plan = faults.FaultPlan.read("cut-at-byte")
        transport = FaultyTransport(Transport(), faults.Lab(plan))
        body = question("openai-chat", "hello")
        url = f"{loopback.url}/v1/chat/completions"
        request = replace(post("openai-chat", body), url=url)
        async with transport.open(request) as response:
            read = b"".join([data async for data in response.body])
        assert 0 < len(read) <= 200
        await asyncio.wait_for(loopback.connections[0].gone.wait(), 5)
        await transport.aclose()


def test_a_served_cassette_can_break_too(tmp_path: Path) -> None:
    tape = tmp_path / "t.jsonl"
    asyncio.run(_record(tape, Simulator(speed=0).handle))
    source = Source(speed=0, cassette=str(tape), fault="cut-before-end", fault_times=1)
    with served(source, Messages()) as handler:
        bodies = [asyncio.run(_body(handler)) for _ in range(2)]
    assert ["message_stop" in body.decode() for body in bodies] == [False, True]


def test_a_recording_proxy_keeps_what_the_faults_left(
    server: Lab, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VITRAL_HOME", str(tmp_path))
    monkeypatch.setenv("ANTHROPIC_BASE_URL", server.at())
    tape = tmp_path / "t.jsonl"
    source = Source(record=str(tape), record_from="anthropic", fault="cut-before-end")
    with served(source, Messages()) as handler:
        body = asyncio.run(_body(handler))
    (exchange,) = load(tape.read_text("utf-8").splitlines())
    assert exchange.body == body
    assert b"message_stop" not in body


def _request() -> WireRequest:
    return post("anthropic", question("anthropic", HEIGHT, LOOKUP))


async def _body(handler: Handler) -> bytes:
    transport = Transport(handler=handler)
    async with transport.open(_request()) as response:
        return b"".join([data async for data in response.body])


async def _record(tape: Path, handler: Handler) -> None:
    file = CassetteFile(tape)
    transport = RecordingTransport(Transport(handler=handler), file.keep)
    async with transport.open(_request()) as response:
        async for _ in response.body:
            pass
    file.close()
