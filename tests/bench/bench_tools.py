"""What the harness adds to the tools: do reads run side by side, and what does a write cost?

Prints the time of five reads of 100 ms in one turn, and of one write to the demo database and one
to a file, with their records in the ledger; `python -m tests.bench.bench_tools [WRITES]`.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from pydantic import BaseModel

from tests.tool_makers import call, permitting
from tools.call import ToolCall
from tools.demo import demo_toolbox
from tools.tool import JsonValue, ToolContext, tool
from tools.toolbox import Toolbox

READS = 5
READ_SECONDS = 0.1


class Nothing(BaseModel):
    pass


@tool
def slow_read(arguments: Nothing, context: ToolContext) -> JsonValue:
    """Takes its time in a thread, as a slow disk does."""
    time.sleep(READ_SECONDS)
    return None


async def seconds(context: ToolContext, calls: list[ToolCall], turn: int) -> float:
    toolbox = Toolbox([*demo_toolbox(), slow_read])
    started = time.perf_counter()
    results = await permitting(turn).dispatch(calls, toolbox, context)
    assert all(result.ok for result in results)
    return time.perf_counter() - started


def main(writes: int = 50) -> None:
    with tempfile.TemporaryDirectory() as folder:
        context = ToolContext(Path(folder), Path(folder) / "demo.sqlite")
        turn = asyncio.run(seconds(context, [call("slow_read")] * READS, 0))
        one_by_one = READS * READ_SECONDS
        print(f"{READS} reads of {READ_SECONDS * 1000:.0f} ms: {turn * 1000:.0f} ms in one turn,")
        print(f"  {one_by_one * 1000:.0f} ms one by one")
        for write in (
            call("save_measurement", key="weight", value=70),
            call("write_file", path="a.txt", text="text"),
        ):
            times = [asyncio.run(seconds(context, [write], n)) for n in range(1, writes + 1)]
            print(f"{write.name}: {median(times) * 1000:.1f} ms (median of {writes})")
            context = ToolContext(context.workspace, context.workspace / "second.sqlite")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
