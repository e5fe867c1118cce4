"""The loop: what is asked, what runs, what is kept, and how it ends."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from pathlib import Path

import pytest
from pydantic import BaseModel, ConfigDict

from app import events
from app.agent import Agent, Asking
from app.patience import ROUNDS
from providers.failures import Failure, FailureKind
from providers.history import AssistantTurn, ToolTurn, Turn, UserTurn, valid
from providers.parts import CallFragment, CallStarted, Part, Stop, Stopped, TextDelta
from providers.request import Choose, OneTool, ToolChoice
from tests.scripted import (
    HeldClock,
    Log,
    Memory,
    ScriptedSpeaker,
    attempts,
    broken,
    call,
    calls,
    failed,
    of_type,
    text,
)
from tools.call import ErrorKind, ToolCall
from tools.tool import Effect, JsonValue, ToolContext, tool
from tools.toolbox import Toolbox

SERVER = Failure(FailureKind.SERVER, transient=True, status=500)
AUTH = Failure(FailureKind.AUTH, transient=False, status=401)
CUT = Failure(FailureKind.CUT, transient=True)


class Key(BaseModel):
    model_config = ConfigDict(extra="forbid")
    key: str


class Desk:
    """An agent with three tools, everything it told, and what its tools were asked."""

    def __init__(self, *answers: list[Part] | None) -> None:
        self.ran: list[str] = []
        self.started = asyncio.Event()
        self.events: list[events.Event] = []
        self.held, self.log, self.memory = HeldClock(), Log(), Memory()
        self.speaker = ScriptedSpeaker(list(answers))
        self.exceptions: list[tuple[ToolCall, BaseException]] = []

        @tool
        def look(arguments: Key, context: ToolContext) -> JsonValue:
            """Looks a value up."""
            self.ran.append(arguments.key)
            if arguments.key == "explode":
                raise RuntimeError("a secret detail")
            return {"value": len(arguments.key)}

        @tool
        async def hang(arguments: Key, context: ToolContext) -> JsonValue:
            """Never answers."""
            self.started.set()
            await asyncio.Event().wait()
            return None

        @tool(effect=Effect.WRITE)
        def change(arguments: Key, context: ToolContext) -> JsonValue:
            """Changes a value."""
            self.ran.append(arguments.key)
            return None

        self.agent = Agent(
            toolbox=Toolbox([look, hang, change]),
            context=ToolContext(Path("workspace"), Path("database")),
            attempts=attempts(self.held, self.log),
            on_tool_exception=lambda one, error: self.exceptions.append((one, error)),
        )

    def answer(
        self, words: str | None = "Hello", asking: Asking | None = None
    ) -> Coroutine[None, None, events.Done]:
        return self.agent.answer(self.memory, words, self.speaker, self.events.append, asking)


async def test_an_answer_in_words_is_one_round() -> None:
    desk = Desk(text("Good day"))
    done = await desk.answer()
    assert done == events.Done(events.Ending.ANSWERED)
    assert [type(turn) for turn in desk.memory.turns] == [UserTurn, AssistantTurn]
    assert len(desk.speaker.requests) == 1


async def test_results_go_back_in_call_order_before_the_next_request() -> None:
    desk = Desk(calls(call("look", "a", key="xx"), call("look", "b", key="y")), text("Done"))
    await desk.answer()
    sent = desk.speaker.requests[1].history[-1]
    assert isinstance(sent, ToolTurn)
    assert [(r.call_id, r.output) for r in sent.results] == [
        ("a", {"value": 2}),
        ("b", {"value": 1}),
    ]
    assert valid(desk.memory.history)


async def test_no_call_of_a_cut_stream_runs() -> None:
    cut = failed(CUT, *call("look", "a", key="xx"))
    desk = Desk(cut, cut, cut)
    done = await desk.answer()
    assert (done.ending, desk.ran) == (events.Ending.FAILED, [])


async def test_a_failed_attempt_is_withdrawn_and_the_next_one_counts() -> None:
    desk = Desk(failed(CUT, TextDelta("Hal")), text("Whole"))
    done = await desk.answer()
    assert done.ending is events.Ending.ANSWERED
    assert of_type(events.Withdrawn, desk.events) == [events.Withdrawn(CUT)]
    assert [turn.text for turn in desk.memory.turns if isinstance(turn, AssistantTurn)] == ["Whole"]


async def test_three_attempts_are_made_and_the_waits_grow() -> None:
    desk = Desk(failed(SERVER), failed(SERVER), failed(SERVER))
    done = await desk.answer()
    assert done == events.Done(events.Ending.FAILED, SERVER, "K7Q2")
    assert [wait for _, _, wait in desk.log.records] == [0.5, 1.0, None]
    assert [one.number for one in of_type(events.AttemptStarted, desk.events)] == [1, 2, 3]


async def test_a_wait_is_counted_down_each_second() -> None:
    asked = Failure(FailureKind.RATE_LIMIT, transient=True, status=429, wait=2.5)
    desk = Desk(failed(asked), text("Now"))
    await desk.answer()
    assert [one.seconds for one in of_type(events.Waiting, desk.events)] == [2.5, 1.5, 0.5]


async def test_a_permanent_failure_is_not_tried_again() -> None:
    desk = Desk(failed(AUTH))
    done = await desk.answer()
    assert (done.failure, len(desk.speaker.requests)) == (AUTH, 1)


async def test_no_tool_runs_again_because_a_request_failed() -> None:
    desk = Desk(calls(call("look", key="once")), failed(SERVER), text("Done"))
    await desk.answer()
    assert desk.ran == ["once"]


async def test_invalid_arguments_may_be_mended_once() -> None:
    desk = Desk(calls(call("look", kee="x")), calls(call("look", key="x")), text("Mended"))
    done = await desk.answer()
    assert (done.ending, desk.ran) == (events.Ending.ANSWERED, ["x"])


@pytest.mark.parametrize("wrong", [call("look", kee="x"), broken("look"), call("nothing")])
async def test_a_second_mistake_with_the_same_tool_ends_in_the_local_sentence(
    wrong: list[Part],
) -> None:
    desk = Desk(calls(wrong), calls(wrong))
    done = await desk.answer()
    assert done.ending is events.Ending.CORRECTION_FAILED
    assert valid(desk.memory.history)


async def test_a_mended_tool_may_be_mended_again_later() -> None:
    wrong, right = calls(call("look", kee="x")), calls(call("look", key="x"))
    desk = Desk(wrong, right, wrong, right, text("Done"))
    assert (await desk.answer()).ending is events.Ending.ANSWERED


async def test_a_tool_that_explodes_tells_the_model_no_detail() -> None:
    desk = Desk(calls(call("look", key="explode")), text("Sorry"))
    await desk.answer()
    answered = of_type(events.CallAnswered, desk.events)[0].result
    assert answered.error is not None
    assert answered.error.kind is ErrorKind.FAILED
    assert "secret" not in answered.error.message
    assert "secret" in str(desk.exceptions[0][1])


async def test_a_message_ends_after_eight_rounds() -> None:
    desk = Desk(*(calls(call("look", key=str(n))) for n in range(ROUNDS)))
    done = await desk.answer()
    assert (done.ending, len(desk.speaker.requests)) == (events.Ending.TOO_MANY_ROUNDS, 8)
    assert valid(desk.memory.history)


async def test_a_forced_call_is_forced_in_the_first_round_only() -> None:
    desk = Desk(calls(call("look", key="x")), text("Done"))
    await desk.answer(asking=Asking(choice=OneTool("look")))
    assert [one.choice for one in desk.speaker.requests] == [OneTool("look"), Choose.AUTO]


async def test_a_tool_that_is_not_there_cannot_be_demanded() -> None:
    desk = Desk(text("Hello"))
    await desk.answer(asking=Asking(choice=OneTool("unheard_of")))
    assert desk.speaker.requests[0].choice is Choose.AUTO


@pytest.mark.parametrize("choice", [Choose.REQUIRED, OneTool("look")])
async def test_an_answer_without_the_call_that_it_had_to_make_is_told(choice: ToolChoice) -> None:
    desk = Desk(text("No need"))
    done = await desk.answer(asking=Asking(choice=choice))
    assert of_type(events.ChoiceIgnored, desk.events) == [events.ChoiceIgnored(choice)]
    assert done.ending is events.Ending.ANSWERED


async def test_another_tool_than_the_one_named_is_told() -> None:
    desk = Desk(calls(call("look", key="x")), text("Done"))
    await desk.answer(asking=Asking(choice=OneTool("hang")))
    assert len(of_type(events.ChoiceIgnored, desk.events)) == 1


async def test_a_choice_that_was_followed_is_not_told() -> None:
    desk = Desk(calls(call("look", key="x")), text("Done"))
    await desk.answer(asking=Asking(choice=Choose.REQUIRED))
    assert of_type(events.ChoiceIgnored, desk.events) == []


async def test_a_call_that_was_forbidden_does_not_run() -> None:
    desk = Desk(calls(call("look", key="x")), text("Done"))
    await desk.answer(asking=Asking(choice=Choose.NONE))
    assert desk.ran == []
    assert len(of_type(events.ChoiceIgnored, desk.events)) == 1


async def test_the_same_call_does_not_run_in_a_third_round_in_a_row() -> None:
    desk = Desk(*(calls(call("look", f"c{n}", key="x")) for n in range(3)))
    done = await desk.answer()
    assert (done.ending, desk.ran) == (events.Ending.REPEATED_CALL, ["x", "x"])
    assert valid(desk.memory.history)
    last = of_type(events.CallAnswered, desk.events)[-1].result
    assert last.error is not None
    assert last.error.kind is ErrorKind.CANCELLED


async def test_without_a_permit_no_write_runs() -> None:
    desk = Desk(calls(call("change", key="x")), text("Done"))
    await desk.answer()
    last = desk.memory.turns[2]
    assert isinstance(last, ToolTurn)
    assert [r.error and r.error.kind for r in last.results] == [ErrorKind.NOT_ALLOWED]
    assert desk.ran == []


async def test_a_paused_turn_is_asked_to_go_on() -> None:
    desk = Desk([TextDelta("Searching"), Stopped(Stop.PAUSED, "pause_turn")], text("Found"))
    await desk.answer()
    assert len(desk.speaker.requests) == 2


async def test_going_on_adds_no_message() -> None:
    desk = Desk(failed(AUTH), text("Now"))
    await desk.answer("Hello")
    await desk.answer(None)
    assert [turn for turn in desk.memory.turns if isinstance(turn, UserTurn)] == [UserTurn("Hello")]


async def stop(desk: Desk, when: asyncio.Event) -> None:
    """Start, wait for the moment, stop, and see that the stop came through."""
    task = asyncio.ensure_future(desk.answer())
    await when.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert desk.events[-1] == events.Done(events.Ending.STOPPED)
    assert valid(desk.memory.history)


async def test_stopping_in_the_text_keeps_what_was_shown_and_closes_the_stream() -> None:
    desk = Desk(None)
    await stop(desk, desk.speaker.hanging)
    last = desk.memory.turns[-1]
    assert isinstance(last, AssistantTurn)
    assert (last.text, desk.speaker.closed) == ("so far", 1)


async def test_stopping_in_a_tool_answers_its_call_as_cancelled() -> None:
    desk = Desk(calls(call("hang", "a", key="x"), call("look", "b", key="y")))
    await stop(desk, desk.started)
    last = desk.memory.turns[-1]
    assert isinstance(last, ToolTurn)
    kinds = [result.error.kind if result.error else None for result in last.results]
    assert kinds[0] is ErrorKind.CANCELLED


async def test_stopping_while_an_answer_is_being_kept_leaves_a_valid_history() -> None:
    desk = Desk(calls(call("look", "a", key="x")))
    keeping, go_on = asyncio.Event(), asyncio.Event()
    keep = desk.memory.keep

    async def slow_keep(turn: Turn) -> None:
        if isinstance(turn, AssistantTurn):
            keeping.set()
            await go_on.wait()
        await keep(turn)

    desk.memory.keep = slow_keep  # type: ignore[method-assign]
    asyncio.get_running_loop().call_later(0.01, go_on.set)
    await stop(desk, keeping)
    assert isinstance(desk.memory.turns[-1], ToolTurn)
    assert desk.ran == []


async def test_stopping_while_waiting_for_a_retry_ends_at_once() -> None:
    desk = Desk(failed(SERVER), text("never"))
    waiting = asyncio.Event()
    tell = desk.events.append

    def watch(event: events.Event) -> None:
        tell(event)
        if isinstance(event, events.Waiting):
            waiting.set()

    async def forever(seconds: float) -> None:
        await asyncio.Event().wait()

    desk.held.sleep = forever  # type: ignore[method-assign]
    desk.agent = Agent(
        desk.agent.toolbox,
        desk.agent.context,
        attempts(desk.held, desk.log),
        desk.agent.on_tool_exception,
    )
    task = asyncio.ensure_future(desk.agent.answer(desk.memory, "Hi", desk.speaker, watch))
    await waiting.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert desk.events[-1] == events.Done(events.Ending.STOPPED)


async def test_silence_is_told_after_ten_seconds() -> None:
    desk = Desk(None)
    told = asyncio.Event()

    def watch(event: events.Event) -> None:
        desk.events.append(event)
        if isinstance(event, events.Silent):
            told.set()

    task = asyncio.ensure_future(desk.agent.answer(desk.memory, "Hi", desk.speaker, watch))
    await told.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert of_type(events.Silent, desk.events)[0].seconds == 10.0


async def test_half_a_call_at_the_length_limit_is_no_call() -> None:
    half: list[Part] = [
        CallStarted(0, "look", "a"),
        CallFragment(0, '{"k'),
        Stopped(Stop.LENGTH, "length"),
    ]
    desk = Desk(half)
    done = await desk.answer()
    assert (done.ending, desk.ran) == (events.Ending.ANSWERED, [])
