"""The events of a message become one view for each call."""

from __future__ import annotations

import time

import pytest

from app.arrivals import GrowingText, WireLog
from app.call_views import CallBoard, CallKey, CallState, CallView
from app.events import (
    AnswerEnded,
    AttemptStarted,
    CallAnswered,
    CallRunning,
    Done,
    Ending,
    Event,
    Ground,
    PermissionAsked,
    PermissionSettled,
    Resumed,
    Withdrawn,
)
from app.stored_calls import board_of_turns
from providers.failures import Failure, FailureKind
from providers.history import AssistantTurn, Origin, ToolTurn, Turn, UserTurn
from providers.parts import CallBroken, CallNamed, Restarted, Stop
from tests.call_writers import ORIGIN, Wire, answered, started, whole_call
from tools.call import BrokenCall, ErrorKind, ToolCall, ToolError, ToolResult
from tools.permission import Change

CUT = Withdrawn(Failure(FailureKind.CUT, transient=True))


def board_after(*groups: Event | list[Event]) -> CallBoard:
    board = CallBoard()
    for group in groups:
        for event in group if isinstance(group, list) else [group]:
            board.apply(event)
    return board


def only(board: CallBoard) -> CallView:
    (view,) = board.views
    return view


def growing(wire: Wire) -> list[Event]:
    return [wire.start(0, "look", "toolu_1"), wire.fragment(0, '{"ke'), wire.fragment(0, 'y": ')]


def test_a_call_appears_at_its_first_event_and_grows_with_each_fragment() -> None:
    view = only(board_after(started(), growing(Wire())))
    assert (view.state, str(view.arguments), view.fragments, view.arguments.bytes) == (
        CallState.ASSEMBLING,
        '{"key": ',
        2,
        8,
    )


def test_an_event_names_the_views_that_it_changed_and_no_other() -> None:
    wire = Wire()
    board = board_after(started(), [wire.start(0, "a", "1"), wire.start(1, "b", "2")])
    assert board.apply(wire.fragment(1, "{")) == {CallKey(1, 1, 1)}


def test_a_name_and_an_id_that_come_late_are_taken() -> None:
    wire = Wire()
    view = only(board_after(started(), growing(wire), wire.part(CallNamed(0, "lookup", "c7"))))
    assert (view.name, view.call_id) == ("lookup", "c7")


def test_each_fragment_knows_the_event_that_brought_it() -> None:
    wire = Wire()
    view = only(board_after(started(), growing(wire)))
    assert view.wire is not None
    assert '"partial_json": "y\\": "' in view.wire.cut(view.spans[1])


def test_a_call_goes_from_complete_over_running_to_answered() -> None:
    wire = Wire()
    board = board_after(started(), list(whole_call(wire, 0, "look", {"key": 1})), wire.end())
    states = [only(board).state]
    for event in answered(0, ToolResult("toolu_00", "look", 170)):
        board.apply(event)
        states.append(only(board).state)
    assert states == [CallState.COMPLETE, CallState.RUNNING, CallState.ANSWERED]


@pytest.mark.parametrize(
    ("kind", "state"),
    [
        (ErrorKind.FAILED, CallState.FAILED),
        (ErrorKind.UNKNOWN_TOOL, CallState.FAILED),
        (ErrorKind.CANCELLED, CallState.CANCELLED),
        (ErrorKind.BROKEN_CALL, CallState.BROKEN),
    ],
)
def test_an_error_result_says_how_the_call_ended(kind: ErrorKind, state: CallState) -> None:
    wire = Wire()
    board = board_after(started(), list(whole_call(wire, 0, "look", {})), wire.end())
    board.apply(CallAnswered(0, ToolResult("toolu_00", "look", error=ToolError(kind, "why"))))
    assert only(board).state is state


def test_a_withdrawn_attempt_leaves_its_calls_torn() -> None:
    view = only(board_after(started(), growing(Wire()), CUT))
    assert (view.state, view.torn) == (CallState.CUT, True)


def test_the_next_attempt_does_not_touch_the_calls_of_the_one_before() -> None:
    board = board_after(started(), growing(Wire()), CUT, AttemptStarted(2, 3), growing(Wire()))
    assert [view.state for view in board.views] == [CallState.CUT, CallState.ASSEMBLING]


def test_a_message_that_starts_over_begins_new_calls_under_the_same_keys() -> None:
    wire = Wire()
    board = board_after(started(), growing(wire), wire.part(Restarted()), growing(wire))
    assert [view.fragments for view in board.views] == [2, 2]


def test_a_call_left_open_by_an_answer_that_ended_was_cut() -> None:
    wire = Wire()
    board = board_after(started(), growing(wire), wire.end(Stop.LENGTH))
    assert only(board).state is CallState.CUT


def test_a_message_stopped_by_the_person_cancels_what_was_open() -> None:
    view = only(board_after(started(), growing(Wire()), Done(Ending.STOPPED)))
    assert (view.state, view.torn) == (CallState.CANCELLED, True)


def test_a_broken_call_keeps_its_raw_text_and_its_reason() -> None:
    wire = Wire()
    broken = CallBroken(0, "look", "toolu_1", "{oops", "no JSON")
    view = only(board_after(started(), wire.part(broken)))
    assert (view.state, str(view.arguments), view.reason) == (CallState.BROKEN, "{oops", "no JSON")


def test_places_follow_the_turn_even_when_ids_repeat() -> None:
    wire = Wire()
    calls = [e for key in (0, 1) for e in whole_call(wire, key, "look", {"n": key}, call_id="x")]
    board = board_after(started(), calls, wire.end(), CallRunning(1))
    assert [view.state for view in board.views] == [CallState.COMPLETE, CallState.RUNNING]


def test_rounds_stand_one_after_the_other() -> None:
    first, second = Wire(), Wire()
    board = board_after(
        started(1), list(whole_call(first, 0, "a", {})), first.end(), started(2), growing(second)
    )
    assert [(view.round, view.name) for view in board.views] == [(1, "a"), (2, "look")]


def test_a_turn_that_came_without_parts_has_its_views_all_the_same() -> None:
    call = ToolCall("look", {"key": "é"}, "anthropic", "c1")
    view = only(board_after(started(), AnswerEnded(AssistantTurn((call,), ORIGIN))))
    assert (view.state, str(view.arguments)) == (CallState.COMPLETE, '{"key": "é"}')


def test_the_cut_calls_do_not_count_as_standing() -> None:
    board = board_after(started(), growing(Wire()), CUT, AttemptStarted(2, 3), growing(Wire()))
    assert (len(board.standing), board.complete) == (1, 0)


def test_the_ends_of_a_growing_text_are_read_without_its_middle() -> None:
    text = GrowingText()
    for piece in ("abc", "", "de", "fgh"):
        text.add(piece)
    assert (text.head(4), text.tail(4), text.head(99), text.tail(0)) == (
        "abcd",
        "efgh",
        "abcdefgh",
        "",
    )


def test_half_a_surrogate_pair_has_a_size() -> None:
    text = GrowingText()
    text.add("\ud83d")
    assert text.bytes == 3


def test_the_wire_log_cuts_bytes_and_survives_bytes_that_are_no_text() -> None:
    log = WireLog()
    log.add(b"abc\xff")
    log.add(b"def")
    assert (log.cut((2, 6)), len(log)) == ("c\ufffdde", 7)


def test_twice_the_fragments_cost_about_twice_the_time() -> None:
    def cost(fragments: int) -> float:
        wire = Wire()
        board = board_after(started(), wire.start(0, "look", "1"))
        events = [wire.fragment(0, "abcd") for _ in range(fragments)]
        begun = time.perf_counter()
        for event in events:
            board.apply(event)
        return time.perf_counter() - begun

    cost(1_000)
    small, large = min(cost(5_000) for _ in range(3)), min(cost(20_000) for _ in range(3))
    assert large < small * 10


def test_a_broken_call_is_a_place_like_any_other() -> None:
    wire = Wire()
    wire.calls.append(BrokenCall("look", "{oops", "no JSON", "anthropic", "toolu_1"))
    board = board_after(
        started(), wire.part(CallBroken(0, "look", "toolu_1", "{oops", "no JSON")), wire.end()
    )
    error = ToolError(ErrorKind.BROKEN_CALL, "not JSON")
    changed = board.apply(CallAnswered(0, ToolResult("toolu_1", "look", error=error)))
    assert changed == {only(board).key}


def test_a_call_that_had_begun_to_run_is_never_said_not_to_have_run() -> None:
    wire = Wire()
    calls = list(whole_call(wire, 0, "look", {}))
    board = board_after(started(), calls, wire.end(), CallRunning(0), Done(Ending.FAILED))
    assert only(board).state is CallState.CANCELLED


def test_a_failure_cuts_the_candidates() -> None:
    board = board_after(started(), growing(Wire()), Done(Ending.FAILED))
    assert only(board).state is CallState.CUT


STORED: list[Turn] = [
    UserTurn("my height?"),
    AssistantTurn((ToolCall("look", {"key": "height"}, "anthropic", "c1"),), ORIGIN),
    ToolTurn((ToolResult("c1", "look", 170),)),
    AssistantTurn(("170 cm",), ORIGIN),
]


def test_stored_turns_give_the_same_views_without_fragments() -> None:
    view = only(board_of_turns(STORED))
    assert (view.state, view.envelope, view.fragments, view.arguments.bytes) == (
        CallState.ANSWERED,
        "tool_use",
        0,
        17,
    )


def test_a_stored_call_without_a_result_was_cancelled() -> None:
    assert only(board_of_turns(STORED[:2])).state is CallState.CANCELLED


def test_stored_turns_of_a_dialect_that_we_do_not_speak_have_views_too() -> None:
    turn = AssistantTurn((ToolCall("look", {}, "x", "c1"),), Origin("x", "smoke-signals", "m"))
    assert only(board_of_turns([turn])).envelope == ""


def test_each_stored_answer_is_a_round() -> None:
    board = board_of_turns([*STORED[1:3], *STORED[1:3]])
    assert [view.round for view in board.views] == [1, 2]


CHANGE = Change("change.weight", {"value": "72"})
ASKED = AssistantTurn((ToolCall("save", {"n": 1}, "anthropic", "c1"),), ORIGIN)


def test_a_write_waits_for_permission_and_then_runs() -> None:
    board = board_after(started(), AnswerEnded(ASKED), PermissionAsked(0, CHANGE))
    view = only(board)
    assert (view.state, view.change, view.ground) == (CallState.WAITING, CHANGE, None)
    board.apply(PermissionSettled(0, Ground.ONCE))
    assert (view.state, view.ground) == (CallState.COMPLETE, Ground.ONCE)
    board.apply(CallRunning(0))
    assert view.state is CallState.RUNNING


def test_a_call_knows_when_it_ran_and_in_which_attempt_it_came() -> None:
    clock = [0.0]
    board = CallBoard(lambda: clock[0])
    for at, event in enumerate(
        (
            *started(),
            AttemptStarted(2, 3),
            AnswerEnded(ASKED),
            CallRunning(0),
            CallAnswered(0, ToolResult("c1", "save", 1)),
        )
    ):
        clock[0] = float(at)
        board.apply(event)
    view = only(board)
    assert (view.started, view.ended, view.attempt) == (4.0, 5.0, 2)


def test_a_message_that_goes_on_has_its_calls_and_what_is_known_of_them() -> None:
    turn = AssistantTurn((*ASKED.calls, ToolCall("look", {}, "anthropic", "c2")), ORIGIN)
    known = ToolResult("c1", "save", 1)
    board = board_after([Resumed(3, turn, {0: known})])
    assert [(view.round, view.state) for view in board.views] == [
        (3, CallState.ANSWERED),
        (3, CallState.COMPLETE),
    ]
    board.apply(CallAnswered(1, ToolResult("c2", "look", 2)))
    assert board.views[1].state is CallState.ANSWERED
