"""How one turn's calls become one result for each, in the calls' order.

The calls are grouped into stages: reads that stand side by side run together, a write waits for
all before it, runs alone, and all after it wait. Whatever a model says and whatever a tool does,
each call is answered exactly once: with its output, or with an error that the model can use.

Cancelling `dispatch` cancels the reads that run, answers every call that has no answer yet as
cancelled, and only then goes on as a cancellation.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from tools.arguments import ArgumentsError, checked
from tools.call import AnyCall, BrokenCall, ErrorKind, ToolCall, ToolError, ToolResult
from tools.output import as_json
from tools.tool import Effect, JsonValue, Tool, ToolContext, ToolFailure
from tools.toolbox import Toolbox

Stage: TypeAlias = tuple[int, ...]
"""The places of calls that may run together."""

CANCELLED = ToolError(ErrorKind.CANCELLED, "The person stopped this turn: the call has no result.")


def stages(effects: Sequence[Effect]) -> tuple[Stage, ...]:
    """The order of a turn: neighbouring reads share a stage, each write has one to itself."""
    grouped: list[list[int]] = []
    reading = False
    for place, effect in enumerate(effects):
        if effect is Effect.READ and reading:
            grouped[-1].append(place)
        else:
            grouped.append([place])
        reading = effect is Effect.READ
    return tuple(tuple(stage) for stage in grouped)


async def dispatch(
    calls: Sequence[AnyCall],
    toolbox: Toolbox,
    context: ToolContext,
    *,
    on_running: Callable[[int], None],
    on_answered: Callable[[int, ToolResult], None],
    on_exception: Callable[[ToolCall, BaseException], None],
    clock: Callable[[], float] = time.monotonic,
) -> tuple[ToolResult, ...]:
    """The results of `calls`, in their order.

    `on_running` is told the place of a call when its tool starts, `on_answered` the place of each
    call with its result, exactly once, and `on_exception` what an unexpected exception was: the
    model hears only that the tool failed. `clock` gives seconds.
    """
    turn = _Turn(calls, toolbox, context, on_running, on_answered, on_exception, clock)
    try:
        for stage in stages([_effect(call, toolbox) for call in calls]):
            async with asyncio.TaskGroup() as group:
                for place in stage:
                    group.create_task(turn.answer(place))
    except asyncio.CancelledError:
        turn.cancel_unanswered()
        raise
    return tuple(turn.results[place] for place in range(len(calls)))


def _effect(call: AnyCall, toolbox: Toolbox) -> Effect:
    """What a call does; one that cannot run does no more than a read."""
    tool = toolbox.find(call.name) if isinstance(call, ToolCall) else None
    return tool.effect if tool else Effect.READ


@dataclass(frozen=True, slots=True)
class _Output:
    """What a tool returned, as JSON."""

    value: JsonValue


Outcome: TypeAlias = _Output | ToolError


@dataclass(frozen=True, slots=True)
class _Turn:
    """The calls of a turn and the answers that they have so far."""

    calls: Sequence[AnyCall]
    toolbox: Toolbox
    context: ToolContext
    on_running: Callable[[int], None]
    on_answered: Callable[[int, ToolResult], None]
    on_exception: Callable[[ToolCall, BaseException], None]
    clock: Callable[[], float]
    results: dict[int, ToolResult] = field(default_factory=dict)

    async def answer(self, place: int) -> None:
        call = self.calls[place]
        started = self.clock()
        match call:
            case BrokenCall():
                outcome: Outcome = _broken(call)
            case ToolCall():
                outcome = await self._outcome(place, call)
        seconds = self.clock() - started
        match outcome:
            case ToolError():
                result = ToolResult(call.call_id, call.name, error=outcome, seconds=seconds)
            case _Output(value):
                result = ToolResult(call.call_id, call.name, output=value, seconds=seconds)
        self._settle(place, result)

    def cancel_unanswered(self) -> None:
        for place, call in enumerate(self.calls):
            if place not in self.results:
                self._settle(place, ToolResult(call.call_id, call.name, error=CANCELLED))

    def _settle(self, place: int, result: ToolResult) -> None:
        self.results[place] = result
        self.on_answered(place, result)

    async def _outcome(self, place: int, call: ToolCall) -> Outcome:
        """What came of a call; raises nothing but our own cancellation."""
        tool = self.toolbox.find(call.name)
        if tool is None:
            return _unknown(call.name, self.toolbox)
        limit = asyncio.timeout(tool.time_limit)
        try:
            arguments = checked(call.args, tool.arguments)
            if tool.effect is Effect.WRITE:
                return _not_allowed(tool)
            self.on_running(place)
            async with limit:
                output = await tool.run(arguments, self.context)
            return _Output(as_json(output))
        except ArgumentsError as error:
            return _invalid(tool, error)
        except ToolFailure as failure:
            return ToolError(ErrorKind.FAILED, str(failure))
        except asyncio.CancelledError as error:
            if _being_cancelled():
                raise
            return self._failed(call, error)
        except (Exception, SystemExit) as error:  # noqa: BLE001 - a tool is a stranger's code
            return _timed_out(tool) if limit.expired() else self._failed(call, error)

    def _failed(self, call: ToolCall, error: BaseException) -> ToolError:
        self.on_exception(call, error)
        message = f"{call.name} failed unexpectedly ({type(error).__name__}); it gave no result."
        return ToolError(ErrorKind.FAILED, message)


def _being_cancelled() -> bool:
    """Whether someone cancelled us: a tool can also raise CancelledError by itself."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


def _broken(call: BrokenCall) -> ToolError:
    message = (
        f"The arguments of {call.name} are not a JSON object ({call.reason}). Nothing was run; "
        "call it again with its arguments as one complete JSON object."
    )
    return ToolError(ErrorKind.BROKEN_CALL, message)


def _unknown(name: str, toolbox: Toolbox) -> ToolError:
    names = ", ".join(toolbox.names) or "none"
    message = f"There is no tool named {name}. The tools are: {names}."
    return ToolError(ErrorKind.UNKNOWN_TOOL, message)


def _invalid(tool: Tool, error: ArgumentsError) -> ToolError:
    message = (
        f"Invalid arguments for {tool.name}. {error}. Nothing was run; call it again with "
        "arguments that fit."
    )
    return ToolError(ErrorKind.INVALID_ARGUMENTS, message, error.problems)


def _not_allowed(tool: Tool) -> ToolError:
    """A write needs a person's permission, and nobody here can ask for one."""
    message = f"{tool.name} changes things, and that is not permitted here. Nothing was changed."
    return ToolError(ErrorKind.NOT_ALLOWED, message)


def _timed_out(tool: Tool) -> ToolError:
    message = f"{tool.name} took longer than {tool.time_limit:g} seconds and was stopped."
    return ToolError(ErrorKind.TIMED_OUT, message)
