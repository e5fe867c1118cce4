"""Runs of the behaviour suite against a simulator, for the tests of `app.checking`."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from app.checking.asking import Asker
from app.checking.suite import CHECKS, Report, chosen, run_suite
from app.checking.verdicts import Outcome, Verdict
from app.clock import Clock
from providers.catalogue import build_provider, find_provider
from providers.exchange import Handler
from providers.provider import Provider
from providers.refused_fields import RefusedFields
from providers.secret import Secret
from providers.simulator import DEFAULT_MODEL, Simulator
from providers.transport import Transport

KEY = "sk-of-the-checked"


def checked_provider(
    handler: Handler, dialect: str = "openai-chat", model: str = DEFAULT_MODEL
) -> Provider:
    """A provider whose server is `handler`."""
    built = build_provider(
        find_provider("simulator"), transport=Transport(), dialect=dialect, model=model
    )
    return replace(
        built, transport=Transport(handler=handler), key=Secret(KEY), refused=RefusedFields()
    )


async def no_wait(_: float) -> None:
    """A sleep that is over at once."""
    await asyncio.sleep(0)


async def report_on(provider: Provider, only: Sequence[str] = ()) -> Report:
    """The report of a run that waits for nothing."""
    checks = chosen(only) if only else CHECKS
    return await run_suite(provider, checks, lambda *_: None, Asker(provider, Clock(sleep=no_wait)))


async def report_of(
    dialect: str = "openai-chat",
    model: str = DEFAULT_MODEL,
    only: Sequence[str] = (),
    *,
    fault: str | None = None,
    fault_times: int | None = None,
    key: str | None = KEY,
) -> Report:
    """The report on a simulator."""
    simulator = Simulator(speed=0, fault=fault, fault_times=fault_times, key=key)
    return await report_on(checked_provider(simulator.handle, dialect, model), only)


def verdict_on(name: str, report: Report) -> Verdict:
    return next(verdict for check, verdict in report.verdicts if check.name == name)


def by_outcome(report: Report) -> dict[Outcome, list[str]]:
    """Which checks ended how; PASSED is left out."""
    found: dict[Outcome, list[str]] = {}
    for check, verdict in report.verdicts:
        if verdict.outcome is not Outcome.PASSED:
            found.setdefault(verdict.outcome, []).append(check.name)
    return found
