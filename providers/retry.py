"""When to try a failed request again, and after how long. Pure: no clock, no chance of its own.

The table of kinds that pass stands in `providers.failures`, which sets `Failure.transient`.
"""

from __future__ import annotations

from dataclasses import dataclass

from providers.failures import Failure


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """How patient we are. All times in seconds; `attempts` counts the first try too."""

    attempts: int = 3
    first_wait: float = 0.5
    longest_wait: float = 8.0
    taken_off: float = 0.25
    """The largest share that chance takes off our own waits, so that many clients spread out."""
    patience: float = 60.0
    """A provider that asks for more than this is not waited for: the person is told instead."""


def next_wait(failure: Failure, attempt: int, policy: RetryPolicy, chance: float) -> float | None:
    """Seconds to wait after attempt `attempt` (from 1) failed; None to give up.

    `chance` is a number in [0, 1). A wait that the provider asked for replaces ours, exactly.
    """
    if not failure.transient or attempt >= policy.attempts:
        return None
    if failure.wait is not None:
        return failure.wait if failure.wait <= policy.patience else None
    wait = min(policy.first_wait * 2.0 ** (attempt - 1), policy.longest_wait)
    return wait * (1 - policy.taken_off * chance)
