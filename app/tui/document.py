"""Where does each row of the chat stand? Entries one under the other, drawn only where seen.

Heights off the screen are guesses. They become true when a passage comes near the screen, and a
`Place` (a passage and a row in it) keeps the view where it was while they do. No widget in here.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from textual.strip import Strip

from app.tui.palette import Palette
from app.tui.passages import Passage
from app.tui.pile import Pile

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


class _Opened:
    """An entry whose passages have been asked for, and how high each is."""

    def __init__(self) -> None:
        self.passages: list[Passage] = []
        self.pile = Pile()

    def update(self, passages: list[Passage], width: int) -> None:
        """Take the entry's passages as they are now. A list that only grew at its end keeps what
        is known of the rest, for a long answer has thousands."""
        same = passages is self.passages and len(passages) >= len(self.pile)
        known = max(len(self.pile) - 1, 0) if same else 0
        self.passages = passages
        self.pile.cut(known)
        for passage in passages[known:]:
            self.pile.append(passage.height or passage.guess(width))


class Document:
    """The entries and where they stand at the present width."""

    def __init__(self, look: Palette) -> None:
        self.entries: list[Entry] = []
        self.blank = Strip.blank(0, look.ink)
        self._pile = Pile()
        self._index: dict[int, int] = {}
        self._opened: dict[int, _Opened] = {}
        self._drawn: OrderedDict[int, Passage] = OrderedDict()
        self._width = 0
        self._look = look
        self._stamp = 0

    @property
    def height(self) -> int:
        """Rows in all, as far as is known."""
        return self._pile.height

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
        self._pile.append(entry.rough(self._width or 80))

    def remove(self, entry: Entry) -> None:
        """Take an entry out."""
        place = self._index.pop(id(entry))
        del self.entries[place]
        self._pile.remove(place)
        self._opened.pop(id(entry), None)
        for later in range(place, len(self.entries)):
            self._index[id(self.entries[later])] = later

    def clear(self) -> None:
        """Forget everything."""
        self.entries.clear()
        self._pile.cut(0)
        self._index.clear()
        self._opened.clear()
        self._drawn.clear()

    def reworded(self, entry: Entry) -> None:
        """The entry speaks another language. One that was never seen makes its passages later."""
        if id(entry) in self._opened:
            self.changed(entry)

    def changed(self, entry: Entry) -> None:
        """The entry has other passages than before."""
        index = self._index.get(id(entry))
        if index is not None:
            opened = self._open(index)
            opened.update(entry.passages(), self._width)
            self._pile[index] = opened.pile.height

    def place_at(self, y: int) -> Place | None:
        """The row `y`; None when there is nothing at all."""
        if not self.entries:
            return None
        index = self._pile.at(y)
        opened = self._open(index)
        left = max(y - self._pile.top(index), 0)
        if not opened.passages:
            return Place(self.entries[index], 0, 0)
        number = opened.pile.at(left)
        row = min(left - opened.pile.top(number), opened.pile[number] - 1)
        return Place(self.entries[index], number, max(row, 0))

    def y_of(self, place: Place) -> int:
        """Where a row stands now; the end when its entry is gone."""
        index = self._index.get(id(place.entry))
        if index is None:
            return self.height
        pile = self._open(index).pile
        top = self._pile.top(index)
        if place.passage >= len(pile):
            return top + pile.height
        return top + pile.top(place.passage) + min(place.row, max(pile[place.passage] - 1, 0))

    def draw_around(self, place: Place, above: int, below: int) -> None:
        """Make the heights true from `above` rows over the place to `below` rows under it."""
        start = self._index.get(id(place.entry), len(self.entries) - 1)
        here = min(place.passage, len(self._open(start).passages))
        for index, number in self._backwards(start, here):
            if above <= 0:
                break
            above -= len(self._draw(index, number))
        below += place.row
        for index, number in self._forwards(start, here):
            if below <= 0:
                break
            below -= len(self._draw(index, number))

    def strips(self, y: int, count: int) -> list[Strip]:
        """The rows from `y` on, at most `count`."""
        place = self.place_at(y)
        rows: list[Strip] = []
        if place is None or y >= self.height:
            return rows
        skip = place.row
        for index, number in self._forwards(self._index[id(place.entry)], place.passage):
            if len(rows) >= count:
                break
            rows += self._draw(index, number)[skip:]
            skip = 0
        return rows[:count]

    def _backwards(self, start: int, passage: int) -> Iterator[tuple[int, int]]:
        """The passages above one, the nearest first, as entry and number."""
        yield from ((start, number) for number in range(passage - 1, -1, -1))
        for index in range(start - 1, -1, -1):
            for number in range(len(self._open(index).passages) - 1, -1, -1):
                yield index, number

    def _forwards(self, start: int, passage: int) -> Iterator[tuple[int, int]]:
        """A passage and all below it."""
        for index in range(start, len(self.entries)):
            for number in range(passage if index == start else 0, len(self._open(index).passages)):
                yield index, number

    def _draw(self, index: int, number: int) -> list[Strip]:
        opened = self._open(index)
        passage = opened.passages[number]
        strips = passage.draw(self._width, self._look, self._stamp)
        opened.pile[number] = passage.height
        self._pile[index] = opened.pile.height
        self._drawn[id(passage)] = passage
        self._drawn.move_to_end(id(passage))
        while len(self._drawn) > KEPT:
            _, oldest = self._drawn.popitem(last=False)
            oldest.strips = None
        return strips

    def _open(self, index: int) -> _Opened:
        entry = self.entries[index]
        opened = self._opened.get(id(entry))
        if opened is None:
            opened = self._opened[id(entry)] = _Opened()
            opened.update(entry.passages(), self._width)
            self._pile[index] = opened.pile.height
        return opened
