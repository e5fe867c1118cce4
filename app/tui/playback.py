"""Who turns the projector? A clock, the person's keys, and the frames that draw what it shows."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from enum import StrEnum

from app.events import Event
from app.tui.frames import FRAME, Frames
from app.tui.projector import Projector, Showing


class Steer(StrEnum):
    """What a person can do with the stream that is shown."""

    PAUSE = "pause"
    """Hold it, or go on."""
    STEP_FRAGMENT = "step_fragment"
    STEP_EVENT = "step_event"
    FASTER = "faster"
    SLOWER = "slower"


class Playback:
    """Takes events at any pace and tells them at the person's; `say` hears how it stands."""

    def __init__(
        self,
        tell: Callable[[Event], None],
        draw: Callable[[], None],
        say: Callable[[Showing], None],
    ) -> None:
        self._frames = Frames(tell, draw)
        self._projector = Projector(self._frames.add)
        self._say = say
        self._said = Showing()
        self._then: Callable[[], None] | None = None
        self._timer: asyncio.TimerHandle | None = None

    @property
    def came_at(self) -> float:
        """When the event that is being told came, in seconds since 1970."""
        return self._frames.came_at

    @property
    def waiting(self) -> bool:
        """Whether something goes on by itself: a frame to draw, or events to play."""
        return self._frames.waiting or self._timer is not None

    def add(self, event: Event) -> None:
        """An event came."""
        self._projector.add(time.time(), event)
        if self._projector.showing.waiting and self._timer is None:
            self._wait(0.0)

    def finish(self, then: Callable[[], None]) -> None:
        """No more events come: call `then` once the last of them is told and drawn."""
        self._then = then
        self._end_if_all_is_shown()

    def steer(self, order: Steer) -> None:
        """Do what the person asks for."""
        projector = self._projector
        match order:
            case Steer.PAUSE if projector.showing.paused:
                projector.go_on(time.monotonic())
            case Steer.PAUSE:
                projector.pause()
            case Steer.STEP_FRAGMENT:
                projector.step_fragment()
            case Steer.STEP_EVENT:
                projector.step_event()
            case Steer.FASTER:
                projector.change_speed(1)
            case Steer.SLOWER:
                projector.change_speed(-1)
        self._go_on()

    def catch_up(self) -> None:
        """Show at once all that waits."""
        self._projector.catch_up()
        self._go_on()

    def close(self) -> None:
        """Nothing is told or drawn after this."""
        self._cancel()
        self._projector.clear()
        self._frames.close()

    def _go_on(self) -> None:
        self._cancel()
        wait = self._projector.play(time.monotonic())
        self._tell_showing()
        if wait is not None:
            self._wait(wait)
        self._end_if_all_is_shown()

    def _wait(self, seconds: float) -> None:
        """Go on then, and not before the next frame: many events a second are one step."""
        wait = max(seconds, FRAME)
        self._timer = asyncio.get_running_loop().call_later(wait, self._go_on)

    def _cancel(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None

    def _tell_showing(self) -> None:
        if (showing := self._projector.showing) != self._said:
            self._said = showing
            self._say(showing)

    def _end_if_all_is_shown(self) -> None:
        if self._then is not None and not self._projector.showing.waiting:
            then, self._then = self._then, None
            self._frames.finish(then)
