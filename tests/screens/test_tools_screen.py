"""The list of tools: switched by keys, remembered in the settings, and its cost always in sight."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from app.messages import LANGUAGES
from app.settings_file import load_settings
from tests.hostile import acting
from tests.screens.live import Live, live, live_session
from tests.screens.small_app import clickable

DOWN_TO_SAVING = ("down",) * 5


@asynccontextmanager
async def tools(
    home: Path, *keys: str, language: str = "en", size: tuple[int, int] = (120, 40)
) -> AsyncIterator[Live]:
    """The open list, after these keys."""
    session = live_session(home, language=language)
    async with live(session, size=size) as vitral:
        await vitral.pilot.press("f5")
        await vitral.sees("lookup_demo_value")
        await vitral.pilot.press(*keys)
        await vitral.app.workers.wait_for_complete()
        await vitral.pilot.pause()
        yield vitral


def row(vitral: Live, tool: str) -> str:
    return next(line for line in vitral.picture.splitlines() if f" {tool} " in line)


async def test_each_tool_has_its_effect_its_rule_and_its_cost(tmp_path: Path) -> None:
    async with tools(tmp_path) as vitral:
        assert "✓ list_files" in row(vitral, "list_files")
        assert "reads" in row(vitral, "list_files")
        assert "changes things · ‹ asks first › · " in row(vitral, "save_measurement")
        assert "tokens" in row(vitral, "save_measurement")


async def test_enter_switches_a_tool_off_and_the_settings_keep_it(tmp_path: Path) -> None:
    async with tools(tmp_path, "down", "enter") as vitral:
        assert "– calculate" in row(vitral, "calculate")
        assert "calculate" not in vitral.session.toolbox
        kept = load_settings(vitral.session.places.settings).settings
        assert not kept.tools["calculate"].enabled


async def test_a_tool_that_is_off_lowers_what_the_list_costs(tmp_path: Path) -> None:
    async with tools(tmp_path, "down", "enter") as vitral:
        assert "11 of 12 tools" in vitral.picture


async def test_the_panel_says_what_the_list_costs_once_it_is_closed(tmp_path: Path) -> None:
    async with tools(tmp_path, "down", "enter", "escape") as vitral:
        await vitral.sees("11 of 12 tools · ≈ ")


async def test_right_allows_a_write_and_the_settings_keep_it(tmp_path: Path) -> None:
    async with tools(tmp_path, *DOWN_TO_SAVING, "right") as vitral:
        assert "‹ allowed ›" in row(vitral, "save_measurement")
        kept = load_settings(vitral.session.places.settings).settings
        assert kept.tools["save_measurement"].permission == "allow"


async def test_an_allowed_write_asks_nobody(tmp_path: Path) -> None:
    async with tools(tmp_path, *DOWN_TO_SAVING, "right", "escape") as vitral:
        await vitral.send("save my weight 72.5 kg")
        await vitral.over()
        result = vitral.panel.board.views[0].result
        assert result is not None
        assert result.ok


@pytest.mark.parametrize(
    ("keys", "shown"), [((), "‹ yes in this chat ›"), (("right",) * 3, "‹ asks first ›")]
)
async def test_what_need_not_ask_in_this_chat_is_shown_and_withdrawn_by_another_rule(
    tmp_path: Path, keys: tuple[str, ...], shown: str
) -> None:
    async with live(live_session(tmp_path)) as vitral:
        await vitral.send("save my weight 72.5 kg")
        await vitral.sees("May save_measurement")
        await vitral.pilot.press("a")
        await vitral.over()
        await vitral.pilot.press("f5")
        await vitral.sees("lookup_demo_value")
        await vitral.pilot.press(*DOWN_TO_SAVING, *keys)
        await vitral.app.workers.wait_for_complete()
        assert shown in row(vitral, "save_measurement")


async def test_a_read_has_no_rule_to_change(tmp_path: Path) -> None:
    async with tools(tmp_path, "right") as vitral:
        assert vitral.session.settings.tools == {}


async def test_the_role_is_changed_on_its_row(tmp_path: Path) -> None:
    async with tools(tmp_path, "up", "enter") as vitral:
        assert "viewer" in row(vitral, "your role")
        assert vitral.session.settings.role == "viewer"


@pytest.mark.parametrize("language", LANGUAGES)
async def test_it_is_whole_at_eighty_columns_in_every_language(
    tmp_path: Path, language: str
) -> None:
    async with tools(tmp_path, language=language, size=(80, 24)) as vitral:
        texts = vitral.session.messages
        assert texts("tools.keys") in vitral.picture
        assert "259 tokens" in row(vitral, "create_routine")


async def test_a_broken_tool_of_ones_own_is_told_and_inert(tmp_path: Path) -> None:
    folder = tmp_path / "own"
    folder.mkdir()
    (folder / "bad.py").write_text("raise ValueError('\\x1b]0;owned\\x07[@click=app.quit]x[/]')\n")
    session = live_session(tmp_path)
    session.settings = session.settings.model_copy(update={"tools_folder": str(folder)})
    async with live(session) as vitral:
        await vitral.pilot.press("f5")
        await vitral.sees("✗ Your own tools, bad.py")
        assert (acting(vitral.picture), clickable(vitral.app)) == ([], [])


@pytest.mark.parametrize("language", LANGUAGES)
async def test_stages_are_switched_on_and_every_cost_is_whole(
    tmp_path: Path, language: str
) -> None:
    async with tools(tmp_path, *("up",) * 2, "enter", language=language, size=(80, 24)) as vitral:
        texts = vitral.session.messages
        assert vitral.session.settings.tools_by_stage
        later = texts("tools.tokens_later", count="259")
        assert later in row(vitral, "create_routine")
