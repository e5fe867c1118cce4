"""While a turn is under way, what the model thought goes back with its calls, unchanged.

Older turns may lose it: the services ask for it only until the person speaks again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from providers.simulator.verdict.exchanges import Follow, Histories, Observed, same_call
from providers.simulator.verdict.finding import Finding, Rule


def find(exchanges: Sequence[Observed]) -> Iterator[Finding]:
    """One finding for each answer of which something was lost."""
    histories = Histories(exchanges)
    known: set[int] = set()
    for exchange in exchanges:
        for follow in histories.follows(exchange):
            sources = [source for source in follow.sources if _gave(source, follow)]
            if not follow.current or not sources or any(_kept(one, exchange) for one in sources):
                continue
            source = sources[-1]
            if source.number not in known:
                known.add(source.number)
                yield exchange.finding(Rule.DROPPED_REASONING, answer=source.number)


def _gave(source: Observed, follow: Follow) -> bool:
    """Whether this answer has the calls that came back."""
    return all(any(same_call(call, one) for one in source.answered.usable) for call in follow.calls)


def _kept(source: Observed, request: Observed) -> bool:
    return source.answered.keepsakes <= request.asked.keepsakes
