"""The whole suite: which checks there are, in which order, and how one run of them goes."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from app.checking.asking import Asker, answerable
from app.checking.check import Check
from app.checking.checks.cancel import cancel
from app.checking.checks.forced_tool import forced_tool
from app.checking.checks.ids import ids
from app.checking.checks.long_arguments import long_arguments
from app.checking.checks.model_list import model_list
from app.checking.checks.no_arguments import no_arguments
from app.checking.checks.no_call import no_call
from app.checking.checks.one_call import one_call
from app.checking.checks.parallel_calls import parallel_calls
from app.checking.checks.quirks import quirks
from app.checking.checks.required_call import required_call
from app.checking.checks.round_trip import parallel_round_trip, round_trip
from app.checking.checks.schema_kept import schema_kept
from app.checking.checks.text import text
from app.checking.checks.unicode_arguments import unicode_arguments
from app.checking.checks.unknown_model import unknown_model
from app.checking.checks.usage import usage
from app.checking.checks.wrong_key import wrong_key
from app.checking.checks.wrong_request import wrong_request
from app.checking.evidence import Evidence, Heard
from app.checking.probes import LIMIT, Probe, with_earlier
from app.checking.quirks.quirk import Quirk
from app.checking.quirks.shown import quirks_shown
from app.checking.verdicts import Outcome, Verdict, skipped
from providers.failures import Failure, When
from providers.history import Origin
from providers.provider import Provider

CHECKS: tuple[Check, ...] = (
    text,
    usage,
    one_call,
    round_trip,
    parallel_calls,
    ids,
    parallel_round_trip,
    forced_tool,
    required_call,
    no_call,
    no_arguments,
    unicode_arguments,
    long_arguments,
    schema_kept,
    wrong_request,
    cancel,
    model_list,
    unknown_model,
    wrong_key,
    quirks,
)
"""In the order in which a person reads them."""

Tell = Callable[[Check, Verdict], None]


@dataclass(frozen=True, slots=True)
class Report:
    """What a run found. `failure` is why it ended before its time."""

    origin: Origin
    verdicts: tuple[tuple[Check, Verdict], ...]
    quirks: tuple[Quirk, ...]
    requests: int
    seconds: float
    failure: Failure | None = None

    @property
    def right(self) -> bool:
        """Whether nothing is wrong."""
        return all(verdict.outcome is not Outcome.FAILED for _, verdict in self.verdicts)


@dataclass(slots=True)
class _Run:
    """One run under way."""

    asker: Asker
    heard: dict[str, Heard] = field(default_factory=dict)
    failure: Failure | None = None
    """Why there is nothing more to ask: the plainest question was not answered at all."""

    async def ask(self, probe: Probe) -> None:
        earlier = self.heard.get(probe.after)
        if probe.after and (earlier is None or not answerable(earlier.turn)):
            self.heard[probe.name] = Heard(probe)
            return
        heard = await self.asker.ask(probe, earlier)
        self.heard[probe.name] = heard
        if probe.plain and not self._answered_before and heard.failure is not None:
            self.failure = heard.failure if heard.failure.when is When.BEFORE else None

    @property
    def _answered_before(self) -> bool:
        return any(heard.turn is not None for heard in self.heard.values())

    async def judge(self, check: Check, evidence: Evidence) -> Verdict:
        """The verdict of one check, once all that it looks at was asked."""
        for probe in with_earlier(check.probes):
            if probe.name in self.heard:
                continue
            if self.failure is None and self.asker.requests < LIMIT:
                await self.ask(probe)
        if any(name not in self.heard for name in check.probes):
            return skipped("not_asked" if self.failure is None else "no_use")
        return check.judge(evidence)


def chosen(names: Sequence[str]) -> tuple[Check, ...]:
    """The checks of these names, all of them for none; raises KeyError for a name that is none."""
    if unknown := [name for name in names if name not in {check.name for check in CHECKS}]:
        raise KeyError(unknown[0])
    return tuple(check for check in CHECKS if not names or check.name in names)


async def run_suite(
    provider: Provider, checks: Sequence[Check], tell: Tell, asker: Asker | None = None
) -> Report:
    """Asks and judges; each verdict is told as soon as it stands."""
    run = _Run(asker or Asker(provider))
    evidence = Evidence(provider.dialect.id, provider.model, run.heard)
    started = time.monotonic()
    verdicts = []
    for check in checks:
        verdict = await run.judge(check, evidence)
        verdicts.append((check, verdict))
        tell(check, verdict)
    return Report(
        origin=provider.origin,
        verdicts=tuple(verdicts),
        quirks=quirks_shown(evidence),
        requests=run.asker.requests,
        seconds=time.monotonic() - started,
        failure=run.failure,
    )
