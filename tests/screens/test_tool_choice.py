"""The tool choice: made from a list, shown in the panel, told when the model does not follow it."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.messages import LANGUAGES
from providers.request import Choose, OneTool, tool_choice_of, tool_choice_word
from tests.screens.live import live, live_session


async def test_a_choice_is_made_from_a_list_and_shown_in_the_panel(tmp_path: Path) -> None:
    async with live(live_session(tmp_path)) as vitral:
        await vitral.pilot.press("f12")
        await vitral.sees("Must the model call a tool?")
        await vitral.pilot.press("down", "enter")
        await vitral.sees("must call: some tool")
        assert vitral.session.tool_choice is Choose.REQUIRED


async def test_one_tool_is_chosen_by_its_name_and_called(tmp_path: Path) -> None:
    async with live(live_session(tmp_path)) as vitral:
        await vitral.pilot.press("f12")
        await vitral.sees("Must the model call a tool?")
        await vitral.pilot.press(*"list_fi", "enter")
        await vitral.sees("must call: list_files")
        await vitral.send("Hello")
        await vitral.over()
        assert [view.name for view in vitral.panel.board.views] == ["list_files"]


async def test_a_tool_that_is_switched_off_is_no_choice_any_more(tmp_path: Path) -> None:
    session = live_session(tmp_path)
    session.tool_choice = OneTool("calculate")
    session.change_tool("calculate", enabled=False)
    assert tool_choice_word(session.tool_choice) == "auto"
    await session.close()


@pytest.mark.parametrize("language", LANGUAGES)
async def test_the_list_is_whole_at_eighty_columns_in_every_language(
    tmp_path: Path, language: str
) -> None:
    async with live(live_session(tmp_path, language=language), size=(80, 24)) as vitral:
        await vitral.pilot.press("f12")
        texts = vitral.session.messages
        await vitral.sees(texts("tool_choice.title"))
        for choice in Choose:
            assert texts(f"tool_choice.{choice}.about") in vitral.picture


@pytest.mark.parametrize("word", ["auto", "required", "none", "calculate"])
def test_each_choice_is_written_as_it_is_read(word: str) -> None:
    assert tool_choice_word(tool_choice_of(word)) == word
