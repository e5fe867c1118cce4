"""A growing JSON text is coloured as it comes, whatever the sizes of its pieces."""

from __future__ import annotations

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.tui.json_prefix import Highlights, JsonPrefix, Run, Token

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


def joined(runs: list[Run]) -> list[tuple[Token, str]]:
    """Runs with neighbours of one kind put together."""
    out: list[tuple[Token, str]] = []
    for run in runs:
        if out and out[-1][0] is run.token:
            out[-1] = (run.token, out[-1][1] + run.text)
        else:
            out.append((run.token, run.text))
    return out


def kinds(text: str) -> list[tuple[str, str]]:
    return [(token.value, run) for token, run in joined(JsonPrefix().feed(text))]


def test_keys_and_values_are_told_apart() -> None:
    assert kinds('{"a":"b"}') == [
        ("punctuation", "{"),
        ("key", '"a"'),
        ("punctuation", ":"),
        ("string", '"b"'),
        ("punctuation", "}"),
    ]


def test_a_string_in_a_list_is_no_key() -> None:
    assert ("string", '"b"') in kinds('{"a":["b","c"]}')


def test_a_key_after_a_list_is_a_key_again() -> None:
    assert ("key", '"z"') in kinds('{"a":[1],"z":2}')


@pytest.mark.parametrize("open_end", ['{"key": "wei', '{"key', '{"a": tr', '{"a": -1.', "{", ""])
def test_an_open_end_is_taken_for_what_it_will_be(open_end: str) -> None:
    assert all(token is not Token.STRAY for token, _ in joined(JsonPrefix().feed(open_end)))


def test_an_escaped_quote_does_not_end_a_string() -> None:
    assert ("string", '"a\\"b\\\\"') in kinds('["a\\"b\\\\",1]')


@pytest.mark.parametrize("stray", ["{'a'", "{a: 1", "[NaN]", "[1] <tool>"])
def test_what_is_no_json_is_marked_as_stray(stray: str) -> None:
    assert "stray" in [kind for kind, _ in kinds(stray)]


@given(JSON, st.data())
def test_any_split_gives_the_same_colours(value: object, data: st.DataObject) -> None:
    text = json.dumps(value, ensure_ascii=data.draw(st.booleans()))
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=6)))
    reader = JsonPrefix()
    pieces = [text[a:b] for a, b in zip([0, *cuts], [*cuts, len(text)], strict=True)]
    split = [run for piece in pieces for run in reader.feed(piece)]
    assert joined(split) == joined(JsonPrefix().feed(text))


@given(st.text(), st.data())
def test_any_text_comes_out_whole_and_raises_nothing(text: str, data: st.DataObject) -> None:
    cut = data.draw(st.integers(0, len(text)))
    reader = JsonPrefix()
    runs = reader.feed(text[:cut]) + reader.feed(text[cut:])
    assert "".join(run.text for run in runs) == text


@given(st.lists(st.text(alphabet='{}[]":,a1\\ ', max_size=9), max_size=30), st.integers(1, 20))
def test_highlights_keep_both_ends_of_a_text(pieces: list[str], limit: int) -> None:
    seen = Highlights(limit)
    for piece in pieces:
        seen.feed(piece)
    text = "".join(pieces)
    first = "".join(run.text for run in seen.first(limit))
    last = "".join(run.text for run in seen.last(limit))
    assert (first, last) == (text[:limit], text[-limit:])


def test_a_megabyte_in_small_pieces_is_read_once() -> None:
    def cost(size: int) -> float:
        seen = Highlights(1_000)
        begun = time.perf_counter()
        seen.feed('{"text":"')
        for _ in range(size // 40):
            seen.feed("lorem ipsum dolor sit amet, consectetur ")
        return time.perf_counter() - begun

    cost(40_000)
    assert cost(1_000_000) < 25 * max(cost(100_000), 0.002)
