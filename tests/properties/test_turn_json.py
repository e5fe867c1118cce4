"""Any turn that can come about is the same turn after it was stored."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from app.turn_json import (
    UnreadableTurnError,
    result_from_json,
    result_to_json,
    turn_from_json,
    turn_to_json,
)
from providers.history import AssistantTurn, Origin, ToolTurn, Turn, UserTurn
from providers.parts import Stop
from tools.call import BrokenCall, ErrorKind, FieldProblem, ToolCall, ToolError, ToolResult

TEXT = st.text(st.characters(codec=None, exclude_categories=()), max_size=12)
NUMBER = st.integers() | st.floats(allow_nan=False)
JSON = st.recursive(
    st.none() | st.booleans() | NUMBER | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=8,
)
JSON_OBJECT = st.dictionaries(TEXT, JSON, max_size=3)
PROBLEM = st.builds(FieldProblem, TEXT, TEXT, TEXT)
ERROR = st.builds(
    ToolError, st.sampled_from(ErrorKind), TEXT, st.lists(PROBLEM, max_size=2).map(tuple)
)
SECONDS = st.floats(min_value=0, max_value=1e6)
RESULT = st.builds(ToolResult, TEXT, TEXT, output=JSON, seconds=SECONDS) | st.builds(
    ToolResult, TEXT, TEXT, error=ERROR, seconds=SECONDS
)
CALL = st.builds(ToolCall, TEXT, JSON_OBJECT, TEXT, TEXT) | st.builds(
    BrokenCall, TEXT, TEXT, TEXT, TEXT, TEXT
)
ANSWER = st.builds(
    AssistantTurn,
    items=st.lists(TEXT | CALL, max_size=4).map(tuple),
    origin=st.builds(Origin, TEXT, TEXT, TEXT),
    reasoning=TEXT,
    stop=st.sampled_from(Stop),
    stop_raw=TEXT,
    native=st.lists(JSON_OBJECT, max_size=2).map(tuple),
)
TURN = st.builds(UserTurn, TEXT) | ANSWER | st.builds(ToolTurn, st.lists(RESULT).map(tuple))


@given(TURN)
def test_a_turn_survives_its_storage(turn: Turn) -> None:
    assert turn_from_json(turn_to_json(turn)) == turn


@given(RESULT)
def test_a_result_survives_its_storage(result: ToolResult) -> None:
    assert result_from_json(result_to_json(result)) == result


@given(TURN)
def test_a_stored_turn_is_one_line_of_ascii(turn: Turn) -> None:
    stored = turn_to_json(turn)
    assert stored.isascii()
    assert "\n" not in stored


@given(JSON_OBJECT | JSON)
def test_anything_else_is_refused_in_one_way(document: object) -> None:
    for text in (json.dumps(document), json.dumps({"v": 1, "turn": "assistant", "x": document})):
        try:
            turn_from_json(text)
        except UnreadableTurnError:
            continue
        raise AssertionError(f"read {text}")
