"""What can be said of one behaviour of a provider?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import TypeAlias

Fact: TypeAlias = str | int
NO_FACTS: Mapping[str, Fact] = MappingProxyType({})


class Outcome(StrEnum):
    """How a check ends. Only FAILED is wrong: what a server does not offer is no mistake."""

    PASSED = "passed"
    NOTED = "noted"
    """Right, with oddities that we read through."""
    NOT_SUPPORTED = "not_supported"
    SKIPPED = "skipped"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Verdict:
    """An outcome and why: `reason` is the end of a message's key, `facts` fill its placeholders.
    Facts may quote the provider: make them safe before they are shown."""

    outcome: Outcome
    reason: str = ""
    facts: Mapping[str, Fact] = field(default_factory=lambda: NO_FACTS)


PASSED = Verdict(Outcome.PASSED)


def failed(reason: str, **facts: Fact) -> Verdict:
    """The provider does it wrong."""
    return Verdict(Outcome.FAILED, reason, facts)


def not_supported(reason: str, **facts: Fact) -> Verdict:
    """The provider does not do it, and does not claim to."""
    return Verdict(Outcome.NOT_SUPPORTED, reason, facts)


def skipped(reason: str, **facts: Fact) -> Verdict:
    """It was not found out."""
    return Verdict(Outcome.SKIPPED, reason, facts)
