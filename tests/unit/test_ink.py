"""Coloured lines fit where they are put, in cells and not in characters."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.tui.ink import Piece, clip, fold, outside, shorten, width_of

TEXT = st.text(alphabet=st.sampled_from("ab \n日本é한🙂e\u0301"), max_size=60)


def test_a_line_is_broken_where_it_is_full() -> None:
    assert [line[0].text for line in fold([Piece("abcdef")], 4)] == ["abcd", "ef"]


def test_words_stay_whole_when_asked() -> None:
    lines = fold([Piece("the path is wrong")], 10, words=True)
    assert ["".join(piece.text for piece in line) for line in lines] == ["the path", "is wrong"]


@given(st.lists(TEXT, max_size=5), st.integers(2, 20))
def test_no_folded_line_is_wider_than_its_room(texts: list[str], width: int) -> None:
    lines = fold([Piece(text) for text in texts], width)
    assert all(width_of(line) <= width for line in lines)


@given(st.lists(TEXT, max_size=5), st.integers(2, 20))
def test_folding_loses_no_character(texts: list[str], width: int) -> None:
    lines = fold([Piece(text) for text in texts], width)
    kept = "".join(piece.text for line in lines for piece in line)
    assert kept == "".join(texts).replace("\n", "")


@given(TEXT, st.integers(0, 20))
def test_a_clipped_line_fits(text: str, width: int) -> None:
    assert width_of(clip([Piece(text.replace("\n", " "))], width)) <= max(width, 0)


@pytest.mark.parametrize(
    ("text", "short"), [("toolu_01A9s8dfk9", "toolu_0…k9"), ("call_7", "call_7"), ("", "")]
)
def test_an_id_is_shortened_in_its_middle(text: str, short: str) -> None:
    assert shorten(text, 10) == short


@given(st.text(max_size=40), st.integers(1, 20))
def test_a_shortened_text_fits(text: str, width: int) -> None:
    assert width_of([outside(shorten(outside(text).text, width))]) <= width


def test_text_from_outside_is_safe() -> None:
    assert "\x1b" not in outside("\x1b]0;title\x07").text
