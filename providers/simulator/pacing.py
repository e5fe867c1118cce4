"""How fast do the bytes come, and where are they cut?"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass

from providers.simulator.dice import Dice
from providers.simulator.frames import Frame, FrameKind

FRAGMENTS_PER_SECOND = 40.0

Sleep = Callable[[float], Awaitable[object]]


@dataclass(frozen=True, slots=True)
class Pace:
    """`speed` 1 is about as fast as a real model; 0 is without any delay."""

    speed: float
    sleep: Sleep

    async def beat(self, frame: Frame) -> None:
        """Waits for as long as a model needs for this frame."""
        if frame.kind in (FrameKind.TEXT, FrameKind.ARGUMENTS):
            await self.wait(1 / FRAGMENTS_PER_SECOND)

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
    for place, frame in enumerate(frames, start=1):
        await pace.beat(frame)
        kept += frame.data
        cut = _cut(kept, dice)
        data, kept = kept[:cut], kept[cut:]
        yield Read(data, last=place == len(frames) and not kept)
    if kept:
        yield Read(kept, last=True)


def _cut(data: bytes, dice: Dice) -> int:
    """Where to cut: every other time inside a character of several bytes, if there is one."""
    inside = [place for place, byte in enumerate(data) if byte & 0xC0 == 0x80]
    if inside and dice.between(0, 1):
        return inside[dice.between(0, len(inside) - 1)]
    return dice.between(min(1, len(data)), len(data))


async def one_read(data: bytes) -> AsyncIterator[Read]:
    """A body that comes at once."""
    yield Read(data, last=True)
