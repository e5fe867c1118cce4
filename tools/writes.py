"""How one write is asked for and done: looked up, looked at, permitted, done once, recorded.

Nothing here trusts the caller to have checked anything. A call that the ledger knows is answered
from it, and nobody is asked again. The ledger looks once more when the write begins, because
another program may have been faster while the person was thinking.

A write is never cut in the middle. Neither a thread nor a half-written file can be stopped so
that one could say what was done; so a stop waits for a write that runs, and its time limit only
tells the person that it takes long (`uninterrupted`). One that never ends is ended with the
program, and counts as unknown.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, replace
from typing import TypeVar

from pydantic import BaseModel

from tools.call import ErrorKind, ToolCall, ToolError
from tools.ledger import Entry, Ledger
from tools.outcome import Outcome, Output, failed, timed_out, unknown_outcome
from tools.output import as_json
from tools.permission import Change
from tools.strange import in_own_thread
from tools.tool import Tool, ToolContext, ToolFailure

T = TypeVar("T")
LOOK_SECONDS = 30.0
"""How long a look at what a write would change may take."""

OnException = Callable[[ToolCall, BaseException], None]


@dataclass(frozen=True, slots=True)
class Write:
    """One call of a tool that writes, with arguments that fit."""

    tool: Tool
    call: ToolCall
    arguments: BaseModel
    entry: Entry
    context: ToolContext
    on_exception: OnException

    @property
    def ledger(self) -> Ledger:
        return Ledger(self.context.database)

    async def foreseen(self) -> Change | Outcome:
        """What the call will change; or its outcome, if that is known without doing it."""
        limit = asyncio.timeout(LOOK_SECONDS)
        try:
            async with limit:
                return await in_own_thread(self._look)
        except ToolFailure as failure:
            return ToolError(ErrorKind.FAILED, str(failure))
        except (Exception, SystemExit, asyncio.CancelledError) as error:  # noqa: BLE001 - strange code
            return (
                timed_out(self.tool.name, LOOK_SECONDS) if limit.expired() else self._failed(error)
            )

    async def done(self) -> Outcome:
        """Do it, unless it was done; raises nothing."""
        try:
            if self.tool.in_transaction is None:
                return await self._done_apart()
            return await in_own_thread(self.ledger.once, self.entry, self._in_transaction)
        except (Exception, SystemExit, asyncio.CancelledError) as error:  # noqa: BLE001 - strange code
            return self._failed(error)

    def _look(self) -> Change | Outcome:
        known = self.ledger.recall(self.entry)
        if known is not None:
            return known
        if self.tool.preview is None:
            change = Change(self.tool.permission, _values(self.arguments))
        else:
            change = self.tool.preview(self.arguments, self.context)
        entry = self.entry
        earlier = self.ledger.earlier_write(entry.scope.conversation, entry.name, entry.digest)
        return replace(change, earlier=earlier)

    def _in_transaction(self, connection: sqlite3.Connection) -> Outcome:
        assert self.tool.in_transaction is not None
        context = replace(self.context, connection=connection)
        try:
            returned = self.tool.in_transaction(self.arguments, context)
        except ToolFailure as failure:
            return ToolError(ErrorKind.FAILED, str(failure))
        return Output(as_json(returned, self.tool.output_limit))

    async def _done_apart(self) -> Outcome:
        """An effect outside the database: begun, done, recorded, each on disk before the next."""
        known = await asyncio.to_thread(self.ledger.begin, self.entry)
        if known is not None:
            return known
        try:
            outcome = await self._outcome_apart()
            await asyncio.to_thread(self.ledger.finish, self.entry, outcome)
        except (Exception, SystemExit, asyncio.CancelledError) as error:  # noqa: BLE001 - as above
            # It may have done a part: the record stays "begun", which nobody repeats.
            self.on_exception(self.call, error)
            return unknown_outcome(self.tool.name)
        return outcome

    async def _outcome_apart(self) -> Outcome:
        try:
            returned = await self.tool.run(self.arguments, self.context)
        except ToolFailure as failure:
            return ToolError(ErrorKind.FAILED, str(failure))
        return Output(as_json(returned, self.tool.output_limit))

    def _failed(self, error: BaseException) -> ToolError:
        if isinstance(error, asyncio.CancelledError) and being_cancelled():
            raise error
        self.on_exception(self.call, error)
        return failed(self.tool.name, error)


async def uninterrupted(
    work: Coroutine[None, None, T], limit: float, on_overdue: Callable[[], None]
) -> T:
    """What `work` gives, however often we are cancelled meanwhile: the caller has to ask its task
    (`cancelling`) whether it was. `on_overdue` is told once, after `limit` seconds."""
    task = asyncio.ensure_future(work)
    wait: float | None = limit
    while not task.done():
        try:
            await asyncio.wait({task}, timeout=wait)
        except asyncio.CancelledError:
            continue
        if wait is not None and not task.done():
            on_overdue()
        wait = None
    return task.result()


def being_cancelled() -> bool:
    """Whether someone cancelled us: a tool can also raise CancelledError by itself."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


def _values(arguments: BaseModel) -> dict[str, str | int | float]:
    """The arguments that a sentence can hold."""
    return {
        key: value
        for key, value in arguments.model_dump(mode="json").items()
        if isinstance(value, str | int | float)
    }
