"""A run of the suite as a table for people: a row as soon as its verdict stands."""

from __future__ import annotations

from collections.abc import Sequence

from app.checking.check import Check
from app.checking.cost import Estimate
from app.checking.suite import Report
from app.checking.verdicts import Outcome, Verdict
from app.checking.words import failure_words, name_of, quirk_words, reason_of
from app.cli.output import write_line
from app.messages import Messages
from app.safe_text import safe
from providers.provider import Provider

_SIGNS = {
    Outcome.PASSED: ("✓", ""),
    Outcome.NOTED: ("~", ""),
    Outcome.NOT_SUPPORTED: ("–", "dim"),
    Outcome.SKIPPED: ("·", "dim"),
    Outcome.FAILED: ("✗", "bad"),
}
_NO_USE = "no_use"


class Table:
    """Writes the rows; columns are as wide as their longest word."""

    def __init__(self, texts: Messages, checks: Sequence[Check]) -> None:
        self._texts = texts
        self._names = max(len(name_of(check, texts)) for check in checks)
        self._outcomes = max(len(self._word(outcome)) for outcome in Outcome)

    def announce(self, provider: Provider, expected: Estimate) -> None:
        """Who is checked, and what it will cost."""
        who = f"{provider.title} · {provider.dialect.id} · {provider.model}"
        write_line(safe(who, newlines=False), style="bold")
        cost = self._texts.plural("cli.check.cost", expected.requests, tokens=expected.tokens)
        write_line(cost, style="dim", err=True)

    def row(self, check: Check, verdict: Verdict) -> None:
        """One verdict. What was not asked because nothing answers has no row."""
        if verdict.reason == _NO_USE:
            return
        sign, style = _SIGNS[verdict.outcome]
        word = self._word(verdict.outcome).ljust(self._outcomes)
        name = name_of(check, self._texts).ljust(self._names)
        why = reason_of(verdict, self._texts)
        write_line(f"{sign} {word}  {name}  {why}".rstrip(), style=style)

    def close(self, report: Report) -> None:
        """The quirks, and how it went altogether."""
        if report.quirks:
            write_line(self._texts("cli.check.quirks"), style="bold")
            for quirk in report.quirks:
                write_line(f"  {quirk_words(quirk, self._texts)}")
        if report.failure is not None:
            write_line(failure_words(report.failure, self._texts), style="bad", err=True)
        outcomes = [verdict.outcome for _, verdict in report.verdicts]
        counted = (
            f"{self._word(outcome)}: {outcomes.count(outcome)}"
            for outcome in Outcome
            if outcome in outcomes
        )
        took = self._texts.plural(
            "cli.check.took", report.requests, seconds=f"{report.seconds:.1f}"
        )
        write_line(f"{', '.join(counted)} · {took}", style="dim")

    def _word(self, outcome: Outcome) -> str:
        return self._texts(f"check.outcome.{outcome.value}")
