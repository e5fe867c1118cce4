"""What is a check? A name, the probes that it looks at, and a judgement that does nothing else."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from app.checking.evidence import Evidence
from app.checking.verdicts import Verdict


@dataclass(frozen=True, slots=True)
class Check:
    """`judge` is pure: the same evidence gives the same verdict."""

    name: str
    probes: frozenset[str]
    judge: Callable[[Evidence], Verdict]


def check(name: str, *probes: str) -> Callable[[Callable[[Evidence], Verdict]], Check]:
    """Makes a check of the function below."""

    def made(judge: Callable[[Evidence], Verdict]) -> Check:
        return Check(name, frozenset(probes), judge)

    return made
