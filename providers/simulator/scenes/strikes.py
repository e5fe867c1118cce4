"""What goes wrong with this request of a scene, and did the client wait as it was told?

The only thing that is remembered of a scene: how often the same request was struck, and when.
Once it is answered it is forgotten, so that a scene can be played again.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from providers.faults import FaultPlan
from providers.simulator.conversation import Conversation, Entry
from providers.simulator.scenes.scene import Strike

_MOST = 1_000
"""Requests that are remembered: those that were never answered would else stay for ever."""
_TOLERANCE = 0.02
"""Seconds by which clocks and networks may differ."""


@dataclass(frozen=True, slots=True)
class TooSoon:
    """The client came back before its time: what it was to wait and what it did, in seconds."""

    wanted: float
    waited: float


@dataclass(frozen=True, slots=True)
class _Struck:
    """A request that was struck so many times, the last one then and by this."""

    times: int
    at: float
    by: Strike


@dataclass(slots=True)
class Strikes:
    """Counts for one scene; `now` is a clock in seconds."""

    now: Callable[[], float]
    _struck: OrderedDict[tuple[Entry, ...], _Struck] = field(default_factory=OrderedDict)

    def plan(
        self, conversation: Conversation, strikes: Sequence[Strike]
    ) -> tuple[FaultPlan, TooSoon | None]:
        """The faults of this request, and what the client did wrong on its way here."""
        before = self._struck.pop(conversation.entries, None)
        early = self._too_soon(before)
        if early is not None:
            return FaultPlan(), early
        times = before.times if before else 0
        due = _due(strikes, times)
        if due is None:
            return FaultPlan(), None
        self._struck[conversation.entries] = _Struck(times + 1, self.now(), due)
        if len(self._struck) > _MOST:
            self._struck.popitem(last=False)
        return FaultPlan.read(due.fault, seed=due.seed + times), None

    def _too_soon(self, before: _Struck | None) -> TooSoon | None:
        if before is None or before.by.wait is None:
            return None
        waited = self.now() - before.at
        return TooSoon(before.by.wait, waited) if waited + _TOLERANCE < before.by.wait else None


def _due(strikes: Sequence[Strike], times: int) -> Strike | None:
    """Which strike comes after so many."""
    for strike in strikes:
        if strike.always or times < strike.times:
            return strike
        times -= strike.times
    return None
