"""Markdown in blocks: where they end, how they look, and that nothing in them acts."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from app.tui.markdown import draw
from app.tui.markdown_blocks import CODE_LINES, LIMIT, Kind, Splitter, split
from app.tui.palette import palette
from app.tui.themes import DARK
from app.tui.wrap import cells
from tests.hostile import HOSTILE, acting

LOOK = palette(DARK, "anthropic")
LINES = st.sampled_from(
    [
        "# title", "words **bold** and `code`", "- item", "  - inner", "1. first", "", "```python",
        "```", "x = 1", "> quote", "| a | b |", "|---|---|", "| 1 | 2 |", "---", "漢字 👨‍👩‍👧",
    ]
)  # fmt: skip
TEXTS = st.lists(LINES, max_size=30).map("\n".join)


def drawn(text: str, width: int = 60) -> str:
    """The text as a person sees it, rows joined."""
    rows = [row for block in split(text) for row in draw(block, width, LOOK)]
    return "\n".join("".join(piece for piece, _ in row).rstrip() for row in rows)


@given(TEXTS, st.lists(st.integers(1, 12), min_size=1))
def test_blocks_are_the_same_however_the_text_is_cut(text: str, sizes: list[int]) -> None:
    splitter = Splitter()
    blocks = []
    begin, turn = 0, 0
    while begin < len(text):
        size = sizes[turn % len(sizes)]
        blocks += splitter.feed(text[begin : begin + size])
        begin, turn = begin + size, turn + 1
    assert [*blocks, *splitter.end()] == split(text)


@example("|---|---|\n|---|---|\nwords **bold** and `code`", 4)
@given(TEXTS, st.integers(4, 90))
def test_no_row_is_wider_than_asked(text: str, width: int) -> None:
    rows = [row for block in split(text) for row in draw(block, width, LOOK)]
    assert all(cells(row) <= max(width, 8) for row in rows)


@given(st.text(max_size=300))
def test_any_text_can_be_drawn_and_none_acts(text: str) -> None:
    assert acting(drawn(text)) == []


def test_hostile_text_does_not_act() -> None:
    assert acting(drawn(HOSTILE)) == []


def test_markup_of_the_screen_is_plain_words() -> None:
    assert "[@click=app.quit]" in drawn("[@click=app.quit]press[/]")


def test_no_style_holds_a_link_or_an_action() -> None:
    rows = [row for block in split(HOSTILE) for row in draw(block, 60, LOOK)]
    assert all(style.link is None and not style.meta for row in rows for _, style in row)


def test_a_link_shows_its_address() -> None:
    assert drawn("see [docs](https://e.example/a)") == "see docs (https://e.example/a)"


def test_an_address_that_is_its_own_words_is_shown_once() -> None:
    assert drawn("<https://e.example>") == "https://e.example"


def test_emphasis_changes_style_inside_a_word() -> None:
    (row,) = draw(split("un**bend**ing")[0], 60, LOOK)
    assert [(text, bool(style.bold)) for text, style in row] == [
        ("un", False),
        ("bend", True),
        ("ing", False),
    ]


def test_items_keep_their_marks_and_their_depth() -> None:
    assert drawn("- one\n  - two\n- three") == "• one\n  • two\n• three"


def test_numbers_of_a_list_go_on() -> None:
    assert drawn("1. a\n2. b\n3. c") == "1. a\n2. b\n3. c"


def test_a_table_is_aligned() -> None:
    table = "| name | cm |\n|:--|--:|\n| height | 170 |\n| a | 5 |"
    assert drawn(table) == "name     cm\n───────────\nheight  170\na         5"


def test_a_wide_table_is_narrowed() -> None:
    table = f"| a | b |\n|---|---|\n| {'word ' * 20} | {'more ' * 20} |"
    assert max(map(len, drawn(table, 40).split("\n"))) <= 40


def test_a_long_table_keeps_its_columns_in_the_next_block() -> None:
    rows = "\n".join(f"| row {n} | {n} |" for n in range(200))
    lines = drawn(f"| name of it | n |\n|---|--:|\n{rows}").split("\n")
    assert len({len(line) for line in lines[3:]}) == 1


def test_a_listing_is_coloured_by_its_language() -> None:
    (block,) = split("```python\ndef f(): pass\n```")
    rows = draw(block, 40, LOOK)
    assert (("def", LOOK.key)) in [run for row in rows for run in row]


def test_an_unknown_language_is_plain() -> None:
    assert "whatever" in drawn("```nosuchlanguage\nwhatever\n```")


def test_a_listing_in_an_item_stays_in_it() -> None:
    blocks = split("1. a\n\n   ```\n   - x\n\n   # y\n   ```\n2. b")
    assert [block.kind for block in blocks] == [Kind.ITEM, Kind.ITEM]


@pytest.mark.parametrize(
    "text", ["word " * 2_000, "x" * 10_000, "| a |\n|---|\n" + "| b |\n" * 900]
)
def test_a_block_is_never_longer_than_the_limit_allows(text: str) -> None:
    assert max(len(block.source) for block in split(text)) <= LIMIT + 20


def test_a_long_listing_goes_on_in_joined_blocks() -> None:
    blocks = split("```\n" + "line\n" * (CODE_LINES * 2 + 1) + "```")
    assert [block.joined for block in blocks] == [False, True, True]


def test_the_open_block_shows_what_has_come() -> None:
    splitter = Splitter()
    splitter.feed("done\n\nhalf a sen")
    assert splitter.open is not None
    assert splitter.open.source == "half a sen"


def test_wide_characters_fill_a_row_without_spilling() -> None:
    rows = draw(split("漢字" * 20)[0], 11, LOOK)
    assert {cells(row) for row in rows[:-1]} == {10}


def test_an_emoji_of_several_characters_is_never_cut() -> None:
    family = "👨‍👩‍👧"
    rows = draw(split(family * 9)[0], 5, LOOK)
    assert all("".join(text for text, _ in row).replace(family, "") == "" for row in rows)
