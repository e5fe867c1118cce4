"""Events at any pace: told in order, drawn once for many, worked off in slices."""

from __future__ import annotations

import asyncio
import time

from app import events
from app.tui.frames import FRAME, SLICE, Frames

EVENTS = [events.Silent(float(number)) for number in range(500)]


async def until_empty(frames: Frames) -> None:
    for _ in range(100):
        await asyncio.sleep(FRAME / 4)
        if not frames.waiting:
            return
    raise AssertionError("something is still waiting to be drawn")


async def test_many_events_are_drawn_once() -> None:
    told: list[events.Event] = []
    drawn: list[int] = []
    frames = Frames(told.append, lambda: drawn.append(len(told)))
    for event in EVENTS:
        frames.add(0.0, event)
    await until_empty(frames)
    assert told == EVENTS
    assert drawn == [len(EVENTS)]


async def test_a_backlog_is_told_in_slices() -> None:
    drawn: list[float] = []

    def slowly(_event: events.Event) -> None:
        time.sleep(SLICE / 4)

    frames = Frames(slowly, lambda: drawn.append(time.perf_counter()))
    for event in EVENTS[:12]:
        frames.add(0.0, event)
    await until_empty(frames)
    assert len(drawn) >= 2


async def test_the_end_comes_after_all_that_was_told() -> None:
    told: list[object] = []
    frames = Frames(told.append, lambda: None)
    for event in EVENTS:
        frames.add(0.0, event)
    frames.finish(lambda: told.append("end"))
    await until_empty(frames)
    assert told == [*EVENTS, "end"]


async def test_nothing_is_drawn_after_closing() -> None:
    drawn: list[int] = []
    frames = Frames(lambda _event: None, lambda: drawn.append(1))
    frames.add(0.0, EVENTS[0])
    frames.close()
    await asyncio.sleep(0)
    assert not frames.waiting
    assert not drawn
