"""What went over the wire while faults were switched on, and what was made of it.

Only the newest exchanges are kept, and none of them on a disk.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from providers.cassette import Exchange
    from providers.parts import Part
    from providers.reading import Reading

KEPT = 12
"""Exchanges: more than one message makes, whatever goes wrong."""
KEPT_BYTES = 80 * 1024 * 1024


class Struck:
    """The newest exchanges that went through the fault lab, the oldest first."""

    def __init__(self) -> None:
        self._exchanges: deque[Exchange] = deque(maxlen=KEPT)

    def keep(self, exchange: Exchange) -> None:
        """One exchange is over. An address of no dialect is nothing to look at."""
        if not exchange.dialect:
            return
        self._exchanges.append(exchange)
        while len(self._exchanges) > 1 and self._bytes() > KEPT_BYTES:
            self._exchanges.popleft()

    def _bytes(self) -> int:
        return sum(len(exchange.body) for exchange in self._exchanges)

    def __iter__(self) -> Iterator[Exchange]:
        return iter(tuple(self._exchanges))

    def __len__(self) -> int:
        return len(self._exchanges)


@dataclass(frozen=True, slots=True)
class Made:
    """What we made of an exchange. `runs` are the parts in their order, each kind of part with how
    many of it came side by side; `failure` is the kind of failure, "" where there is none."""

    reading: Reading
    runs: tuple[tuple[type[Part], int], ...]
    failure: str
    code: str


def made_of(exchange: Exchange) -> Made:
    """Reads the exchange again, as it was read then."""
    from providers.playback import moments, read_exchange, refused

    reading = read_exchange(exchange)
    parts = [] if refused(exchange) else [part for _, told in moments(exchange) for part in told]
    runs = tuple((kind, len(list(run))) for kind, run in groupby(map(type, parts)))
    error = reading.error or {}
    return Made(reading, runs, str(error.get("kind") or ""), str(error.get("code") or ""))
