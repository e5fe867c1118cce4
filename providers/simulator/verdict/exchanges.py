"""Which exchanges belong together: the tries of a request, the answer that a history holds?"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import takewhile

from providers.simulator.conversation import AskedCall, Entry, ModelText, UserText
from providers.simulator.verdict.answered import Answered, Call
from providers.simulator.verdict.asked import Asked
from providers.simulator.verdict.finding import Finding, Rule


@dataclass(slots=True)
class Observed:
    """One exchange. Times are seconds of the watch's clock; until it has ended, `answered` tells
    of nothing and `ended` is endless."""

    number: int
    asked: Asked
    begun: float
    answered: Answered = field(default_factory=Answered)
    ended: float = math.inf

    @property
    def failed(self) -> bool:
        """Whether it has ended without an answer."""
        return self.answered.failure is not None

    def finding(self, rule: Rule, **facts: str | float) -> Finding:
        """That this request broke a rule."""
        return Finding(rule, self.number, self.asked.dialect, self.asked.model, facts)


def tries(exchanges: Iterable[Observed]) -> list[list[Observed]]:
    """The tries of each request, in their order.

    A try follows one that had failed by then. The same request while another is under way, or
    after an answer, is somebody else's, or the person's who asks again.
    """
    every: list[list[Observed]] = []
    failed: dict[bytes, list[list[Observed]]] = {}
    for exchange in exchanges:
        waiting = failed.setdefault(exchange.asked.same, [])
        ready = [one for one in waiting if one[-1].failed and one[-1].ended <= exchange.begun]
        if ready:
            min(ready, key=lambda one: one[-1].ended).append(exchange)
        else:
            waiting.append([exchange])
            every.append(waiting[-1])
    return every


@dataclass(frozen=True, slots=True)
class Follow:
    """A request whose history goes on from that of an earlier one. `calls` are what it says that
    the model then asked for; `current`: the person has said nothing new since."""

    request: Observed
    sources: Sequence[Observed]
    calls: tuple[AskedCall, ...]
    current: bool


class Histories:
    """Finds the earlier exchanges from which a history goes on."""

    def __init__(self, exchanges: Iterable[Observed]) -> None:
        self._by_history: dict[bytes, list[Observed]] = {}
        for exchange in exchanges:
            self._by_history.setdefault(exchange.asked.whole, []).append(exchange)

    def follows(self, request: Observed) -> Iterator[Follow]:
        """Each place of the request's history where an earlier one's ends and calls follow."""
        entries = request.asked.entries
        for place in range(1, len(entries)):
            calls = _calls(entries[place:])
            sources = self._before(request, request.asked.beginnings[place])
            if calls and sources:
                current = not any(isinstance(entry, UserText) for entry in entries[place:])
                yield Follow(request, sources, calls, current)

    def _before(self, request: Observed, history: bytes) -> list[Observed]:
        known = self._by_history.get(history, ())
        return [one for one in known if one.number < request.number]


def _calls(entries: Sequence[Entry]) -> tuple[AskedCall, ...]:
    """The calls of the model's turn that the entries begin with."""
    turn = takewhile(lambda entry: isinstance(entry, AskedCall | ModelText), entries)
    return tuple(entry for entry in turn if isinstance(entry, AskedCall))


def same_call(sent: AskedCall, answered: Call) -> bool:
    """Whether the call that came back is the one that was answered: by its id, or where the wire
    gave none by what it says."""
    if answered.call_id:
        return sent.call_id == answered.call_id
    said = answered.arguments in (None, sent.arguments)
    return sent.name == answered.name and said
