"""An error that stays is not answered by the same request once more."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from providers.failures import Failure, FailureKind
from providers.simulator.verdict.exchanges import Observed, tries
from providers.simulator.verdict.finding import Finding, Rule

_STAY = frozenset(
    {
        FailureKind.AUTH,
        FailureKind.PERMISSION,
        FailureKind.NOT_FOUND,
        FailureKind.QUOTA,
        FailureKind.TOO_LONG,
        FailureKind.BLOCKED,
        FailureKind.BAD_REQUEST,
    }
)


def find(exchanges: Sequence[Observed]) -> Iterator[Finding]:
    """One finding for each request that was tried again so."""
    for attempts in tries(exchanges):
        for before, again in pairwise(attempts):
            if (failure := before.answered.failure) and _stays(failure):
                yield again.finding(
                    Rule.RETRIED_PERMANENT, after=before.number, status=failure.status or 200
                )
                break


def _stays(failure: Failure) -> bool:
    return failure.kind in _STAY and not failure.transient
