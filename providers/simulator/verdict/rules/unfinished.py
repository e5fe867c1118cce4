"""A call of an answer that did not come to its end is not run.

That it was run shows by its result. A result that is an error only says that it was not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from providers.simulator.conversation import AskedCall, GivenResult
from providers.simulator.verdict.exchanges import Follow, Histories, Observed, same_call
from providers.simulator.verdict.finding import Finding, Rule


def find(exchanges: Sequence[Observed]) -> Iterator[Finding]:
    """One finding for each such call, in the request that brought its result."""
    histories = Histories(exchanges)
    known: set[tuple[int, str]] = set()
    for exchange in exchanges:
        for follow in histories.follows(exchange):
            for call in follow.calls:
                source = _source(follow, call)
                if source is None or (source.number, call.call_id) in known:
                    continue
                known.add((source.number, call.call_id))
                yield exchange.finding(
                    Rule.RAN_UNFINISHED, answer=source.number, call=call.call_id, name=call.name
                )


def _source(follow: Follow, call: AskedCall) -> Observed | None:
    """The exchange that began the call and did not finish, if it was run and no other gave it."""
    if not _ran(follow, call):
        return None
    answers = follow.sources
    if any(same_call(call, one) for source in answers for one in source.answered.usable):
        return None
    begun = (
        source for source in answers if any(same_call(call, one) for one in source.answered.begun)
    )
    return next(begun, None)


def _ran(follow: Follow, call: AskedCall) -> bool:
    return any(
        isinstance(entry, GivenResult) and entry.call_id == call.call_id and not entry.failed
        for entry in follow.request.asked.entries
    )
