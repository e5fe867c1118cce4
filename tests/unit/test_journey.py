"""The way of a call, step by step, and what the model changed when it mended one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import pytest

from app.call_views import CallBoard, CallView
from app.events import (
    CallAnswered,
    Done,
    Ending,
    Event,
    Ground,
    PermissionAsked,
    PermissionSettled,
    Withdrawn,
)
from app.mending import ABSENT, FieldChange, changes, mends
from app.messages import Messages
from app.stored_calls import board_of_turns
from app.tui.widgets.journey import journey_lines, steps
from providers.failures import Failure, FailureKind
from providers.history import AssistantTurn, ToolTurn
from providers.parts import CallBroken
from tests.call_writers import ORIGIN, Wire, answered, started, whole_call
from tests.hostile import HOSTILE, acting
from tools.call import ErrorKind, ToolCall, ToolError, ToolResult
from tools.permission import Change

WRONG = ToolError(ErrorKind.INVALID_ARGUMENTS, "invalid")
FINE = ToolResult("toolu_00", "save", {"value": 1}, seconds=0.002)
CUT = Withdrawn(Failure(FailureKind.CUT, transient=True))


def refused(error: ToolError = WRONG) -> ToolResult:
    return ToolResult("toolu_00", "save", error=error)


def called(args: Mapping[str, object], number: int = 1) -> list[Event]:
    """A round with one call, whose answer is whole."""
    wire = Wire()
    return [*started(number), *whole_call(wire, 0, "save", args), *wire.end()]


def board_after(*groups: Iterable[Event]) -> CallBoard:
    """The board after these events, of which each comes a second after the one before."""
    clock = [0.0]
    board = CallBoard(lambda: clock[0])
    for group in groups:
        for event in group:
            clock[0] += 1
            board.apply(event)
    return board


def told(view: CallView) -> dict[str, tuple[str, str]]:
    """Each step's mark and words."""
    return {step.name: (step.mark.text, step.words) for step in steps(view, Messages())}


def test_an_answered_read_took_all_five_steps() -> None:
    (view,) = board_after(called({"n": 1}), answered(0, FINE)).views
    assert [mark for mark, _ in told(view).values()] == ["✓"] * 5


def test_the_steps_have_rising_times() -> None:
    asked: list[Event] = [PermissionAsked(0, Change()), PermissionSettled(0, Ground.ONCE)]
    (view,) = board_after(called({"n": 1}), asked, answered(0, FINE)).views
    times = [step.at for step in steps(view, Messages()) if step.at is not None]
    assert (len(times), times) == (5, sorted(times))


@pytest.mark.parametrize("ground", Ground)
def test_every_ground_has_its_words(ground: Ground) -> None:
    settled: list[Event] = [PermissionAsked(0, Change()), PermissionSettled(0, ground)]
    (view,) = board_after(called({}), settled).views
    mark, words = told(view)["permitted"]
    assert mark == ("✗" if ground is Ground.DENIED else "✓")
    assert not words.startswith("journey.")


def test_a_waiting_call_stands_at_the_permission() -> None:
    (view,) = board_after(called({}), [PermissionAsked(0, Change())]).views
    assert told(view)["checked"][0] == "✓"
    assert told(view)["permitted"] == ("…", "waits for your permission")
    assert told(view)["run"][0] == "·"


def test_a_call_that_does_not_fit_never_ran() -> None:
    (view,) = board_after(called({}), [CallAnswered(0, refused())]).views
    assert told(view)["checked"] == ("✗", "the arguments do not fit")
    assert told(view)["run"] == ("–", "did not run")
    assert told(view)["answered"][0] == "✓"


def test_a_cut_call_came_no_further_than_its_arguments() -> None:
    wire = Wire()
    half: list[Event] = [wire.start(0, "save", "toolu_00"), wire.fragment(0, '{"n'), CUT]
    (view,) = board_after(started(), half).views
    assert told(view)["assembled"][0] == "✗"
    assert [told(view)[name][0] for name in ("checked", "permitted", "run")] == ["–"] * 3


def test_a_write_that_was_known_already_is_not_said_to_have_run_again() -> None:
    (view,) = board_after(called({}), [CallAnswered(0, FINE)]).views
    assert told(view)["run"] == ("–", "was done before, not repeated")


def test_a_stored_call_has_steps_but_no_times() -> None:
    turn = AssistantTurn((ToolCall("save", {}, "anthropic", "toolu_00"),), ORIGIN)
    (view,) = board_of_turns([turn, ToolTurn((FINE,))]).views
    assert told(view)["run"] == ("✓", "took 2 ms")
    assert [step.at for step in steps(view, Messages())] == [None] * 5


def test_a_stopped_call_that_did_not_begin_is_not_said_to_have_been_checked() -> None:
    stopped = CallAnswered(0, refused(ToolError(ErrorKind.CANCELLED, "stopped")))
    (view,) = board_after(called({}), [stopped, Done(Ending.STOPPED)]).views
    assert told(view)["checked"][0] == "–"


def test_hostile_names_and_values_are_inert_in_a_journey() -> None:
    board = board_after(
        called({HOSTILE: HOSTILE}),
        [CallAnswered(0, refused(ToolError(ErrorKind.INVALID_ARGUMENTS, HOSTILE)))],
        called({HOSTILE: 2}, 2),
        answered(0, FINE),
    )
    first = board.views[0]
    lines = journey_lines(first, mends(board.views)[first.key], Messages(), 50)
    assert acting("\n".join(piece.text for line in lines for piece in line)) == []


# --- mending


def mended(before: Mapping[str, object], after: Mapping[str, object]) -> CallBoard:
    return board_after(
        called(before), [CallAnswered(0, refused())], called(after, 2), answered(0, FINE)
    )


def test_the_next_rounds_call_of_the_same_tool_is_the_mend() -> None:
    board = mended({"key": "age"}, {"key": "height"})
    first, second = board.views
    found = mends(board.views)
    assert found[first.key] is found[second.key]
    assert (found[first.key].before, found[first.key].after) == (first, second)


def test_what_differs_is_told_field_by_field() -> None:
    board = mended({"key": "age", "n": 1, "x": 0}, {"key": "height", "n": 1, "y": 2})
    assert changes(mends(board.views)[board.views[0].key]) == (
        FieldChange("key", "age", "height"),
        FieldChange("x", 0, ABSENT),
        FieldChange("y", ABSENT, 2),
    )


def test_a_call_that_was_no_json_is_mended_too_and_both_texts_are_shown() -> None:
    wire = Wire()
    broken = [wire.start(0, "save", "toolu_00"), wire.fragment(0, '{"n": ')]
    breaking = wire.part(CallBroken(0, "save", "toolu_00", '{"n": ', "not JSON"))
    error = ToolError(ErrorKind.BROKEN_CALL, "broken")
    board = board_after(
        started(), broken, [breaking, *wire.end()], called({"n": 1}, 2), answered(0, FINE)
    )
    board.views[0].result = refused(error)
    found = mends(board.views)[board.views[0].key]
    lines = journey_lines(board.views[0], found, Messages(), 60)
    text = "\n".join("".join(piece.text for piece in line) for line in lines)
    assert '{"n": \n' in text
    assert '→ {"n": 1}' in text


def test_a_call_of_another_tool_or_of_the_same_round_is_no_mend() -> None:
    board = board_after(called({"n": 1}), [CallAnswered(0, refused())])
    assert mends(board.views) == {}
