"""Whether a stranger's code is at work here: a tool's function, or its file while it is loaded.

The program's streams ask, so that what a tool prints is not taken for an answer of ours. Light: it
is imported at every start.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_at_work: ContextVar[bool] = ContextVar("strange code at work", default=False)


def is_at_work() -> bool:
    """Whether it is a stranger's code that asks, in a thread that it runs in or in a task."""
    return _at_work.get()


@contextmanager
def at_work() -> Iterator[None]:
    """What runs inside is a stranger's code."""
    before = _at_work.set(True)
    try:
        yield
    finally:
        _at_work.reset(before)
