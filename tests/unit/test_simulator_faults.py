"""What goes wrong on request, how fast the bytes come, and what the simulator remembers."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import cast

import pytest

from app.messages import LANGUAGES, Messages
from providers.exchange import WireRequest
from providers.simulator import FAULTS, MODELS, Simulator
from tests.simulating import DIALECTS, LOOKUP, Answer, answer, post, question, read_answer

ENDS = {
    "openai-responses": b"response.completed",
    "openai-chat": b"[DONE]",
    "anthropic": b"message_stop",
    "gemini": b"finishReason",
}


def with_fault(dialect: str, fault: str, text: str = "What is my height?") -> Answer:
    simulator = Simulator(speed=0, fault=fault)
    return answer(post(dialect, question(dialect, text, LOOKUP)), simulator)


class Clock:
    """A sleep that only adds up."""

    def __init__(self) -> None:
        self.seconds = 0.0

    async def sleep(self, seconds: float) -> None:
        self.seconds += seconds


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("status", [401, 429, 500])
def test_a_status_is_sent_with_an_error_in_json(dialect: str, status: int) -> None:
    refused = with_fault(dialect, f"status-{status}")
    assert refused.status == status
    assert refused.error["message"]


@pytest.mark.parametrize("dialect", DIALECTS)
def test_too_many_requests_come_with_a_time_to_wait(dialect: str) -> None:
    assert with_fault(dialect, "status-429").headers["retry-after"] == "2"


@pytest.mark.parametrize("dialect", DIALECTS)
def test_an_overload_comes_after_some_of_the_answer(dialect: str) -> None:
    events = with_fault(dialect, "overloaded-mid-stream", "hello").events
    assert len(events) > 3
    assert "overloaded" in json.dumps(events[-1]).lower()


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("fault", ["overloaded-mid-stream", "cut-in-arguments", "cut-before-end"])
def test_a_stream_that_breaks_lacks_its_end(dialect: str, fault: str) -> None:
    assert ENDS[dialect] not in with_fault(dialect, fault).body


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_cut_in_the_arguments_falls_after_the_calls_name(dialect: str) -> None:
    body = with_fault(dialect, "cut-in-arguments").body
    assert LOOKUP.encode() in body
    assert not body.endswith(b"\n")


@pytest.mark.parametrize("dialect", DIALECTS)
def test_without_ids_no_call_has_one(dialect: str) -> None:
    body = with_fault(dialect, "no-ids").body
    assert b'"call_' not in body
    assert b'"toolu_' not in body


def test_a_web_page_comes_as_html() -> None:
    page = with_fault("openai-chat", "html-page")
    assert page.headers["content-type"].startswith("text/html")


def test_nobody_answers_at_an_unreachable_address() -> None:
    with pytest.raises(ConnectionRefusedError):
        with_fault("openai-chat", "unreachable")


def test_the_first_call_has_broken_json() -> None:
    events = with_fault("openai-responses", "bad-json-arguments").events
    done = [data for name, data in events if name == "response.function_call_arguments.done"]
    assert done[0]["arguments"] == '{"key": height}'


def test_a_fault_can_strike_the_first_requests_only() -> None:
    simulator = Simulator(speed=0, fault="status-500", fault_times=2)
    request = post("openai-chat", question("openai-chat", "hello"))
    assert [answer(request, simulator).status for _ in range(3)] == [500, 500, 200]


def test_an_unknown_fault_is_refused() -> None:
    with pytest.raises(ValueError, match="no fault 'none'"):
        Simulator(fault="none")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("part", ["about", "right"])
def test_each_fault_is_described_in_each_language(language: str, part: str) -> None:
    texts = Messages(language)
    keys = {getattr(fault, part) for fault in FAULTS.values()}
    assert {key for key in keys if texts(key) == key} == set()


async def test_a_second_holds_about_forty_fragments() -> None:
    clock = Clock()
    simulator = Simulator(sleep=clock.sleep)
    request = post("openai-chat", question("openai-chat", "tell me a story"))
    reply = await read_answer(simulator, request)
    fragments = reply.body.count(b'"content":"') - 1
    assert clock.seconds == pytest.approx(fragments / 40)


async def test_twice_the_speed_takes_half_the_time() -> None:
    slow, fast = Clock(), Clock()
    request = post("anthropic", question("anthropic", "hello"))
    await read_answer(Simulator(sleep=slow.sleep), request)
    await read_answer(Simulator(speed=2, sleep=fast.sleep), request)
    assert fast.seconds == pytest.approx(slow.seconds / 2)


async def test_a_slow_answer_is_silent_for_longer_than_ten_seconds_and_then_whole() -> None:
    clock = Clock()
    simulator = Simulator(fault="slow", sleep=clock.sleep)
    response = await simulator.handle(post("gemini", question("gemini", "hello")))
    first = await anext(response.body)
    assert clock.seconds > 10
    assert ENDS["gemini"] in first + b"".join([data async for data in response.body])


async def test_a_client_that_leaves_early_is_noticed() -> None:
    simulator = Simulator(speed=0)
    response = await simulator.handle(post("anthropic", question("anthropic", "hello")))
    async with aclosing(cast("AsyncGenerator[bytes, None]", response.body)) as body:
        await anext(body)
    assert simulator.closed_early == 1


async def test_a_client_that_leaves_in_a_silence_is_noticed() -> None:
    simulator = Simulator(fault="slow", sleep=lambda _: asyncio.Event().wait())
    response = await simulator.handle(post("anthropic", question("anthropic", "hello")))
    reading = asyncio.ensure_future(anext(response.body))
    await asyncio.sleep(0)
    reading.cancel()
    await asyncio.wait([reading])
    assert simulator.closed_early == 1


def test_a_client_that_reads_to_the_end_did_not_leave_early() -> None:
    simulator = Simulator(speed=0)
    answer(post("anthropic", question("anthropic", "hello")), simulator)
    assert simulator.closed_early == 0


def test_requests_are_remembered_without_their_keys() -> None:
    simulator = Simulator(speed=0)
    request = post(
        "openai-chat", question("openai-chat", "hello"), headers={"authorization": "Bearer sk-1"}
    )
    answer(request, simulator)
    seen = simulator.requests[0]
    assert seen.dialect == "openai-chat"
    assert "sk-1" not in repr(seen)


@pytest.mark.parametrize(
    ("dialect", "header", "missing", "wrong"),
    [
        ("openai-responses", "authorization", 401, 401),
        ("openai-chat", "authorization", 401, 401),
        ("anthropic", "x-api-key", 401, 401),
        ("gemini", "x-goog-api-key", 403, 400),
    ],
)
def test_a_key_is_checked_only_when_one_is_demanded(
    dialect: str, header: str, missing: int, wrong: int
) -> None:
    body = question(dialect, "hello")

    def status(headers: dict[str, str]) -> int:
        request = post(dialect, body, headers=headers)
        return answer(request, Simulator(speed=0, key="right")).status

    given = [status({}), status({header: "wrong"}), status({header: "right"})]
    assert given == [missing, wrong, 200]


@pytest.mark.parametrize("path", ["/v1/models", "/v1beta/models"])
def test_the_models_are_listed(path: str) -> None:
    listed = answer(WireRequest("GET", f"http://simulator.invalid{path}", {}))
    assert all(name.encode() in listed.body for name in MODELS)


def test_an_unknown_address_is_not_found() -> None:
    assert answer(WireRequest("POST", "http://simulator.invalid/v2/talk", {}, b"{}")).status == 404
