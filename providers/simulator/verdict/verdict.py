"""All rules asked: what did the client do wrong?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from providers.simulator.verdict.exchanges import Observed
from providers.simulator.verdict.finding import Finding
from providers.simulator.verdict.rules import RULES
from tools.call import JsonObject


@dataclass(frozen=True, slots=True)
class Verdict:
    """`requests` is how many were heard, `findings` what was wrong, in the order of requests."""

    requests: int
    findings: tuple[Finding, ...]

    @property
    def clean(self) -> bool:
        return not self.findings

    def as_json(self) -> JsonObject:
        """The verdict as plain JSON values."""
        findings = [finding.as_json() for finding in self.findings]
        return {"clean": self.clean, "requests": self.requests, "findings": findings}


def judge(exchanges: Sequence[Observed], requests: int | None = None) -> Verdict:
    """The verdict on these exchanges, oldest first; `requests` where there were more of them."""
    found = [finding for rule in RULES for finding in rule(exchanges)]
    found.sort(key=lambda finding: finding.number)
    return Verdict(len(exchanges) if requests is None else requests, tuple(found))
