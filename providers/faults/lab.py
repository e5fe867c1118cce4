"""Which faults strike which request? A plan says it; the lab stands before a server and does it.

It works on any `Handler`: the simulator, a cassette, a provider reached through `connections`.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from difflib import get_close_matches

from providers.exchange import Handler, WireRequest, WireResponse
from providers.faults.catalogue import FAULTS
from providers.faults.exchanges import brings_results, dialect_of
from providers.faults.fault import Exchange, Fault, Wait

SEPARATOR = ","
"""Several faults in one text: `drip,cut-in-arguments`."""

_NEAR = 5
_LIKENESS = 0.7


class UnknownFault(ValueError):  # noqa: N818 - what it is, in the glossary's words
    """There is no fault of that name."""

    def __init__(self, wanted: str) -> None:
        super().__init__(f"no fault {wanted!r}; there are {', '.join(FAULTS)}")
        self.wanted = wanted

    @property
    def near(self) -> tuple[str, ...]:
        """The names that may have been meant, the likeliest first."""
        holding = [name for name in FAULTS if self.wanted and self.wanted in name]
        alike = get_close_matches(self.wanted, FAULTS, n=_NEAR, cutoff=_LIKENESS)
        return tuple(dict.fromkeys([*alike, *holding]))[:_NEAR]


@dataclass(frozen=True, slots=True)
class FaultPlan:
    """What is to go wrong: these faults, together, the first one nearest to the server.

    They strike every request, or the first `times` of them. `seed` decides where in an answer.
    """

    faults: tuple[Fault, ...] = ()
    seed: int = 0
    times: int | None = None

    @classmethod
    def read(cls, names: str | None, *, seed: int = 0, times: int | None = None) -> FaultPlan:
        """The plan for names with commas between them. Raises UnknownFault."""
        wanted = [name.strip() for name in (names or "").split(SEPARATOR)]
        return cls(tuple(find_fault(name) for name in wanted if name), seed, times)


def find_fault(name: str) -> Fault:
    """The fault of that name. Raises UnknownFault."""
    if name not in FAULTS:
        raise UnknownFault(name)
    return FAULTS[name]


def _now() -> datetime:
    return datetime.now(UTC)


class Lab:
    """Lets a plan's faults strike. `wait` is how a fault that takes time waits."""

    def __init__(
        self,
        plan: FaultPlan,
        *,
        wait: Wait = asyncio.sleep,
        now: Callable[[], datetime] = _now,
    ) -> None:
        self._plan = plan
        self._wait = wait
        self._now = now
        self._requests = 0

    def around(self, healthy: Handler) -> Handler:
        """The same server, behind this lab."""

        async def handle(request: WireRequest) -> WireResponse:
            return await self.answer(request, healthy)

        return handle

    def answer(self, request: WireRequest, healthy: Handler) -> Awaitable[WireResponse]:
        """One request, answered by `healthy` or by what the faults make of that."""
        self._requests += 1
        times = self._plan.times
        if times is not None and self._requests > times:
            return healthy(request)
        handler = healthy
        for fault in self._plan.faults:
            handler = self._struck(fault, handler)
        return handler(request)

    def _struck(self, fault: Fault, healthy: Handler) -> Handler:
        number = self._requests

        async def handle(request: WireRequest) -> WireResponse:
            dialect = dialect_of(request)
            spared = fault.slip and brings_results(request, dialect)
            if spared or dialect not in fault.dialects:
                return await healthy(request)
            # Repeatable, and no secret.
            chance = random.Random(f"{self._plan.seed}:{number}:{fault.name}")  # noqa: S311
            exchange = Exchange(request, dialect, healthy, chance, self._wait, self._now)
            return await fault.strike(exchange)

        return handle
