"""Whatever a history holds, each dialect writes it so that the real servers would take it."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from providers.dialects import dialect
from providers.history import AssistantTurn, Origin, ToolTurn, Turn, UserTurn, valid
from providers.request import Request, ToolSpec
from providers.simulator.conversation import AskedCall, Entry, GivenResult
from providers.simulator.routes import find_route
from tests.simulating import DIALECTS, LOOKUP, answer, post, schema
from tools.call import AnyCall, BrokenCall, ErrorKind, FieldProblem, ToolCall, ToolError, ToolResult

MODELS = ("vitral-sim", "gemini-3-sim")
SPECS = (ToolSpec(LOOKUP, "Looks up a value.", schema("key")),)

TEXTS = st.sampled_from(["", " ", "Hello.", "Olá, tudo bem?  ", "line\nline", "\u202e\x1b[31m"])
IDS = st.sampled_from(
    ["call_1", "same", "functions.add:0", "a/b", "é" * 3, "x" * 64, "toolu_01A", "8hd01vsf"]
) | st.text(min_size=1, max_size=80)
NAMES = st.sampled_from(
    [LOOKUP, LOOKUP, "calculate", "no.such:tool", "a name with spaces", "x" * 80]
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=4), inner, max_size=2)
    ),
    max_leaves=4,
)
ARGUMENTS = st.dictionaries(st.text(max_size=5), JSON, max_size=3)
RAW = st.sampled_from(["", "{", '{"key": height}', "[]", "nul", '"text"'])
ERRORS = st.builds(
    ToolError,
    kind=st.sampled_from(ErrorKind),
    message=TEXTS,
    problems=st.just(()) | st.just((FieldProblem("key", "a text", "170"),)),
)


def origins(name: str, model: str) -> st.SearchStrategy[Origin]:
    """Our own dialect and model, or others."""
    return st.builds(
        Origin,
        provider=st.sampled_from(["simulator", "elsewhere"]),
        dialect=st.sampled_from([name, *DIALECTS]),
        model=st.sampled_from([model, "another-model"]),
    )


@st.composite
def calls(draw: st.DrawFn) -> AnyCall:
    name, call_id = draw(NAMES), draw(IDS)
    if draw(st.integers(0, 3)):
        return ToolCall(name, draw(ARGUMENTS), "somebody", call_id)
    return BrokenCall(name, draw(RAW), "not a JSON object", "somebody", call_id)


@st.composite
def results(draw: st.DrawFn, call: AnyCall) -> ToolResult:
    if isinstance(call, BrokenCall) or draw(st.booleans()):
        return ToolResult(call.call_id, call.name, error=draw(ERRORS))
    return ToolResult(call.call_id, call.name, output=draw(JSON))


@st.composite
def histories(draw: st.DrawFn, name: str, model: str) -> tuple[Turn, ...]:
    """A valid history that begins with the person and waits for the model."""
    turns: list[Turn] = [UserTurn(draw(TEXTS.filter(str.strip)))]
    for _ in range(draw(st.integers(0, 4))):
        items = draw(st.lists(TEXTS | calls(), max_size=4))
        origin = draw(origins(name, model))
        # What another one made means nothing here and must not go out.
        native = () if origin == Origin(origin.provider, name, model) else ({"type": "foreign"},)
        said = AssistantTurn(tuple(items), origin, native=native)
        turns.append(said)
        if said.calls:
            turns.append(ToolTurn(tuple(draw(results(call)) for call in said.calls)))
        if not said.calls or draw(st.booleans()):
            turns.append(UserTurn(draw(TEXTS.filter(str.strip))))
    return tuple(turns)


def entries(name: str, model: str, body: dict[str, object]) -> tuple[Entry, ...]:
    """What the other side reads in a body."""
    request = post(name, body, model=model)
    route = find_route("POST", request.url, request.headers)
    assert route is not None
    return route.voice.read(body).entries


def in_rounds(said: Sequence[Entry]) -> list[tuple[list[str], list[str]]]:
    """The ids of neighbouring calls and of the results right after them."""
    rounds: list[tuple[list[str], list[str]]] = []
    for entry in said:
        match entry:
            case AskedCall(call_id=call_id):
                if not rounds or rounds[-1][1]:
                    rounds.append(([], []))
                rounds[-1][0].append(call_id)
            case GivenResult(call_id=call_id):
                rounds[-1][1].append(call_id)
            case _:
                pass
    return rounds


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("name", DIALECTS)
@given(data=st.data())
@settings(max_examples=60, deadline=None)
def test_each_call_of_any_history_has_its_result_in_order(
    name: str, model: str, data: st.DataObject
) -> None:
    history = data.draw(histories(name, model))
    assert valid(history)
    encoded = dialect(name).encode(Request(model=model, history=history, tools=SPECS))
    reply = answer(post(name, encoded.body, model=model, headers=encoded.headers))
    assert reply.status == 200, reply.body
    rounds = in_rounds(entries(name, model, encoded.body))
    made = [turn.calls for turn in history if isinstance(turn, AssistantTurn) and turn.calls]
    assert [len(asked) for asked, _ in rounds] == [len(several) for several in made]
    assert all(asked == given for asked, given in rounds)
