"""Which id each call and result carries when a conversation moves."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from providers.call_ids import NINE_CHARACTERS, WORDS_OF_64, Answered, IdShape, answered, safe_name
from providers.history import AssistantTurn, Origin, ToolTurn, Turn, UserTurn
from tools.call import ToolCall, ToolResult

HERE = Origin("here", "anthropic", "m")
SHAPES = st.sampled_from([NINE_CHARACTERS, WORDS_OF_64])


def called(*ids: str, origin: Origin = HERE) -> AssistantTurn:
    return AssistantTurn(tuple(ToolCall("f", {}, "here", call_id) for call_id in ids), origin)


def results(*ids: str) -> ToolTurn:
    return ToolTurn(tuple(ToolResult(call_id, "f", output=call_id) for call_id in ids))


def told(*history: Turn, own: bool = False) -> list[Answered]:
    turns = answered(history, lambda turn: own and turn.origin == HERE, WORDS_OF_64)
    return [turn for turn in turns if isinstance(turn, Answered)]


def test_an_id_that_the_target_accepts_stays() -> None:
    assert told(called("toolu_1"), results("toolu_1"))[0].ids == ("toolu_1",)


def test_an_id_that_stands_twice_is_told_apart_by_place() -> None:
    (turn,) = told(called("x", "x"), results("x", "x"))
    assert len(set(turn.ids)) == 2


def test_ids_of_the_targets_own_turns_are_unchanged() -> None:
    assert told(called("a/b"), results("a/b"), own=True)[0].ids == ("a/b",)


def test_an_id_of_the_targets_own_is_given_to_no_other_call() -> None:
    elsewhere = called("x", origin=Origin("there", "gemini", "m"))
    first, second = told(elsewhere, results("x"), called("x"), results("x"), own=True)
    assert (second.ids, first.ids == second.ids) == (("x",), False)


def test_a_call_without_result_gets_one_that_says_so() -> None:
    (turn,) = told(called("x", "y"), results("x"), UserTurn("Hi"))
    assert [result.ok for result in turn.results] == [True, False]


def test_a_result_without_call_is_left_out() -> None:
    assert told(called("x"), results("x", "y"))[0].results == results("x").results
    assert told(UserTurn("Hi"), results("z")) == []


@given(st.lists(st.lists(st.text(max_size=70), max_size=4), max_size=4), SHAPES)
def test_any_ids_become_accepted_ones_of_which_none_stands_twice(
    turns: list[list[str]], shape: IdShape
) -> None:
    history: list[Turn] = []
    for ids in turns:
        history += [called(*ids), results(*ids)]
    made = [
        call_id
        for turn in answered(history, lambda _: False, shape)
        if isinstance(turn, Answered)
        for call_id in turn.ids
    ]
    assert len(set(made)) == len(made)
    assert all(shape.accepts.fullmatch(call_id) for call_id in made)


@given(st.text(max_size=80))
def test_any_name_becomes_one_that_every_target_accepts(name: str) -> None:
    assert re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", safe_name(name))
