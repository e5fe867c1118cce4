"""What the simulator streams is read by our decoders as what it meant."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from itertools import count

import pytest

from providers.dialects import NewId, dialect
from providers.failures import Failure, FailureKind
from providers.gathering import Gathering
from providers.history import AssistantTurn, Origin, ToolTurn, Turn, UserTurn, valid
from providers.parts import Part, ReasoningDelta, StreamFailed
from providers.request import Request, ToolSpec
from providers.simulator import MODELS, Simulator
from tests.simulating import DIALECTS, LOOKUP, Answer, answer, post, schema
from tools.call import BrokenCall, ErrorKind, ToolCall, ToolError, ToolResult

BOTH = UserTurn("my height and weight")
SPECS = (
    ToolSpec(LOOKUP, "Looks up a value.", schema("key")),
    ToolSpec("list_files", "Lists the files.", schema()),
)
Cut = Callable[[bytes], Iterator[bytes]]


def new_id() -> NewId:
    numbers = count()
    return lambda: f"ours{next(numbers)}"


def whole(data: bytes) -> Iterator[bytes]:
    yield data


def bytewise(data: bytes) -> Iterator[bytes]:
    return (data[place : place + 1] for place in range(len(data)))


def at_random(data: bytes) -> Iterator[bytes]:
    chance = random.Random(7)
    place = 0
    while place < len(data):
        size = chance.randint(1, 90)
        yield data[place : place + size]
        place += size


def ask(
    name: str, *history: Turn, model: str = "vitral-sim", simulator: Simulator | None = None
) -> Answer:
    """The simulator's answer to a history, encoded by our own dialect."""
    encoded = dialect(name).encode(Request(model=model, history=history, tools=SPECS))
    request = post(name, encoded.body, model=model, headers=encoded.headers)
    return answer(request, simulator)


def decoded(name: str, body: bytes, cut: Cut = whole) -> list[Part]:
    decoder = dialect(name).decoder(provider="simulator", new_id=new_id())
    parts = [part for data in cut(body) for part in decoder.feed(data)]
    return parts + decoder.end()


def turn(name: str, parts: list[Part], model: str = "vitral-sim") -> AssistantTurn:
    gathering = Gathering(Origin("simulator", name, model))
    gathering.add(parts)
    return gathering.turn()


def results(said: AssistantTurn) -> ToolTurn:
    return ToolTurn(
        tuple(
            ToolResult(call.call_id, call.name, output={"value": 170, "unit": "cm"})
            for call in said.calls
        )
    )


def failure(parts: list[Part]) -> Failure:
    """Why the stream failed."""
    last = parts[-1]
    assert isinstance(last, StreamFailed)
    return last.failure


@pytest.mark.parametrize("name", DIALECTS)
@pytest.mark.parametrize("cut", [whole, bytewise, at_random])
@pytest.mark.parametrize("model", MODELS)
def test_two_calls_are_read_as_they_were_meant(name: str, cut: Cut, model: str) -> None:
    said = turn(name, decoded(name, ask(name, BOTH, model=model).body, cut))
    assert [(call.name, call.args) for call in said.calls if isinstance(call, ToolCall)] == [
        (LOOKUP, {"key": "height"}),
        (LOOKUP, {"key": "weight"}),
    ]


@pytest.mark.parametrize("name", DIALECTS)
@pytest.mark.parametrize("cut", [whole, bytewise, at_random])
def test_a_text_is_read_as_it_was_meant(name: str, cut: Cut) -> None:
    said = turn(name, decoded(name, ask(name, UserTurn("olá")).body, cut))
    assert said.text.startswith("Olá! Sou um modelo simulado")


@pytest.mark.parametrize("name", DIALECTS)
def test_the_reads_of_the_simulator_itself_are_read_too(name: str) -> None:
    decoder = dialect(name).decoder(provider="simulator", new_id=new_id())
    parts = [part for data in ask(name, UserTurn("hola")).reads for part in decoder.feed(data)]
    assert turn(name, parts + decoder.end()).text.startswith("¡Hola!")


@pytest.mark.parametrize("name", DIALECTS)
def test_a_call_without_arguments_has_an_empty_object(name: str) -> None:
    said = turn(name, decoded(name, ask(name, UserTurn("list the files")).body))
    assert [call.args for call in said.calls if isinstance(call, ToolCall)] == [{}]


@pytest.mark.parametrize("name", DIALECTS)
def test_reasoning_is_read_apart_from_the_answer(name: str) -> None:
    parts = decoded(name, ask(name, UserTurn("hello"), model="vitral-sim-thinking").body)
    reasoning = "".join(part.text for part in parts if isinstance(part, ReasoningDelta))
    assert "No tool is needed" in reasoning
    assert "No tool is needed" not in turn(name, parts).text


@pytest.mark.parametrize("name", DIALECTS)
@pytest.mark.parametrize("model", MODELS)
def test_a_round_goes_back_and_is_answered(name: str, model: str) -> None:
    said = turn(name, decoded(name, ask(name, BOTH, model=model).body), model)
    history = (BOTH, said, results(said))
    assert valid(history)
    reply = ask(name, *history, model=model)
    assert reply.status == 200, reply.body
    assert turn(name, decoded(name, reply.body)).text == (
        "Your height is 170 cm. Your weight is 170 cm."
    )


@pytest.mark.parametrize("name", DIALECTS)
@pytest.mark.parametrize("model", ["vitral-sim", "gemini-3-sim"])
def test_calls_without_ids_get_ours_and_are_answered(name: str, model: str) -> None:
    simulator = Simulator(speed=0, fault="no-ids", fault_times=1)
    first = ask(name, BOTH, model=model, simulator=simulator)
    said = turn(name, decoded(name, first.body), model)
    assert [call.call_id for call in said.calls] == ["ours0", "ours1"]
    reply = ask(name, BOTH, said, results(said), model=model, simulator=simulator)
    assert reply.status == 200, reply.body


@pytest.mark.parametrize("name", DIALECTS)
def test_a_broken_call_is_mended_after_its_error(name: str) -> None:
    simulator = Simulator(speed=0, fault="bad-json-arguments")
    said = turn(name, decoded(name, ask(name, BOTH, simulator=simulator).body))
    broken, right = said.calls
    assert isinstance(broken, BrokenCall)
    error = ToolError(ErrorKind.BROKEN_CALL, "The arguments were not valid JSON.")
    told = ToolTurn(
        (
            ToolResult(broken.call_id, broken.name, error=error),
            ToolResult(right.call_id, right.name, output="70 kg"),
        )
    )
    reply = ask(name, BOTH, said, told, simulator=simulator)
    assert reply.status == 200, reply.body
    mended = turn(name, decoded(name, reply.body))
    assert [call.args for call in mended.calls if isinstance(call, ToolCall)] == [{"key": "height"}]


@pytest.mark.parametrize("name", DIALECTS)
@pytest.mark.parametrize("fault", ["cut-in-arguments", "cut-before-end"])
def test_a_stream_that_is_cut_fails_as_cut(name: str, fault: str) -> None:
    body = ask(name, BOTH, simulator=Simulator(speed=0, fault=fault)).body
    assert failure(decoded(name, body)).kind is FailureKind.CUT


@pytest.mark.parametrize("name", DIALECTS)
def test_an_overload_in_mid_stream_may_be_tried_again(name: str) -> None:
    body = ask(name, BOTH, simulator=Simulator(speed=0, fault="overloaded-mid-stream")).body
    assert failure(decoded(name, body)).transient
