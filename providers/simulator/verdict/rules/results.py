"""Every call gets one result, and every result has its call."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from providers.simulator.conversation import AskedCall, Entry, GivenResult
from providers.simulator.verdict.exchanges import Observed
from providers.simulator.verdict.finding import Finding, Rule


def find(exchanges: Sequence[Observed]) -> Iterator[Finding]:
    """One finding for each wrong place of a history, in the request that showed it first."""
    known: set[tuple[Rule, bytes]] = set()
    for exchange in exchanges:
        for rule, place in _wrong(exchange.asked.entries):
            mark = (rule, exchange.asked.beginnings[place + 1])
            if mark not in known:
                known.add(mark)
                yield exchange.finding(rule, call=_call_id(exchange.asked.entries[place]))


def _wrong(entries: Sequence[Entry]) -> Iterator[tuple[Rule, int]]:
    """The rule that is broken, and where."""
    waiting: list[tuple[str, int]] = []
    answered: set[str] = set()
    for place, entry in enumerate(entries):
        match entry:
            case AskedCall(call_id=call_id):
                waiting.append((call_id, place))
            case GivenResult(call_id=call_id):
                asked = next((one for one in waiting if one[0] == call_id), None)
                if asked is not None:
                    waiting.remove(asked)
                    answered.add(call_id)
                elif call_id in answered:
                    yield Rule.RESULT_TWICE, place
                else:
                    yield Rule.RESULT_UNKNOWN, place
            case _:
                pass
    for _, place in waiting:
        yield Rule.RESULT_MISSING, place


def _call_id(entry: Entry) -> str:
    return entry.call_id if isinstance(entry, AskedCall | GivenResult) else ""
