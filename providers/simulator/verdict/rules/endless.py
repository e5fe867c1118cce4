"""Nobody tries for ever."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from providers.simulator.verdict.exchanges import Observed, tries
from providers.simulator.verdict.finding import Finding, Rule

MOST_TRIES = 6
"""The official clients try three times; who tries twice as often is patient, not stuck."""


def find(exchanges: Sequence[Observed]) -> Iterator[Finding]:
    """One finding for each request that was tried too often."""
    for attempts in tries(exchanges):
        if len(attempts) > MOST_TRIES:
            yield attempts[MOST_TRIES].finding(Rule.RETRIED_FOR_EVER, times=len(attempts))
