"""What can a client do wrong, and what is known of the time when it did?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType

from tools.call import JsonObject


class Rule(StrEnum):
    """What a client must not do. The words are those of the verdict's JSON."""

    RETRIED_PERMANENT = "retried_permanent"
    """It sent a request again although the error was one that stays."""
    DID_NOT_WAIT = "did_not_wait"
    """It sent a request again sooner than it was told."""
    RETRIED_FOR_EVER = "retried_for_ever"
    """It sent a request again and again."""
    RESULT_TWICE = "result_twice"
    """It gave more results than one to a call."""
    RESULT_MISSING = "result_missing"
    """It gave no result to a call."""
    RESULT_UNKNOWN = "result_unknown"
    """It gave a result to a call that is not there."""
    RAN_UNFINISHED = "ran_unfinished"
    """It ran a call of an answer that was cut or failed."""
    DROPPED_REASONING = "dropped_reasoning"
    """It sent the calls of an answer back without the reasoning or signature beside them."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One misdeed, in the request of that `number` (the first one is 1). `facts` tell the rest."""

    rule: Rule
    number: int
    dialect: str
    model: str
    facts: Mapping[str, str | int | float] = field(default_factory=lambda: MappingProxyType({}))

    def as_json(self) -> JsonObject:
        """The finding as plain JSON values."""
        place = {"request": self.number, "dialect": self.dialect, "model": self.model}
        return {"rule": self.rule.value, **place, "facts": dict(self.facts)}
