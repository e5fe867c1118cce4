"""The rules, one a file: each gets the exchanges, oldest first, and says what broke it."""

from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

from providers.simulator.verdict.exchanges import Observed
from providers.simulator.verdict.finding import Finding
from providers.simulator.verdict.rules import (
    endless,
    permanent,
    reasoning,
    results,
    unfinished,
    waiting,
)

Judge: TypeAlias = Callable[[Sequence[Observed]], Iterable[Finding]]

RULES: tuple[Judge, ...] = (
    permanent.find,
    waiting.find,
    endless.find,
    results.find,
    unfinished.find,
    reasoning.find,
)

__all__ = ["RULES", "Judge"]
