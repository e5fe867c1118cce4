"""Whoever is told to wait waits at least that long."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from providers.simulator.verdict.exchanges import Observed, tries
from providers.simulator.verdict.finding import Finding, Rule

SLACK = 0.25
"""Seconds: clocks differ, and a date is told in whole seconds."""


def find(exchanges: Sequence[Observed]) -> Iterator[Finding]:
    """One finding for each request that was tried again too soon."""
    for attempts in tries(exchanges):
        for before, again in pairwise(attempts):
            failure = before.answered.failure
            if failure is None or failure.wait is None or not failure.transient:
                continue
            waited = again.begun - before.ended
            if waited < failure.wait - SLACK:
                yield again.finding(
                    Rule.DID_NOT_WAIT,
                    after=before.number,
                    told=round(failure.wait, 2),
                    waited=round(waited, 2),
                )
                break
