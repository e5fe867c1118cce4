"""Where does each row of the chat stand? Entries one under the other, drawn only where seen.

Heights off the screen are guesses. They become true when a passage comes near the screen, and a
`Place` (a passage and a row in it) keeps the view where it was while they do. No widget in here.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate
from typing import Protocol

from textual.strip import Strip

from app.tui.palette import Palette
from app.tui.passages import Passage

KEPT = 200
"""How many passages stay drawn: some screens full around the one that is seen."""


class Entry(Protocol):
    """One thing in the chat. `passages` may be filled as late as it is first drawn."""

    def passages(self) -> list[Passage]: ...

    def rough(self, width: int) -> int:
        """About how many rows, as long as `passages` need not be made."""
        ...

    def plain(self) -> str:
        """Its text as one would copy it."""
        ...


@dataclass(frozen=True, slots=True)
class Place:
    """A row: the entry, the passage in it, the row in the passage."""

    entry: Entry
    passage: int
    row: int


class Document:
    """The entries and where they stand at the present width."""

    def __init__(self, look: Palette) -> None:
        self.entries: list[Entry] = []
        self._heights: list[int] = []
        self._index: dict[int, int] = {}
        self._tops: list[int] = [0]
        self._true_to = 0
        self._opened: set[int] = set()
        self._drawn: OrderedDict[int, Passage] = OrderedDict()
        self._width = 0
        self._look = look
        self._stamp = 0
        self.blank = Strip.blank(0, look.ink)

    @property
    def height(self) -> int:
        """Rows in all, as far as is known."""
        self._update_tops()
        return self._tops[-1]

    def shape(self, width: int, look: Palette) -> None:
        """Take a new width or look; what is drawn is drawn again when it is seen."""
        if (width, look) != (self._width, self._look):
            self._width, self._look = width, look
            self._stamp += 1
            self.blank = Strip.blank(width, look.ink)

    def append(self, entry: Entry) -> None:
        """Put an entry at the end."""
        self._index[id(entry)] = len(self.entries)
        self.entries.append(entry)
        self._heights.append(entry.rough(self._width or 80))

    def remove(self, entry: Entry) -> None:
        """Take an entry out."""
        place = self._index.pop(id(entry))
        del self.entries[place], self._heights[place]
        self._opened.discard(id(entry))
        for later in range(place, len(self.entries)):
            self._index[id(self.entries[later])] = later
        self._true_to = min(self._true_to, place)

    def clear(self) -> None:
        """Forget everything."""
        self.entries.clear()
        self._heights.clear()
        self._index.clear()
        self._opened.clear()
        self._drawn.clear()
        self._true_to = 0

    def changed(self, entry: Entry) -> None:
        """The entry has other passages or heights than before."""
        place = self._index.get(id(entry))
        if place is not None:
            self._measure(place)

    def place_at(self, y: int) -> Place | None:
        """The row `y`; None when there is nothing at all."""
        self._update_tops()
        if not self.entries:
            return None
        index = min(max(bisect_right(self._tops, y) - 1, 0), len(self.entries) - 1)
        left = y - self._tops[index]
        passages = self._open(index)
        for number, passage in enumerate(passages):
            if left < passage.height or number == len(passages) - 1:
                return Place(self.entries[index], number, max(min(left, passage.height - 1), 0))
            left -= passage.height
        return Place(self.entries[index], 0, 0)

    def y_of(self, place: Place) -> int:
        """Where a row stands now; where it would have stood when its entry is gone."""
        self._update_tops()
        index = self._index.get(id(place.entry))
        if index is None:
            return self.height
        passages = self._open(index)
        above = sum(passage.height for passage in passages[: place.passage])
        here = passages[place.passage].height if place.passage < len(passages) else 1
        return self._tops[index] + above + min(place.row, max(here - 1, 0))

    def draw_around(self, place: Place, above: int, below: int) -> None:
        """Make the heights true from `above` rows over the place to `below` rows under it."""
        start = self._index.get(id(place.entry), len(self.entries) - 1)
        for index, passages in self._backwards(start, place):
            if above <= 0:
                break
            above -= self._draw_passages(index, list(reversed(passages)), above)
        below += place.row
        for index, passages in self._forwards(start, place):
            if below <= 0:
                break
            below -= self._draw_passages(index, passages, below)

    def strips(self, y: int, count: int) -> list[Strip]:
        """The rows from `y` on, at most `count`."""
        place = self.place_at(y)
        rows: list[Strip] = []
        if place is None or y >= self.height:
            return rows
        skip = place.row
        start = self._index[id(place.entry)]
        for _, passages in self._forwards(start, place):
            for passage in passages:
                rows += self._draw(passage)[skip:]
                skip = 0
                if len(rows) >= count:
                    return rows[:count]
        return rows

    def _backwards(self, start: int, place: Place) -> Iterator[tuple[int, list[Passage]]]:
        yield start, self._open(start)[: place.passage]
        for index in range(start - 1, -1, -1):
            yield index, self._open(index)

    def _forwards(self, start: int, place: Place) -> Iterator[tuple[int, list[Passage]]]:
        yield start, self._open(start)[place.passage :]
        for index in range(start + 1, len(self.entries)):
            yield index, self._open(index)

    def _draw_passages(self, index: int, passages: list[Passage], rows: int) -> int:
        """Draw passages of an entry until `rows` are there; how many came."""
        drawn = 0
        for passage in passages:
            if drawn >= rows:
                break
            drawn += len(self._draw(passage))
        self._measure(index)
        return drawn

    def _draw(self, passage: Passage) -> list[Strip]:
        strips = passage.draw(self._width, self._look, self._stamp)
        self._drawn[id(passage)] = passage
        self._drawn.move_to_end(id(passage))
        while len(self._drawn) > KEPT:
            _, oldest = self._drawn.popitem(last=False)
            oldest.strips = None
        return strips

    def _open(self, index: int) -> list[Passage]:
        entry = self.entries[index]
        if id(entry) not in self._opened:
            self._opened.add(id(entry))
            self._measure(index)
        return entry.passages()

    def _measure(self, index: int) -> None:
        height = sum(
            passage.height or passage.guess(self._width)
            for passage in self.entries[index].passages()
        )
        if height != self._heights[index]:
            self._heights[index] = height
            self._true_to = min(self._true_to, index)

    def _update_tops(self) -> None:
        """`_tops[i]` is where entry `i` begins; only what changed is added up again."""
        if self._true_to == len(self.entries) and len(self._tops) == self._true_to + 1:
            return
        begin = self._tops[self._true_to]
        del self._tops[self._true_to :]
        self._tops += accumulate(self._heights[self._true_to :], initial=begin)
        self._true_to = len(self.entries)
