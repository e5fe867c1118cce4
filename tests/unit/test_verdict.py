"""A client that does wrong is caught, for what it did alone; one that does right is not."""

from __future__ import annotations

import asyncio
import json

import pytest

from providers.exchange import WireRequest, WireResponse
from providers.faults import FAULTS
from providers.simulator import DEFAULT_MODEL, Simulator
from providers.simulator.verdict import PATH, Rule
from providers.simulator.verdict.rules.endless import MOST_TRIES
from tests.fault_matrix import COSTLY, QUESTIONS, Bench
from tests.scripted import HeldClock
from tests.simulating import DIALECTS
from tests.watching import THINKING, Client, Watched, WatchedSimulator

each_dialect = pytest.mark.parametrize("dialect", DIALECTS)


@each_dialect
async def test_a_client_that_does_right_is_clean(dialect: str) -> None:
    server = Watched.simulator()
    client = Client(server, dialect)
    asked = await client.send()
    client.keep(asked.items)
    client.give(asked.calls)
    answered = await client.send()
    client.keep(answered.items)
    client.say("thanks")
    assert (await client.send()).status == 200
    assert server.watch.verdict.as_json() == {"clean": True, "requests": 3, "findings": []}


@each_dialect
async def test_an_error_that_stays_is_not_to_be_tried_again(dialect: str) -> None:
    server = Watched.simulator("status-401")
    client = Client(server, dialect)
    await client.send()
    await client.again(after=60)
    assert server.rules == [Rule.RETRIED_PERMANENT]


@each_dialect
async def test_a_wait_that_was_told_is_to_be_kept(dialect: str) -> None:
    server = Watched.simulator("status-429", times=1)
    client = Client(server, dialect)
    await client.send()
    await client.again(after=1)
    assert server.rules == [Rule.DID_NOT_WAIT]
    (finding,) = server.watch.verdict.findings
    assert finding.facts == {"after": 1, "told": 2, "waited": 1}


@each_dialect
async def test_who_waits_as_told_is_clean(dialect: str) -> None:
    server = Watched.simulator("status-429", times=1)
    client = Client(server, dialect)
    await client.send()
    await client.again(after=2)
    assert server.rules == []


@each_dialect
@pytest.mark.parametrize("fault", ["status-500", "cut-before-end", "unreachable"])
async def test_nobody_tries_for_ever(dialect: str, fault: str) -> None:
    server = Watched.simulator(fault)
    client = Client(server, dialect)
    await client.again(MOST_TRIES, after=10)
    assert server.rules == []
    await client.again(3, after=10)
    assert server.rules == [Rule.RETRIED_FOR_EVER]
    assert server.watch.verdict.findings[0].facts == {"times": MOST_TRIES + 3}


@each_dialect
async def test_a_result_is_given_once(dialect: str) -> None:
    server = Watched.simulator()
    client = Client(server, dialect)
    asked = await client.send()
    client.keep(asked.items)
    client.give([*asked.calls, asked.calls[1]])
    await client.send()
    # Gemini's results go by their places, so one too many is one without a call.
    twice = Rule.RESULT_UNKNOWN if dialect == "gemini" else Rule.RESULT_TWICE
    assert server.rules == [twice]


@each_dialect
async def test_a_result_is_not_left_out(dialect: str) -> None:
    server = Watched.simulator()
    client = Client(server, dialect)
    asked = await client.send()
    client.keep(asked.items)
    client.give(asked.calls[:1])
    await client.send()
    client.say("and?")
    await client.send()
    assert server.rules == [Rule.RESULT_MISSING], "told once, though the history still shows it"


@each_dialect
async def test_a_result_has_its_call(dialect: str) -> None:
    server = Watched.simulator()
    client = Client(server, dialect)
    client.give([("call_of_nobody", "lookup_demo_value", {})])
    await client.send()
    assert server.rules == [Rule.RESULT_UNKNOWN]


@each_dialect
@pytest.mark.parametrize("fault", ["cut-before-end", "overloaded-mid-stream", "reset-mid-stream"])
async def test_a_call_of_an_answer_that_failed_is_not_run(dialect: str, fault: str) -> None:
    server = Watched.simulator(fault, times=1)
    client = Client(server, dialect, model=DEFAULT_MODEL)
    calls = (await client.send()).calls[:1]
    client.keep(client.bare(calls))
    client.give(calls)
    await client.send()
    assert server.rules == [Rule.RAN_UNFINISHED]


@each_dialect
async def test_a_call_that_a_person_stopped_may_be_told_as_not_run(dialect: str) -> None:
    server = Watched.simulator("cut-before-end", times=1)
    client = Client(server, dialect)
    calls = (await client.send()).calls
    client.keep(client.bare(calls))
    client.give(calls, failed=True)
    await client.send()
    assert calls
    assert server.rules == []


@each_dialect
async def test_a_call_that_came_whole_at_the_second_try_is_run(dialect: str) -> None:
    server = Watched.simulator("cut-before-end", times=1)
    client = Client(server, dialect)
    await client.send()
    asked = await client.send()
    client.keep(asked.items)
    client.give(asked.calls)
    await client.send()
    assert server.rules == []


@pytest.mark.parametrize("dialect", ["openai-responses", "anthropic", "gemini"])
async def test_what_the_model_thought_goes_back_with_its_calls(dialect: str) -> None:
    server = Watched.simulator()
    client = Client(server, dialect)
    asked = await client.send()
    client.keep(client.bare(asked.calls))
    client.give(asked.calls)
    await client.send()
    assert server.rules == [Rule.DROPPED_REASONING]


async def test_a_changed_thinking_block_is_a_dropped_one() -> None:
    server = Watched.simulator()
    client = Client(server, "anthropic")
    asked = await client.send()
    thinking, *calls = asked.items
    client.keep([{**thinking, "thinking": "something else"}, *calls])
    client.give(asked.calls)
    await client.send()
    assert server.rules == [Rule.DROPPED_REASONING]


@pytest.mark.parametrize("dialect", ["openai-responses", "anthropic"])
async def test_what_was_thought_in_an_older_turn_may_go(dialect: str) -> None:
    server = Watched.simulator()
    client = Client(server, dialect)
    asked = await client.send()
    client.keep(client.bare(asked.calls))
    client.give(asked.calls)
    client.keep([{"type": "text", "text": "So."}] if dialect == "anthropic" else [])
    client.say("and now?")
    await client.send()
    assert server.rules == []


@each_dialect
async def test_clients_that_ask_at_once_are_not_mixed_up(dialect: str) -> None:
    server = Watched.simulator("status-429", times=2)
    good, bad = Client(server, dialect), Client(server, dialect, key="sk-other")
    await asyncio.gather(good.send(), bad.send())
    await bad.again(after=0.5)
    await good.again(after=1.5)
    assert server.rules == [Rule.DID_NOT_WAIT]
    assert server.watch.verdict.findings[0].number == 3


async def test_many_that_ask_the_same_at_once_are_no_tries_of_one() -> None:
    many = MOST_TRIES * 3
    arrived = asyncio.Barrier(many)
    simulator = Simulator(speed=0, fault="status-401")

    async def answer(request: WireRequest) -> WireResponse:
        await arrived.wait()
        server.held.time += 1
        return await simulator.handle(request)

    server = Watched(answer)
    await asyncio.gather(*(Client(server, "openai-chat").send() for _ in range(many)))
    assert server.rules == []


async def test_what_is_asked_again_after_its_answer_is_no_try() -> None:
    server = Watched.simulator()
    await Client(server, "openai-chat").again(MOST_TRIES * 2)
    assert server.rules == []


async def test_the_verdict_is_told_at_its_address() -> None:
    server = Watched.simulator("status-401")
    client = Client(server, "anthropic")
    await client.again(2)
    response = await server.watch.handle(WireRequest("GET", f"http://simulator.invalid{PATH}", {}))
    told = json.loads(b"".join([data async for data in response.body]))
    assert told == {
        "clean": False,
        "requests": 2,
        "findings": [
            {
                "rule": "retried_permanent",
                "request": 2,
                "dialect": "anthropic",
                "model": "vitral-sim-thinking",
                "facts": {"after": 1, "status": 401},
            }
        ],
    }


@pytest.mark.parametrize(
    "body", [b"", b"[]", b"{}", b'{"messages": [{"role": "tool"}, 1]}', b'{"messages": 1}']
)
async def test_what_makes_no_sense_is_answered_as_without_a_watch(body: bytes) -> None:
    server = Watched.simulator()
    request = WireRequest("POST", "http://simulator.invalid/v1/chat/completions", {}, body)
    assert (await server.watch.handle(request)).status == 400


WATCHED_FAULTS = [name for name in FAULTS if name not in COSTLY]


@pytest.mark.parametrize("times", [1, None])
@pytest.mark.parametrize("fault", WATCHED_FAULTS)
@each_dialect
async def test_vitral_itself_is_clean_under_every_fault(
    dialect: str, fault: str, times: int | None
) -> None:
    held = HeldClock()
    simulator = WatchedSimulator(held, fault, times)
    bench = Bench(dialect, held=held, simulator=simulator)
    await bench.say(QUESTIONS[2])
    assert simulator.watch.verdict.requests >= 1
    assert simulator.watch.verdict.findings == ()


@each_dialect
async def test_vitral_keeps_what_a_thinking_model_needs_again(dialect: str) -> None:
    held = HeldClock()
    simulator = WatchedSimulator(held)
    bench = Bench(dialect, held=held, simulator=simulator, model=THINKING[dialect])
    await bench.say(QUESTIONS[2])
    await bench.say(QUESTIONS[1])
    assert bench.ran == ["height", "weight", "height"]
    assert simulator.watch.verdict.findings == ()
