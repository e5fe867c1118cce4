"""How fast do the bytes come, and where are they cut?"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass

from providers.simulator.dice import Dice
from providers.simulator.frames import Frame, FrameKind

FRAGMENTS_PER_SECOND = 40.0

Sleep = Callable[[float], Awaitable[object]]

_FRAGMENTS = (FrameKind.TEXT, FrameKind.ARGUMENTS)

_INSIDE_A_CHARACTER = re.compile(rb"[\x80-\xbf]")
"""Any byte of a character's UTF-8 but its first."""


@dataclass(frozen=True, slots=True)
class Rhythm:
    """How one answer comes. Pauses are in seconds of the model's time, the second one stands
    between texts and calls; `read_bytes` is what one read gives, None for any number."""

    fragments_per_second: float = FRAGMENTS_PER_SECOND
    pause_before: float = 0.0
    pause_between: float = 0.0
    read_bytes: int | None = None


STEADY = Rhythm()


@dataclass(frozen=True, slots=True)
class Pace:
    """`speed` 1 is about as fast as a real model; 0 is without any delay."""

    speed: float
    sleep: Sleep
    rhythm: Rhythm = STEADY

    async def beat(self, frame: Frame, before: Frame | None, *, first: bool = False) -> None:
        """Waits for as long as a model needs for this frame, which comes after `before`; `first`
        says that it is the answer's first fragment."""
        if frame.kind not in _FRAGMENTS:
            return
        seconds = 1 / self.rhythm.fragments_per_second
        if first:
            seconds += self.rhythm.pause_before
        elif before is None or before.kind is not frame.kind:
            seconds += self.rhythm.pause_between
        await self.wait(seconds)

    async def wait(self, seconds: float) -> None:
        """Waits for seconds of the model's time."""
        if self.speed > 0:
            await self.sleep(seconds / self.speed)


@dataclass(frozen=True, slots=True)
class Read:
    """What one read of the network gives; `last` says that nothing is left."""

    data: bytes
    last: bool


async def reads(frames: Sequence[Frame], pace: Pace, dice: Dice) -> AsyncIterator[Read]:
    """The frames' bytes as a network gives them: cut anywhere, inside a character too.

    Some bytes of a frame come with the next one. All that is left comes at the end.
    """
    kept = b""
    begun = False
    for place, frame in enumerate(frames):
        fragment = frame.kind in _FRAGMENTS
        await pace.beat(frame, frames[place - 1] if place else None, first=not begun)
        begun = begun or fragment
        kept += frame.data
        for cut in _cuts(kept, pace.rhythm, dice):
            data, kept = kept[:cut], kept[cut:]
            yield Read(data, last=place == len(frames) - 1 and not kept)
    if kept:
        yield Read(kept, last=True)


def _cuts(data: bytes, rhythm: Rhythm, dice: Dice) -> list[int]:
    """How much each of the next reads takes."""
    if rhythm.read_bytes is None:
        return [_cut(data, dice)]
    return [rhythm.read_bytes] * (len(data) // rhythm.read_bytes)


def _cut(data: bytes, dice: Dice) -> int:
    """Where to cut: every other time inside a character of several bytes, if there is one."""
    several = () if data.isascii() else _INSIDE_A_CHARACTER.finditer(data)
    inside = [found.start() for found in several]
    if inside and dice.between(0, 1):
        return inside[dice.between(0, len(inside) - 1)]
    return dice.between(min(1, len(data)), len(data))


async def one_read(data: bytes) -> AsyncIterator[Read]:
    """A body that comes at once."""
    yield Read(data, last=True)
