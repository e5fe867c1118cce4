"""Where does each of many things begin that stand one under the other?"""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate


class Pile:
    """Heights and their tops. Only what stands below a change is added up again."""

    def __init__(self) -> None:
        self._heights: list[int] = []
        self._tops: list[int] = [0]
        self._true_to = 0

    def __len__(self) -> int:
        return len(self._heights)

    def __getitem__(self, place: int) -> int:
        return self._heights[place]

    def __setitem__(self, place: int, height: int) -> None:
        if self._heights[place] != height:
            self._heights[place] = height
            self._true_to = min(self._true_to, place)

    def append(self, height: int) -> None:
        self._heights.append(height)

    def cut(self, place: int) -> None:
        """Take away everything from `place` on."""
        del self._heights[place:]
        self._true_to = min(self._true_to, place)

    def remove(self, place: int) -> None:
        """Take one away; what was below moves up."""
        del self._heights[place]
        self._true_to = min(self._true_to, place)

    @property
    def height(self) -> int:
        """All heights together."""
        return self._true_tops()[-1]

    def top(self, place: int) -> int:
        """Where it begins."""
        return self._true_tops()[place]

    def at(self, y: int) -> int:
        """The one that stands at row `y`; the first or last for a row outside."""
        return min(max(bisect_right(self._true_tops(), y) - 1, 0), max(len(self) - 1, 0))

    def _true_tops(self) -> list[int]:
        if self._true_to < len(self._heights) or len(self._tops) != len(self._heights) + 1:
            begin = self._tops[self._true_to]
            del self._tops[self._true_to :]
            self._tops += accumulate(self._heights[self._true_to :], initial=begin)
            self._true_to = len(self._heights)
        return self._tops
