"""A pile agrees with plain sums, whatever is changed in whatever order."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from app.tui.pile import Pile

CHANGES = st.lists(
    st.tuples(
        st.sampled_from(["append", "set", "remove", "cut", "ask"]),
        st.integers(0, 20),
        st.integers(0, 9),
    ),
    max_size=40,
)


@given(CHANGES)
def test_tops_are_the_sums_of_the_heights_above(changes: list[tuple[str, int, int]]) -> None:
    pile, heights = Pile(), list[int]()
    for what, place, height in changes:
        if what == "append":
            pile.append(height)
            heights.append(height)
        elif what == "ask":
            assert pile.height == sum(heights)
        elif place < len(heights):
            if what == "set":
                pile[place] = heights[place] = height
            elif what == "remove":
                pile.remove(place)
                del heights[place]
            else:
                pile.cut(place)
                del heights[place:]
    assert pile.height == sum(heights)
    assert [pile.top(place) for place in range(len(heights))] == [
        sum(heights[:place]) for place in range(len(heights))
    ]


def test_the_one_at_a_row_is_the_one_that_covers_it() -> None:
    pile = Pile()
    for height in (3, 1, 4):
        pile.append(height)
    assert [pile.at(y) for y in (-1, 0, 2, 3, 4, 7, 99)] == [0, 0, 0, 1, 2, 2, 2]
