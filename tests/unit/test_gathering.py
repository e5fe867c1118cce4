"""Parts become one turn, and only once the stream has stopped."""

from __future__ import annotations

import pytest

from providers.gathering import Gathering
from providers.history import Origin
from providers.parts import (
    CallBroken,
    CallCompleted,
    CallFragment,
    CallStarted,
    Part,
    ReasoningDelta,
    Restarted,
    Stop,
    Stopped,
    TextDelta,
    Usage,
    UsageReported,
)
from tools.call import BrokenCall, ToolCall

ORIGIN = Origin("simulator", "anthropic", "vitral-sim")
HEIGHT = ToolCall("lookup_demo_value", {"key": "height"}, "simulator", "a")
WEIGHT = ToolCall("lookup_demo_value", {"key": "weight"}, "simulator", "b")


def gathered(*parts: Part) -> Gathering:
    gathering = Gathering(ORIGIN)
    gathering.add(parts)
    return gathering


def test_texts_and_calls_keep_the_order_in_which_they_started() -> None:
    gathering = gathered(
        TextDelta("Let me "),
        TextDelta("look."),
        CallStarted(0, HEIGHT.name, "a"),
        CallStarted(1, WEIGHT.name, "b"),
        CallCompleted(1, WEIGHT),
        CallCompleted(0, HEIGHT),
        TextDelta("Done."),
        Stopped(Stop.CALLS, "tool_use", native=({"type": "text"},)),
    )
    turn = gathering.turn()
    assert turn.items == ("Let me look.", HEIGHT, WEIGHT, "Done.")
    assert turn.calls == (HEIGHT, WEIGHT)
    assert turn.native == ({"type": "text"},)


def test_a_stream_that_has_not_stopped_makes_no_turn() -> None:
    with pytest.raises(ValueError, match="candidates"):
        gathered(CallStarted(0, "f", "a"), CallCompleted(0, HEIGHT)).turn()


def test_an_unfinished_call_is_in_no_turn() -> None:
    gathering = gathered(
        CallStarted(0, HEIGHT.name, "a"),
        CallFragment(0, '{"key": "hei'),
        Stopped(Stop.LENGTH, "max_tokens"),
    )
    assert gathering.turn().items == ()


def test_a_broken_call_keeps_its_raw_text_and_its_address() -> None:
    gathering = gathered(
        CallStarted(0, "f", "a"),
        CallBroken(0, "f", "a", "{oops", "not JSON"),
        Stopped(Stop.CALLS, "tool_use"),
    )
    assert gathering.turn().calls == (BrokenCall("f", "{oops", "not JSON", "simulator", "a"),)


def test_a_restart_drops_all_that_came_before_it() -> None:
    gathering = gathered(
        TextDelta("old"),
        ReasoningDelta("old thought"),
        CallStarted(0, HEIGHT.name, "a"),
        CallCompleted(0, HEIGHT),
        Restarted(),
        TextDelta("new"),
        Stopped(Stop.END, "end_turn"),
    )
    turn = gathering.turn()
    assert (turn.items, turn.reasoning) == (("new",), "")


def test_the_last_usage_counts() -> None:
    gathering = gathered(UsageReported(Usage(input=1)), UsageReported(Usage(input=2)))
    assert gathering.usage == Usage(input=2)


def test_a_stopped_answer_keeps_what_was_whole_and_no_opaque_items() -> None:
    gathering = gathered(
        TextDelta("So far"),
        CallStarted(0, HEIGHT.name, "a"),
        CallCompleted(0, HEIGHT),
        CallStarted(1, WEIGHT.name, "b"),
        CallFragment(1, '{"k'),
    )
    turn = gathering.interrupted_turn()
    assert turn is not None
    assert (turn.items, turn.native) == (("So far", HEIGHT), ())


def test_nothing_is_kept_of_an_answer_stopped_before_it_began() -> None:
    assert gathered().interrupted_turn() is None
