"""One result for each call, whatever a model sends and whatever a tool does."""

from __future__ import annotations

import asyncio
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from pydantic import BaseModel, field_validator

from tests.tool_makers import (
    Numbered,
    Recorder,
    call,
    error_of,
    number,
    numbered_tool,
    permitting,
)
from tools.call import BrokenCall, ErrorKind, ToolCall, ToolResult
from tools.dispatch import CALLS, stages
from tools.outcome import MESSAGE_BYTES
from tools.tool import (
    OUTPUT_BYTES,
    Effect,
    JsonValue,
    Tool,
    ToolContext,
    ToolFailure,
    TransientFailure,
    tool,
)

READ, WRITE = Effect.READ, Effect.WRITE


@pytest.mark.parametrize(
    ("effects", "expected"),
    [
        ([], ()),
        ([READ, READ, READ], ((0, 1, 2),)),
        ([WRITE, WRITE], ((0,), (1,))),
        ([READ, READ, WRITE, READ], ((0, 1), (2,), (3,))),
        ([WRITE, READ, READ], ((0,), (1, 2))),
    ],
)
def test_reads_share_a_stage_and_a_write_has_its_own(
    effects: list[Effect], expected: tuple[tuple[int, ...], ...]
) -> None:
    assert stages(effects) == expected


async def answer(tool: Tool, *calls: ToolCall | BrokenCall) -> ToolResult:
    """The result of the last call (or of a plain one)."""
    results = await Recorder().dispatch(calls or [call(tool.name)], [tool])
    return results[-1]


async def test_an_output_comes_back_on_the_id_of_its_call() -> None:
    result = await answer(numbered_tool(number), call("work", "call_7", n=3))
    assert (result.call_id, result.name, result.output, result.ok) == ("call_7", "work", 3, True)


async def test_no_calls_have_no_results() -> None:
    assert await Recorder().dispatch([], [numbered_tool(number)]) == ()


async def test_two_calls_with_one_id_are_two_calls() -> None:
    calls = [call("work", "same", n=1), call("work", "same", n=2)]
    results = await Recorder().dispatch(calls, [numbered_tool(number)])
    assert [result.output for result in results] == [1, 2]


async def test_an_unknown_tool_hears_the_names_that_exist() -> None:
    error = error_of(await answer(numbered_tool(number), call("wrok")))
    assert error.kind is ErrorKind.UNKNOWN_TOOL
    assert error.message == "There is no tool named wrok. The tools are: work."


async def test_invalid_arguments_are_told_and_nothing_runs() -> None:
    recorder = Recorder()
    results = await recorder.dispatch([call("work", n="1")], [numbered_tool(number)])
    error = error_of(results[0])
    assert error.kind is ErrorKind.INVALID_ARGUMENTS
    assert [problem.field for problem in error.problems] == ["n"]
    assert recorder.running == []


async def test_a_broken_call_is_answered_on_its_id() -> None:
    broken = BrokenCall("work", '{"n": ', "it ends too early", "simulator", "call_9")
    result = await answer(numbered_tool(number), broken)
    assert result.call_id == "call_9"
    assert error_of(result).kind is ErrorKind.BROKEN_CALL
    assert "it ends too early" in error_of(result).message


async def test_an_expected_failure_speaks_to_the_model() -> None:
    async def fail(n: int) -> JsonValue:
        message = "No height has been saved yet."
        raise ToolFailure(message)

    error = error_of(await answer(numbered_tool(fail)))
    assert (error.kind, error.message) == (ErrorKind.FAILED, "No height has been saved yet.")


class SecretError(Exception):
    pass


@tool
def leaky(arguments: Numbered, context: ToolContext) -> JsonValue:
    """Fails with something that the model must not hear."""
    message = "/home/ana/secret"
    raise SecretError(message)


@tool
def exits(arguments: Numbered, context: ToolContext) -> JsonValue:
    """Tries to end the program."""
    sys.exit(3)


@tool
def stops_iterating(arguments: Numbered, context: ToolContext) -> JsonValue:
    """Raises the one exception that a future cannot carry."""
    return next(iter([]))


@tool
async def cancels_itself(arguments: Numbered, context: ToolContext) -> JsonValue:
    """Pretends that somebody cancelled it."""
    raise asyncio.CancelledError


@tool
def no_json(arguments: Numbered, context: ToolContext) -> JsonValue:
    """Returns what JSON cannot hold."""
    return {"value": float("nan")}


@pytest.mark.parametrize("bad", [leaky, exits, stops_iterating, cancels_itself, no_json])
async def test_whatever_a_tool_raises_becomes_a_result(bad: Tool) -> None:
    recorder = Recorder()
    results = await recorder.dispatch([call(bad.name), call("work", n=1)], [bad, good])
    assert error_of(results[0]).kind is ErrorKind.FAILED
    assert results[1].output == 1
    assert len(recorder.exceptions) == 1


good = numbered_tool(number)


async def test_an_exception_is_kept_from_the_model_and_told_to_the_diagnostics() -> None:
    recorder = Recorder()
    results = await recorder.dispatch([call("leaky")], [leaky])
    assert "secret" not in error_of(results[0]).message
    assert isinstance(recorder.exceptions[0], SecretError)


async def test_a_tool_that_takes_too_long_is_stopped() -> None:
    async def forever(n: int) -> JsonValue:
        await asyncio.Event().wait()
        return None

    error = error_of(await answer(numbered_tool(forever, time_limit=0)))
    assert error.kind is ErrorKind.TIMED_OUT


async def test_a_tools_own_time_out_is_a_failure_of_its_own() -> None:
    async def times_out(n: int) -> JsonValue:
        raise TimeoutError

    assert error_of(await answer(numbered_tool(times_out))).kind is ErrorKind.FAILED


async def test_a_write_is_not_run_without_a_permission() -> None:
    recorder = Recorder()
    write = numbered_tool(number, effect=WRITE)
    results = await recorder.dispatch([call("work", n=1)], [write])
    assert error_of(results[0]).kind is ErrorKind.NOT_ALLOWED
    assert recorder.running == []


async def test_reads_side_by_side_wait_for_one_another() -> None:
    together = asyncio.Barrier(3)

    async def meet(n: int) -> JsonValue:
        await together.wait()  # would never end if they ran one after the other
        return n

    calls = [call("work", n=n) for n in range(3)]
    results = await Recorder().dispatch(calls, [numbered_tool(meet)])
    assert [result.output for result in results] == [0, 1, 2]


async def test_a_read_after_a_write_waits_for_it() -> None:
    recorder = Recorder()
    tools = [good, numbered_tool(number, name="write", effect=WRITE)]
    await recorder.dispatch([call("write"), call("work"), call("write")], tools)
    assert recorder.order == [0, 1, 2]


async def stopped_while_running(recorder: Recorder) -> None:
    """Dispatches a call that ends, one that waits for ever, and one that comes after; stops."""
    waits = asyncio.Event()
    recorder.on_running = lambda place: waits.set() if place == 1 else None

    async def forever(n: int) -> JsonValue:
        await asyncio.Event().wait()
        return None

    tools = [
        good,
        numbered_tool(forever, name="forever"),
        numbered_tool(number, name="write", effect=WRITE),
    ]
    calls = [call("work", n=1), call("forever"), call("write"), call("work")]
    running = asyncio.create_task(recorder.dispatch(calls, tools))
    await waits.wait()
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running


async def test_a_stop_answers_every_call_that_has_no_answer() -> None:
    recorder = Recorder()
    await stopped_while_running(recorder)
    kinds = [result.error and result.error.kind for _, result in sorted(recorder.answered.items())]
    assert kinds == [None, *[ErrorKind.CANCELLED] * 3]


async def test_a_stop_starts_no_further_call() -> None:
    recorder = Recorder()
    await stopped_while_running(recorder)
    assert recorder.running == [0, 1]


def give(output: JsonValue) -> Tool:
    async def run(n: int) -> JsonValue:
        return output

    return numbered_tool(run)


@pytest.mark.parametrize("piece", ["x", "é", "\n", "🌱", '"', "\x01"])
async def test_a_long_text_keeps_its_start_and_says_that_it_was_cut(piece: str) -> None:
    output = (await answer(give(piece * 100_000))).output
    assert output.startswith(piece)
    assert "[cut: the result had" in output


async def test_a_large_object_becomes_the_start_of_its_json() -> None:
    output = (await answer(give({"rows": ["x" * 100] * 1_000}))).output
    assert output.startswith('{"rows": ["xxx')
    assert len(output.encode()) <= OUTPUT_BYTES


async def test_half_a_surrogate_pair_cannot_leave_a_tool() -> None:
    assert (await answer(give({"name": "a\ud800b"}))).output == {"name": "a?b"}


async def test_an_output_shares_nothing_with_the_tool() -> None:
    rows: list[JsonValue] = [1]
    output = (await answer(give(rows))).output
    rows.append(2)
    assert output == [1]


@tool(output_limit=100)
def chatty(arguments: Numbered, context: ToolContext) -> JsonValue:
    """Says much, of which little is let through."""
    return "x" * 10_000


async def test_a_tool_may_have_a_smaller_limit_of_its_own() -> None:
    output = (await answer(chatty)).output
    assert output.startswith("xxx")
    assert len(output) < 110


async def test_calls_over_the_most_of_a_turn_are_answered_and_not_run() -> None:
    recorder = Recorder()
    calls = [call("work", n=n) for n in range(CALLS + 2)]
    results = await recorder.dispatch(calls, [good])
    assert [result.output for result in results[:CALLS]] == list(range(CALLS))
    assert [error_of(result).kind for result in results[CALLS:]] == [ErrorKind.TOO_MANY_CALLS] * 2
    assert len(recorder.running) == CALLS


def locked() -> sqlite3.OperationalError:
    error = sqlite3.OperationalError("database is locked")
    error.sqlite_errorcode = sqlite3.SQLITE_BUSY
    return error


def failing(times: int, error: Exception) -> tuple[Tool, list[int]]:
    """A read that fails so often before it works, and the list of its runs."""
    runs: list[int] = []

    async def run(n: int) -> JsonValue:
        runs.append(n)
        if len(runs) <= times:
            raise error
        return n

    return numbered_tool(run), runs


@pytest.mark.parametrize("error", [TransientFailure("Busy."), ConnectionError(), locked()])
async def test_a_read_whose_failure_may_be_over_runs_once_more(error: Exception) -> None:
    tool, runs = failing(1, error)
    assert (await answer(tool)).ok
    assert len(runs) == 2


@pytest.mark.parametrize(
    ("times", "error", "expected"),
    [
        (9, TransientFailure("Busy."), 2),
        (9, locked(), 2),
        (1, ToolFailure("There is none."), 1),
        (1, ValueError(), 1),
        (1, sqlite3.OperationalError("no such table"), 1),
    ],
)
async def test_a_read_runs_no_more_than_twice_and_not_again_for_nothing(
    times: int, error: Exception, expected: int
) -> None:
    tool, runs = failing(times, error)
    assert error_of(await answer(tool)).kind is ErrorKind.FAILED
    assert len(runs) == expected


class Odd(BaseException):
    """Nothing that `except Exception` would catch."""


ODD = [KeyboardInterrupt(), GeneratorExit(), Odd(), BaseExceptionGroup("both", [Odd()])]


@pytest.mark.parametrize("effect", [READ, WRITE])
@pytest.mark.parametrize("error", ODD, ids=lambda error: type(error).__name__)
async def test_whatever_a_tool_raises_is_one_result(
    error: BaseException, effect: Effect, tmp_path: Path
) -> None:
    @tool(effect=effect)
    def plain(arguments: Numbered, context: ToolContext) -> JsonValue:
        """Raises."""
        raise error

    @tool(effect=effect)
    async def in_loop(arguments: Numbered, context: ToolContext) -> JsonValue:
        """Raises."""
        raise error

    context = ToolContext(tmp_path, tmp_path / "demo.sqlite3")
    calls = [call("plain"), call("in_loop")]
    results = await permitting().dispatch(calls, [plain, in_loop], context)
    wanted = ErrorKind.FAILED if effect is READ else ErrorKind.UNKNOWN_OUTCOME
    assert [error_of(result).kind for result in results] == [wanted, wanted]


class Ending(BaseModel):
    n: int

    @field_validator("n")
    @classmethod
    def end(cls, n: int) -> int:
        sys.exit(n)


async def test_a_validator_that_ends_programs_ends_none() -> None:
    @tool
    def ending(arguments: Ending, context: ToolContext) -> JsonValue:
        """Ends."""
        return None

    result = await answer(ending, call("ending", n=3))
    assert error_of(result).message.startswith("ending failed unexpectedly (SystemExit)")


async def test_what_a_tool_says_of_its_failure_is_bounded_and_can_be_written() -> None:
    async def refuses(_: int) -> JsonValue:
        raise ToolFailure("\ud800" + "long " * 1_000_000)

    message = error_of(await answer(numbered_tool(refuses))).message
    assert len(message.encode()) <= MESSAGE_BYTES


async def test_tools_that_hang_keep_no_other_from_a_thread() -> None:
    free = threading.Event()

    @tool(time_limit=0.05)
    def hangs(arguments: Numbered, context: ToolContext) -> JsonValue:
        """Hangs."""
        free.wait(60)
        return None

    results = await Recorder().dispatch([call("hangs")] * CALLS, [hangs])
    try:
        assert {error_of(result).kind for result in results} == {ErrorKind.TIMED_OUT}
        assert await asyncio.wait_for(asyncio.to_thread(lambda: "free"), 5) == "free"
    finally:
        free.set()


def test_a_tool_that_hangs_does_not_keep_the_program_from_ending() -> None:
    program = """
import asyncio, time
from tests.tool_makers import Numbered, Recorder, call
from tools.tool import ToolContext, tool

@tool(time_limit=0.05)
def hangs(arguments: Numbered, context: ToolContext) -> None:
    "Hangs."
    time.sleep(600)

asyncio.run(Recorder().dispatch([call("hangs")], [hangs]))
"""
    ended = subprocess.run([sys.executable, "-c", program], timeout=30, check=False)
    assert ended.returncode == 0
