"""How one turn's calls become one result for each, in the calls' order.

The calls are grouped into stages: reads that stand side by side run together, a write waits for
all before it, runs alone, and all after it wait. Whatever a model says and whatever a tool does,
each call is answered exactly once: with its output, or with an error that the model can use.

A write runs only with a person's permission and once (`tools.writes`); where nobody can be asked,
or there is no place in the ledger for it, it is not allowed. A read runs once more when it failed
for a reason that may be over.

Cancelling `dispatch` cancels the reads that run, waits for a write that runs, answers every call
that has no answer yet as cancelled, and only then goes on as a cancellation.
"""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from types import MappingProxyType
from typing import TypeAlias

from pydantic import BaseModel

from tools.arguments import ArgumentsError, checked
from tools.at_work import at_work
from tools.call import AnyCall, BrokenCall, ErrorKind, ToolCall, ToolError, ToolResult
from tools.ledger import Scope, entry_for
from tools.outcome import (
    CANCELLED,
    Outcome,
    Output,
    broken,
    denied,
    failed,
    invalid,
    not_allowed_here,
    result_of,
    timed_out,
    too_many,
    unknown_tool,
)
from tools.output import as_json
from tools.permission import DENIED, Change, Permission, Permit
from tools.tool import Effect, Tool, ToolContext, ToolFailure, TransientFailure
from tools.toolbox import Toolbox
from tools.writes import OnException, Write, being_cancelled, uninterrupted

CALLS = 64
"""The most calls of one turn that run."""

OnPlace: TypeAlias = Callable[[int], None]
"""Told the place of a call in its turn."""

Stage: TypeAlias = tuple[int, ...]
"""The places of calls that may run together."""


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


def _unheard(place: int) -> None:
    """For who does not want to hear of it."""


async def dispatch(
    calls: Sequence[AnyCall],
    toolbox: Toolbox,
    context: ToolContext,
    *,
    on_running: OnPlace,
    on_answered: Callable[[int, ToolResult], None],
    on_exception: OnException,
    on_permission: OnPlace = _unheard,
    on_overdue: OnPlace = _unheard,
    permit: Permit | None = None,
    scope: Scope | None = None,
    answered: Mapping[int, ToolResult] = MappingProxyType({}),
    clock: Callable[[], float] = time.monotonic,
) -> tuple[ToolResult, ...]:
    """The results of `calls`, in their order.

    `on_running` is told the place of a call when its tool starts, `on_answered` the place of each
    call with its result, exactly once, and `on_exception` what an unexpected exception was: the
    model hears only that the tool failed. `clock` gives seconds.

    For writes, `scope` says where in the ledger this turn stands and `permit` asks the person;
    without both no write runs. `on_permission` is told before `permit` is asked, `on_overdue`
    when a write has run longer than its limit and still goes on. `answered` has the results of
    calls that were answered before the program was interrupted, by place: they stand as they are,
    and nobody is told of them.
    """
    asking = _Asking(permit, scope, on_permission, on_overdue)
    turn = _Turn(calls, toolbox, context, asking, on_running, on_answered, on_exception, clock)
    turn.results.update(answered)
    try:
        for stage in stages([turn.effect(place) for place in range(len(calls))]):
            async with asyncio.TaskGroup() as group:
                for place in set(stage) - answered.keys():
                    group.create_task(turn.answer(place))
    except asyncio.CancelledError:
        turn.cancel_unanswered()
        raise
    return tuple(turn.results[place] for place in range(len(calls)))


@dataclass(frozen=True, slots=True)
class _Asking:
    """What writes need besides their arguments."""

    permit: Permit | None
    scope: Scope | None
    on_permission: OnPlace
    on_overdue: OnPlace


@dataclass(frozen=True, slots=True)
class _Turn:
    """The calls of a turn and the answers that they have so far."""

    calls: Sequence[AnyCall]
    toolbox: Toolbox
    context: ToolContext
    asking: _Asking
    on_running: OnPlace
    on_answered: Callable[[int, ToolResult], None]
    on_exception: OnException
    clock: Callable[[], float]
    started: dict[int, float] = field(default_factory=dict)
    results: dict[int, ToolResult] = field(default_factory=dict)

    def effect(self, place: int) -> Effect:
        """What a call does; one that cannot run, or does not again, does no more than a read."""
        call = self.calls[place]
        tool = self.toolbox.find(call.name) if isinstance(call, ToolCall) else None
        runs = place < CALLS and place not in self.results
        return tool.effect if tool and runs else Effect.READ

    async def answer(self, place: int) -> None:
        self._settle(place, await self._outcome(place))
        if being_cancelled():  # while a write ran, which went on to its end
            raise asyncio.CancelledError

    def cancel_unanswered(self) -> None:
        for place in range(len(self.calls)):
            if place not in self.results:
                self._settle(place, CANCELLED)

    def _settle(self, place: int, outcome: Outcome) -> None:
        started = self.started.get(place)
        seconds = 0.0 if started is None else self.clock() - started
        self.results[place] = result = result_of(self.calls[place], outcome, seconds)
        self.on_answered(place, result)

    def _start(self, place: int) -> None:
        self.started[place] = self.clock()
        self.on_running(place)

    async def _outcome(self, place: int) -> Outcome:
        """What came of a call; raises nothing but our own cancellation."""
        call = self.calls[place]
        if place >= CALLS:
            return too_many(call.name, CALLS)
        if isinstance(call, BrokenCall):
            return broken(call)
        tool = self.toolbox.find(call.name)
        if tool is None:
            return unknown_tool(call.name, self.toolbox.names)
        try:
            with at_work():
                arguments = checked(call.args, tool.arguments)
        except ArgumentsError as error:
            return invalid(tool, error)
        except BaseException as error:  # noqa: BLE001 - a model's validators are a stranger's code
            return self._failed(call, error)
        match tool.effect:
            case Effect.READ:
                return await self._read(place, call, tool, arguments)
            case Effect.WRITE:
                return await self._write(place, call, tool, arguments)

    async def _read(self, place: int, call: ToolCall, tool: Tool, arguments: BaseModel) -> Outcome:
        self._start(place)
        limit = asyncio.timeout(tool.time_limit)
        try:
            async with limit:
                try:
                    output = await tool.run(arguments, self.context)
                except (TransientFailure, ConnectionError, sqlite3.OperationalError) as error:
                    if not _transient(error):
                        raise
                    output = await tool.run(arguments, self.context)
            return Output(as_json(output, tool.output_limit))
        except ToolFailure as failure:
            return ToolError(ErrorKind.FAILED, str(failure))
        except asyncio.CancelledError as error:
            if being_cancelled():
                raise
            return self._failed(call, error)
        except (Exception, SystemExit) as error:  # noqa: BLE001 - a tool is a stranger's code
            return (
                timed_out(tool.name, tool.time_limit)
                if limit.expired()
                else self._failed(call, error)
            )

    async def _write(self, place: int, call: ToolCall, tool: Tool, arguments: BaseModel) -> Outcome:
        permit, scope = self.asking.permit, self.asking.scope
        if permit is None or scope is None:
            return not_allowed_here(tool)
        entry = entry_for(scope, place, call)
        write = Write(tool, call, arguments, entry, self.context, self.on_exception)
        foreseen = await write.foreseen()
        if not isinstance(foreseen, Change):
            return foreseen
        permission = await self._permission(permit, place, call, tool, foreseen)
        if not permission.granted:
            return denied(tool, permission.word)
        self._start(place)
        overdue = partial(self.asking.on_overdue, place)
        return await uninterrupted(write.done(), tool.time_limit, overdue)

    async def _permission(
        self, permit: Permit, place: int, call: ToolCall, tool: Tool, change: Change
    ) -> Permission:
        """The person's answer; no answer is a no."""
        self.asking.on_permission(place)
        try:
            return await permit(place, call, tool, change)
        except Exception as error:  # noqa: BLE001 - whoever asks may fail, and then nothing runs
            self.on_exception(call, error)
            return DENIED

    def _failed(self, call: ToolCall, error: BaseException) -> ToolError:
        self.on_exception(call, error)
        return failed(call.name, error)


def _transient(error: Exception) -> bool:
    """Whether trying again at once may help. Of SQLite's troubles only a lock does."""
    if isinstance(error, sqlite3.OperationalError):
        code: int = getattr(error, "sqlite_errorcode", 0)  # only SQLite itself sets it
        return code & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
    return True
