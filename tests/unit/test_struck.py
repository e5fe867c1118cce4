"""The newest exchanges with faults are kept, and read again as they were read then."""

from __future__ import annotations

import asyncio

import pytest

from app.struck import KEPT, Struck, made_of
from providers.cassette import Content, Exchange, Read, RecordedResponse
from providers.faults import FaultPlan, Lab
from providers.parts import CallFragment, CallStarted, StreamFailed
from providers.recorder import RecordingTransport
from providers.simulator import Simulator
from providers.transport import ConnectionFailed, Transport
from tests.simulating import DIALECTS, LOOKUP, post, question


def struck(fault: str, dialect: str = "anthropic") -> Struck:
    """One question with this fault on the way."""
    kept = Struck()
    lab = Lab(FaultPlan.read(fault))
    handler = lab.around(Simulator(speed=0).handle)
    transport = RecordingTransport(Transport(handler=handler), kept.keep)

    async def ask() -> None:
        request = post(dialect, question(dialect, "What is my height?", LOOKUP))
        try:
            async with transport.open(request) as response:
                async for _ in response.body:
                    pass
        except ConnectionFailed:
            pass  # it is kept as such

    asyncio.run(ask())
    return kept


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_cut_call_is_in_the_parts_and_in_no_list(dialect: str) -> None:
    (exchange,) = struck("cut-before-end", dialect)
    made = made_of(exchange)
    kinds = [kind for kind, _ in made.runs]
    assert {CallStarted, CallFragment, StreamFailed} <= set(kinds)
    assert (made.failure, made.reading.calls) == ("cut", ())


def test_a_refusal_has_no_parts() -> None:
    (exchange,) = struck("status-429")
    made = made_of(exchange)
    assert (made.failure, made.runs) == ("rate_limit", ())


@pytest.mark.parametrize("fault", ["unreachable", "reset-mid-stream"])
def test_a_dead_network_is_told_as_such(fault: str) -> None:
    (exchange,) = struck(fault)
    assert made_of(exchange).failure == "network"


@pytest.mark.parametrize("fault", ["drip", "reset-after-end"])
def test_an_answer_that_is_whole_has_no_failure(fault: str) -> None:
    (exchange,) = struck(fault)
    made = made_of(exchange)
    assert (made.failure, len(made.reading.calls)) == ("", 1)


def of_size(size: int) -> Exchange:
    return Exchange(
        dialect="anthropic",
        response=RecordedResponse(status=200),
        reads=(Read(after=0.0, **Content(text="x" * size).model_dump()),),
    )


def test_only_the_newest_are_kept() -> None:
    kept = Struck()
    for size in range(KEPT + 3):
        kept.keep(of_size(size))
    assert [len(exchange.body) for exchange in kept] == list(range(3, KEPT + 3))


def test_large_ones_push_the_others_out() -> None:
    kept = Struck()
    for _ in range(3):
        kept.keep(of_size(50 * 1024 * 1024))
    assert len(kept) == 1


def test_an_address_of_no_dialect_is_not_kept() -> None:
    kept = Struck()
    kept.keep(Exchange())
    assert len(kept) == 0
