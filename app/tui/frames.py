"""When is what came drawn? At most once a frame, and never for longer than a frame can bear.

Thousands of events a second are collected and told together; a backlog is worked off in slices,
so that keys and timers always get their turn.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable

from app.events import Event

FRAME = 1 / 30
"""Seconds between two drawings while something streams."""
SLICE = 0.005
"""Seconds that one slice of events may take."""


class Frames:
    """Takes events at any pace; `tell` gets each, `draw` is called once for many."""

    def __init__(self, tell: Callable[[Event], None], draw: Callable[[], None]) -> None:
        self._tell = tell
        self._draw = draw
        self._events: deque[tuple[float, Event]] = deque()
        self.came_at = 0.0
        """When the event that is being told came, in seconds since 1970."""
        self._timer: asyncio.TimerHandle | None = None
        self._then: Callable[[], None] | None = None
        self._drawn_at = 0.0

    @property
    def waiting(self) -> bool:
        """Whether something has come that is not drawn yet."""
        return self._timer is not None

    def add(self, came_at: float, event: Event) -> None:
        """An event that came then, in seconds since 1970; it is told and drawn with this frame."""
        self._events.append((came_at, event))
        if self._timer is None:
            loop = asyncio.get_running_loop()
            wait = max(self._drawn_at + FRAME - loop.time(), 0.0)
            self._timer = loop.call_later(wait, self._frame)

    def finish(self, then: Callable[[], None]) -> None:
        """No more events come: tell and draw what is left, and then call `then`."""
        self._then = then
        if self._timer is None:
            self._frame()

    def close(self) -> None:
        """Nothing is drawn after this."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None
        self._events.clear()

    def _frame(self) -> None:
        self._timer = None
        until = time.perf_counter() + SLICE
        while self._events and time.perf_counter() < until:
            self.came_at, event = self._events.popleft()
            self._tell(event)
        self._draw()
        loop = asyncio.get_running_loop()
        self._drawn_at = loop.time()
        if self._events:
            self._timer = loop.call_later(FRAME / 2, self._frame)
        elif self._then is not None:
            then, self._then = self._then, None
            then()
