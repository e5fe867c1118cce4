"""What comes of each fault in each dialect, as a table: `python -m tests.bench.bench_faults`.

A message that leads to one call is sent while the fault strikes every request. A cell holds how it
ended, after how many attempts, and the seconds that were waited by the clock; `!` marks what a
correct client would have done otherwise, and then the exit code is 1.
"""

from __future__ import annotations

import asyncio
import sys
from collections import Counter

from app.events import Ending
from providers.faults import FAULTS
from tests.fault_complaints import complaints
from tests.fault_matrix import Cell, Seen, cells, healthy_text, look
from tests.simulating import DIALECTS

CALLS = 1
FIRST_WIDTH = 24
WIDTH = 22


def words(seen: Seen) -> str:
    """`rate_limit 3x 4s`: the outcome, the attempts of the round that decided, the waits."""
    answered = seen.done.ending is Ending.ANSWERED
    outcome = "answered" if answered else seen.kinds[-1].value
    if answered and seen.errors:
        outcome = "mended"
    waited = f" {sum(seen.waits):.3g}s" if seen.waits else ""
    return f"{outcome} {len(seen.kinds) + answered}x{waited}"


def row(name: str, shown: dict[str, str]) -> str:
    """One fault; a dialect that cannot have it stays empty."""
    columns = [shown.get(dialect, "").ljust(WIDTH) for dialect in DIALECTS]
    return (name.ljust(FIRST_WIDTH) + "".join(columns)).rstrip()


async def measure() -> Counter[str]:
    """Prints the table; how many cells are right and wrong."""
    healthy = {dialect: await healthy_text(dialect, CALLS) for dialect in DIALECTS}
    chosen = [one for one in cells() if one.calls == CALLS and one.times is None]
    print(row("fault", {dialect: dialect for dialect in DIALECTS}))
    count: Counter[str] = Counter()
    for name in FAULTS:
        shown: dict[str, str] = {}
        for cell in (one for one in chosen if one.fault.name == name):
            seen = await look(cell)
            wrong = complaints(cell, seen, healthy[cell.dialect])
            shown[cell.dialect] = ("! " if wrong else "") + words(seen)
            count["wrong" if wrong else "right"] += 1
            report(cell, wrong)
        print(row(name, shown), flush=True)
    return count


def report(cell: Cell, wrong: list[str]) -> None:
    """What is wrong in a cell, for whoever mends it."""
    for complaint in wrong:
        print(f"{cell}: {complaint}", file=sys.stderr)


def main() -> int:
    count = asyncio.run(measure())
    print(f"{count['right']} cells as a correct client does, {count['wrong']} not")
    return 1 if count["wrong"] else 0


if __name__ == "__main__":
    sys.exit(main())
