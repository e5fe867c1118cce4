"""Where a stranger's code runs: a tool's own function, its preview, its file while it is loaded.

It may hang, exit, or raise what would end an event loop. So it gets a thread of its own that
nobody waits for at the program's end, and what it raises comes back as an exception that can be
borne. (What it prints: see `tools.at_work`.)
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from contextvars import copy_context
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


class StrangeError(Exception):
    """Strange code raised something that is no ordinary exception, and that a future could not
    carry or that would end the event loop. What it was is its cause."""


def borne(error: BaseException, whose: str) -> BaseException:
    """What to raise in the place of what strange code raised. Our own cancellation passes."""
    match error:
        case StopIteration() | StopAsyncIteration():
            pass
        case Exception() | SystemExit() | asyncio.CancelledError():
            return error
    told = StrangeError(f"{whose} raised {type(error).__name__}")
    told.__cause__ = error
    return told


async def in_own_thread(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """As `asyncio.to_thread`, but one that hangs keeps no other from its thread, and does not
    keep the program from ending."""
    loop = asyncio.get_running_loop()
    future: asyncio.Future[T] = loop.create_future()
    context = copy_context()

    def settle(value: T | None, error: BaseException | None) -> None:
        if future.done():  # nobody waits any more
            return
        if error is None:
            future.set_result(value)  # type: ignore[arg-type]  # without an error it is a T
        else:
            future.set_exception(error)

    def run() -> None:
        value, failure = None, None
        try:
            value = context.run(work, *args, **kwargs)
        except BaseException as error:  # noqa: BLE001 - it is raised where it is awaited
            failure = borne(error, "a thread")
        with suppress(RuntimeError):  # the program has ended meanwhile
            loop.call_soon_threadsafe(settle, value, failure)

    threading.Thread(target=run, name="tool", daemon=True).start()
    return await future
