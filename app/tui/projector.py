"""How fast does a person see what came? A queue of events between the agent and the screen.

The agent never waits: while the picture is held or slow, events queue up here, and all of them are
shown in the end, in their order. It knows no screen and no clock; whoever drives it says what time
it is. At full speed with nothing held, an event passes straight through.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import groupby
from math import inf

from app.events import Event, MessageStarted, Received, Resumed
from providers.parts import CallFragment, Part, ReasoningDelta, TextDelta

SPEEDS = (0.1, 0.25, 0.5, 1.0, 2.0, 5.0, 10.0)
"""How many times as fast as it came."""
LIVE = inf
"""The speed at which nothing waits."""
LONGEST_GAP = 1.0
"""Seconds of silence that are played; a longer one is cut to these."""
_LATE = 0.1
"""Seconds that playing may be behind its own time and still catch up."""

Show = Callable[[float, Event], None]
"""Takes an event and when it came, in seconds since 1970."""


@dataclass(frozen=True, slots=True)
class Showing:
    """How the stream is shown: held or not, how fast, and how many events have come that are not
    shown yet."""

    paused: bool = False
    speed: float = LIVE
    waiting: int = 0


class Projector:
    """Takes events as they come and shows them when they are due."""

    def __init__(self, show: Show) -> None:
        self._show = show
        self._queue: deque[tuple[float, Event]] = deque()
        self._paused = False
        self._speed = LIVE
        self._shown_at = -inf
        """When the newest event was shown, on the clock of `play`."""
        self._newest = inf
        """When that event had come."""

    @property
    def showing(self) -> Showing:
        return Showing(self._paused, self._speed, len(self._queue))

    def add(self, came_at: float, event: Event) -> None:
        """An event came. The person's own message is shown at once, and so is everything at full
        speed; the rest is shown by `play` and by steps."""
        own = isinstance(event, MessageStarted | Resumed)
        if not self._queue and (own or (self._speed == LIVE and not self._paused)):
            self._show_one(came_at, event)
        else:
            self._queue.extend((came_at, one) for one in _by_wire_event(event))

    def play(self, now: float) -> float | None:
        """Show what is due at `now`, in seconds of any clock that only goes forward; gives the
        seconds until the next event is due, None when nothing is."""
        while self._queue and not self._paused:
            came_at, event = self._queue[0]
            gap = min(max(came_at - self._newest, 0.0), LONGEST_GAP)
            due = self._shown_at + gap / self._speed
            if due > now:
                return due - now
            self._queue.popleft()
            self._show_one(came_at, event)
            self._shown_at = max(due, now - _LATE)
        return None

    def pause(self) -> None:
        """Hold the picture; what comes from now on waits."""
        self._paused = True

    def go_on(self, now: float) -> None:
        """Let what waits play from here."""
        self._paused, self._shown_at = False, now

    def catch_up(self) -> None:
        """Show all that waits, and everything as it comes from now on."""
        self._paused, self._speed = False, LIVE
        while self._queue:
            self._show_one(*self._queue.popleft())

    def clear(self) -> None:
        """Nothing that waits is shown any more."""
        self._queue.clear()

    def change_speed(self, steps: int) -> None:
        """Faster or slower by so many steps; faster than the fastest is as it comes."""
        place = SPEEDS.index(1.0 if self._speed == LIVE else self._speed) + steps
        self._speed = LIVE if place >= len(SPEEDS) else SPEEDS[max(place, 0)]

    def step_event(self) -> None:
        """Hold the picture and show one event more, over reads that completed none."""
        self.pause()
        while self._queue:
            came_at, event = self._queue.popleft()
            self._show_one(came_at, event)
            if not isinstance(event, Received) or event.parts:
                return

    def step_fragment(self) -> None:
        """Hold the picture and go on to the next piece of a call, of text or of reasoning; to the
        end of what waits when there is none."""
        self.pause()
        while self._queue:
            came_at, event = self._queue.popleft()
            head, rest = _after_fragment(event)
            if rest is not None:
                self._queue.appendleft((came_at, rest))
            self._show_one(came_at, head)
            if isinstance(head, Received) and any(map(_grows, head.parts)):
                return

    def _show_one(self, came_at: float, event: Event) -> None:
        self._newest = came_at
        self._show(came_at, event)


def _by_wire_event(event: Event) -> Iterator[Event]:
    """A read's wire events, one by one; the read's bytes come with the first."""
    match event:
        case Received(data=data, parts=parts) if len(parts) > 1:
            for _, group in groupby(parts, key=lambda part: part.span):
                yield Received(data, tuple(group))
                data = b""
        case _:
            yield event


def _after_fragment(event: Event) -> tuple[Event, Event | None]:
    """The event up to its first fragment, and what is left of it."""
    match event:
        case Received(data=data, parts=parts):
            first = next((n for n, part in enumerate(parts, 1) if _grows(part)), len(parts))
            rest = Received(b"", parts[first:]) if first < len(parts) else None
            return Received(data, parts[:first]), rest
        case _:
            return event, None


def _grows(part: Part) -> bool:
    """Whether one sees something grow by it."""
    return isinstance(part, CallFragment | TextDelta | ReasoningDelta)
