"""When a message ends early."""

from __future__ import annotations

import pytest

from app.patience import REPEATS, ROUNDS, Patience, patience_after
from providers.history import AssistantTurn, ToolTurn, Turn, UserTurn
from tests.scripted import ORIGIN
from tools.call import AnyCall, BrokenCall, ErrorKind, ToolCall, ToolError, ToolResult

LOOK = ToolCall("look", {"key": "height", "unit": "cm"}, "simulator", "c1")
SAME = ToolCall("look", {"unit": "cm", "key": "height"}, "simulator", "c2")
OTHER = ToolCall("look", {"key": "weight"}, "simulator", "c1")
HALF = BrokenCall("look", '{"key": ', "not JSON", "simulator", "c1")


def wrong(name: str = "look") -> ToolResult:
    return ToolResult("c1", name, error=ToolError(ErrorKind.INVALID_ARGUMENTS, "no"))


def right(name: str = "look") -> ToolResult:
    return ToolResult("c1", name, output=1)


def repeats(*rounds: AnyCall) -> list[bool]:
    patience = Patience()
    return [patience.repeated([call]) for call in rounds]


@pytest.mark.parametrize("call", [LOOK, HALF])
def test_the_same_call_is_too_much_in_the_third_round_in_a_row(call: AnyCall) -> None:
    assert repeats(call, call, call) == [False, False, True]


def test_ids_and_the_order_of_arguments_make_no_difference() -> None:
    assert repeats(LOOK, SAME, LOOK)[-1]


def test_another_call_in_between_begins_the_count_anew() -> None:
    assert repeats(LOOK, LOOK, OTHER, LOOK, LOOK) == [False] * 5


def test_the_same_call_twice_in_one_round_counts_once() -> None:
    patience = Patience()
    assert not patience.repeated([LOOK, SAME, LOOK])


def test_a_tool_may_be_called_wrongly_once() -> None:
    patience = Patience()
    assert [patience.beyond_mending([wrong()]), patience.beyond_mending([wrong()])] == [False, True]


def test_each_tool_has_its_own_correction_and_gets_it_back() -> None:
    patience = Patience()
    rounds = ([wrong()], [wrong("other")], [right()], [wrong()])
    assert not any(patience.beyond_mending(results) for results in rounds)


def test_what_was_seen_before_the_program_ended_still_counts() -> None:
    again: list[Turn] = [AssistantTurn((LOOK,), ORIGIN), ToolTurn((right(),))]
    patience = patience_after([UserTurn("hello"), *again * (REPEATS - 1)])
    assert (patience.rounds, patience.repeated([LOOK])) == (REPEATS - 1, True)


def test_an_earlier_message_does_not_count() -> None:
    turns: list[Turn] = [AssistantTurn((OTHER,), ORIGIN), ToolTurn((wrong(),))] * ROUNDS
    assert patience_after([*turns, UserTurn("next")]) == Patience()


def test_no_round_begins_after_the_eighth() -> None:
    patience = Patience()
    for _ in range(ROUNDS):
        assert not patience.over
        patience.begin_round()
    assert patience.over
