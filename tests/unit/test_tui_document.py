"""Where rows stand: guesses become true near the view, and the view does not move for it."""

from __future__ import annotations

from app.tui.document import Document
from app.tui.entries import Answer, Message
from app.tui.palette import palette
from app.tui.themes import DARK

LOOK = palette(DARK, "anthropic")
WIDTH = 40


def document(count: int = 50) -> Document:
    """A chat of questions and of answers whose heights cannot be guessed well."""
    made = Document(LOOK)
    made.shape(WIDTH, LOOK)
    for number in range(count):
        made.append(Message(f"question {number}"))
        made.append(Answer(f"# {number}\n\n" + "- item\n" * (number % 7) + "word " * 30))
    return made


def rows(made: Document, y: int, count: int = 20) -> list[str]:
    return [strip.text.rstrip() for strip in made.strips(y, count)]


def test_nothing_is_drawn_before_it_is_seen() -> None:
    made = document()
    assert made.height > 0
    assert all(not entry.passages.__self__._passages for entry in made.entries)  # type: ignore[attr-defined]


def test_drawing_around_a_place_leaves_it_where_it_was_on_the_screen() -> None:
    made = document()
    place = made.place_at(made.height // 2)
    assert place is not None
    made.draw_around(place, 20, 40)
    before = rows(made, made.y_of(place))
    made.draw_around(place, 200, 200)
    assert rows(made, made.y_of(place)) == before


def test_heights_agree_with_what_is_drawn() -> None:
    made = document(5)
    first = made.place_at(0)
    assert first is not None
    made.draw_around(first, 0, 10_000)
    assert len(made.strips(0, 10_000)) == made.height


def test_every_row_is_found_again() -> None:
    made = document(5)
    first = made.place_at(0)
    assert first is not None
    made.draw_around(first, 0, 10_000)
    for y in range(made.height):
        place = made.place_at(y)
        assert place is not None
        assert made.y_of(place) == y


def test_a_growing_answer_moves_nothing_above_it() -> None:
    made = document(5)
    answer = Answer(growing=True)
    made.append(answer)
    place = made.place_at(3)
    assert place is not None
    made.draw_around(place, 10, 10)
    before = made.y_of(place)
    answer.add("# more\n\n" * 20)
    made.changed(answer)
    assert made.y_of(place) == before


def test_an_entry_above_that_goes_away_keeps_the_place() -> None:
    made = document(5)
    place = made.place_at(made.height - 1)
    assert place is not None
    made.draw_around(place, 1_000, 10)
    before = rows(made, made.y_of(place), 1)
    made.remove(made.entries[2])
    assert rows(made, made.y_of(place), 1) == before


def test_a_narrower_screen_keeps_the_place() -> None:
    made = document(20)
    place = made.place_at(made.height // 2)
    assert place is not None
    made.draw_around(place, 20, 20)
    made.shape(WIDTH // 2, LOOK)
    made.draw_around(place, 20, 20)
    found = made.place_at(made.y_of(place))
    assert found is not None
    assert found.entry is place.entry
