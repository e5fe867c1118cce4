"""A run's report as one JSON object."""

from __future__ import annotations

from collections import Counter

from app.checking.cost import Estimate
from app.checking.evidence import quoted
from app.checking.suite import Report
from app.checking.verdicts import Outcome
from tools.call import JsonObject


def report_json(report: Report, expected: Estimate) -> JsonObject:
    """`right` says what the exit code says; `failure` is why the run ended before its time."""
    counted = Counter(verdict.outcome for _, verdict in report.verdicts)
    failure = report.failure
    return {
        "provider": report.origin.provider,
        "dialect": report.origin.dialect,
        "model": report.origin.model,
        "right": report.right,
        "checks": [
            {
                "name": check.name,
                "outcome": verdict.outcome.value,
                "reason": verdict.reason or None,
                "facts": dict(verdict.facts),
            }
            for check, verdict in report.verdicts
        ],
        "counts": {outcome.value: counted[outcome] for outcome in Outcome},
        "quirks": [
            {"dialect": quirk.dialect, "number": quirk.number or None, "name": quirk.name}
            for quirk in report.quirks
        ],
        "requests": report.requests,
        "expected": {"requests": expected.requests, "tokens": expected.tokens},
        "seconds": round(report.seconds, 3),
        "failure": None
        if failure is None
        else {"kind": failure.kind.value, "status": failure.status, "message": quoted(failure)},
    }
