"""Where a crash test can hold the program still, so that it is killed at an exact moment.

For tests only. `VITRAL_CRASH_AT` names a point of the ledger; the first write that reaches it
says so on standard error and then waits for its end:

    begun      a write is begun and nothing has happened yet
    effect     it has happened and is not recorded yet
    recorded   it is recorded and nobody has heard of it yet

Without the variable, which is read once, nothing here does anything.
"""

from __future__ import annotations

import os
import threading
from functools import cache
from typing import Literal, TypeAlias

Point: TypeAlias = Literal["begun", "effect", "recorded"]

VARIABLE = "VITRAL_CRASH_AT"


def crash_point(point: Point) -> None:
    if _chosen() != point:
        return
    os.write(2, f"held at {point}\n".encode())  # past any object that stands in for stderr
    threading.Event().wait()


@cache
def _chosen() -> str:
    return os.environ.get(VARIABLE, "")
