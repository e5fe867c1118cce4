"""What is a fault: what happens to an exchange, and what a correct client makes of it?"""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from types import MappingProxyType
from typing import TypeAlias

from providers.dialects import DIALECT_IDS
from providers.exchange import Handler, WireRequest, WireResponse
from providers.failures import TRANSIENT, FailureKind

Wait = Callable[[float], Awaitable[object]]
"""Waits for seconds; who serves decides how long a second is."""


class Sight(StrEnum):
    """What a correct client has when the exchange is over, although something was wrong."""

    WHOLE = "whole"
    """The answer as it was meant: words, calls, arguments."""
    BROKEN = "broken"
    """Calls that cannot be used: none of them runs, the model is told, and may mend them."""
    UNSEEN = "unseen"
    """An answer that differs from what was meant, in a way that the format cannot show."""


@dataclass(frozen=True, slots=True)
class Fails:
    """The exchange gives no answer. `passes`: the same request may be tried again, after `wait`
    seconds if the server asked for them (a date may be a second less)."""

    kind: FailureKind
    passes: bool
    wait: float | None = None


Outcome: TypeAlias = Sight | Fails


def fails(kind: FailureKind, wait: float | None = None, *, passes: bool | None = None) -> Fails:
    """A failure of this kind, which passes as its kind does unless something else is said."""
    return Fails(kind, kind in TRANSIENT if passes is None else passes, wait)


@dataclass(frozen=True, slots=True)
class Exchange:
    """One request on its way: all that a fault may know and use. `healthy` is the server."""

    request: WireRequest
    dialect: str
    healthy: Handler
    chance: random.Random
    wait: Wait
    now: Callable[[], datetime]


Strike: TypeAlias = Callable[[Exchange], Awaitable[WireResponse]]
"""Answers the exchange in place of its server, which it may ask. Raises `OSError` for what
happens to a connection."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that can go wrong. `about` and `right` are message keys: what happens, and what a
    correct client does then."""

    name: str
    about: str
    right: str
    strike: Strike
    outcome: Outcome
    """What a correct client makes of an answer with calls."""
    in_words: Outcome | None = None
    """The same for an answer in words alone, where it differs."""
    otherwise: Mapping[str, Outcome] = field(default_factory=lambda: MappingProxyType({}))
    """Dialect → the outcome of an answer with calls, where that dialect's differs."""
    dialects: tuple[str, ...] = DIALECT_IDS
    """Where it can happen at all."""
    slip: bool = False
    """It is the model's own mistake: it strikes a question, not the request that mends it."""

    def expected(self, dialect: str, *, calls: bool) -> Outcome:
        """What a correct client makes of it."""
        if not calls and self.in_words is not None:
            return self.in_words
        return self.otherwise.get(dialect, self.outcome)
