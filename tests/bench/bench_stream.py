"""How long is the event loop held up while an answer streams 2,000 fragments a second?

Prints the stalls of the loop (p50, p99, max) and the share of a core. `python -m
tests.bench.bench_stream [FRAGMENTS_A_SECOND] [SECONDS]`.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from app import events
from app.tui.app import VitralApp, spare_collector
from tests.stage import ScriptedSession, long_chat, opening, opens_call, received, says, scripted

TICK = 0.001
PIECES = (
    "## A heading\n\n",
    "Some **bold** words and `code`, ",
    "a [link](https://example.org) and plain text that goes on. ",
    "\n\n- one item\n- another item with *emphasis*\n",
    "\n```python\ndef area(width: int) -> int:\n    return width ** 2  # square\n```\n\n",
    "| a | b |\n|---|---|\n| 1 | 2 |\n\n",
)


def fragments(count: int) -> Iterator[str]:
    """Markdown of every kind, cut into pieces of four characters."""
    text = "".join(PIECES)
    for number in range(count):
        at = number * 4 % len(text)
        yield (text + text)[at : at + 4]


async def stalls(seconds: float) -> tuple[list[float], list[float]]:
    """By how much each tick of the loop came late, and the work that stood between two ticks.

    The second is processor time of this thread: it leaves out what other programs took, and is
    the number to judge on a busy machine.
    """
    late: list[float] = []
    worked: list[float] = []
    until = time.perf_counter() + seconds
    before, work_before = time.perf_counter(), time.thread_time()
    while before < until:
        await asyncio.sleep(TICK)
        now, work = time.perf_counter(), time.thread_time()
        late.append(max(now - before - TICK, 0.0))
        worked.append(work - work_before)
        before, work_before = now, work
    return sorted(late), sorted(worked)


async def stream(session: ScriptedSession, a_second: int, seconds: float, kind: str) -> None:
    """Tell fragments at an even pace, in reads of about five milliseconds."""
    session.script.tell(*opening())
    if kind == "call":
        session.script.tell(opens_call(0, "write_file"))
    began = time.perf_counter()
    told = 0
    pieces = list(fragments(int(a_second * seconds)))
    while told < len(pieces):
        due = min(int((time.perf_counter() - began) * a_second) + 1, len(pieces))
        session.script.tell(*[_fragment(text, kind) for text in pieces[told:due]])
        told = due
        await asyncio.sleep(0.005)


def _fragment(text: str, kind: str) -> events.Event:
    from providers.parts import CallFragment

    return says(text) if kind == "text" else received(CallFragment(0, text))


async def measure(kind: str, a_second: int, seconds: float, turns: int) -> str:
    with tempfile.TemporaryDirectory() as home:
        session = scripted(Path(home), long_chat(turns))
        app = VitralApp(session)
        async with app.run_test(size=(120, 40)) as pilot:
            await pilot.pause()
            await asyncio.sleep(0.5)
            await pilot.press("h", "i", "enter")
            await asyncio.sleep(0.5)
            spare_collector()
            cpu = time.process_time()
            streaming = asyncio.create_task(stream(session, a_second, seconds, kind))
            late, worked = await stalls(seconds + 0.5)
            cpu = (time.process_time() - cpu) / (seconds + 0.5)
            await streaming
            session.script.end()
            await pilot.pause()
    return (
        f"{kind:5} {turns:5} turns before  late {_spread(late)}  worked {_spread(worked)}"
        f"  cpu {cpu:4.0%}"
    )


def _spread(times: list[float]) -> str:
    p50, p99 = times[len(times) // 2], times[int(len(times) * 0.99)]
    return f"p50 {p50 * 1e3:5.2f}  p99 {p99 * 1e3:6.2f}  max {times[-1] * 1e3:6.2f} ms"


def main() -> None:
    a_second = int(sys.argv[1]) if len(sys.argv) > 1 else 2_000
    seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 3.0
    print(f"{a_second:,} fragments a second for {seconds:.0f} s, 120×40")
    for kind, turns in (("text", 0), ("text", 5_000), ("call", 0)):
        print(asyncio.run(measure(kind, a_second, seconds, turns)))


if __name__ == "__main__":
    main()
