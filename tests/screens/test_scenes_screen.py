"""A scene is chosen in the app, and its first message waits in the composer, ready to send."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from app.messages import LANGUAGES
from app.scene_files import missing_files
from app.tui.widgets.composer import Composer
from providers.simulator.scenes import shipped_scenes
from tests.screens.live import Live, live, live_session
from tools.demo.workspace import create_workspace


def written(vitral: Live) -> str:
    return vitral.chat.query_one(Composer).text


@pytest.mark.parametrize("language", LANGUAGES)
async def test_a_chosen_scene_offers_its_opening_and_plays(tmp_path: Path, language: str) -> None:
    session = live_session(tmp_path, language=language)
    opening = shipped_scenes()["height-and-weight"].opening(language)
    async with live(session) as vitral:
        await vitral.pilot.press("ctrl+s")
        await vitral.sees(session.messages("scene.title"))
        await vitral.pilot.press(*"height-and", "enter")
        await vitral.until(lambda: written(vitral) == opening)
        await vitral.pilot.press("enter")
        await vitral.sees("170 cm")
        await vitral.over()
        assert [view.name for view in vitral.panel.board.views] == ["lookup_demo_value"] * 2


def offered(vitral: Live, name: str) -> bool:
    """Whether the scene's opening stands in the composer."""
    return written(vitral) == shipped_scenes()[name].opening("en")


async def test_what_the_person_is_writing_stays(tmp_path: Path) -> None:
    async with live(live_session(tmp_path)) as vitral:
        await vitral.pilot.press(*"mine", "ctrl+s")
        await vitral.sees("Play a scene")
        await vitral.pilot.press(*"long-a", "enter")
        await vitral.until(lambda: vitral.session.choice.scene == "long-answer")
        await vitral.pilot.pause()
        assert written(vitral) == "mine"


async def test_a_file_that_a_scene_reads_and_that_is_missing_is_named(tmp_path: Path) -> None:
    session = live_session(tmp_path)
    session.places.workspace.mkdir(parents=True)
    (session.places.workspace / "notes.md").write_text("Here.", "utf-8")
    session.choice = replace(session.choice, scene="five-files")
    async with live(session) as vitral:
        await vitral.until(lambda: bool(vitral.app._notifications))
        (said,) = vitral.app._notifications
        assert said.message.endswith(": recipes.md, data.csv, letter.md, garden/plan.md")


async def test_a_workspace_that_will_be_made_has_the_files(tmp_path: Path) -> None:
    session = live_session(tmp_path)
    scene = shipped_scenes()["five-files"]
    assert missing_files(scene, session.settings, session.places) == ()
    create_workspace(session.places.workspace)
    assert missing_files(scene, session.settings, session.places) == ()
    await session.close()


async def test_another_scene_offers_its_opening_in_place_of_the_last_one(tmp_path: Path) -> None:
    async with live(live_session(tmp_path)) as vitral:
        for name in ("height", "overloaded"):
            await vitral.pilot.press("ctrl+s")
            await vitral.sees("Play a scene")
            await vitral.pilot.press(*name, "enter")
            await vitral.until(partial(offered, vitral, name))


async def test_a_scene_of_the_command_line_waits_when_the_app_opens(tmp_path: Path) -> None:
    session = live_session(tmp_path)
    session.choice = replace(session.choice, scene="exact-sum")
    async with live(session) as vitral:
        await vitral.until(lambda: written(vitral).startswith("What is 0.1 + 0.2"))


async def test_the_picker_has_the_scene_among_the_simulators_details(tmp_path: Path) -> None:
    async with live(live_session(tmp_path)) as vitral:
        await vitral.pilot.press("ctrl+o")
        await vitral.sees("Simulator")
        await vitral.pilot.press("enter")
        await vitral.sees("no scene")
        await vitral.pilot.press("up", "up", "enter")
        await vitral.sees("Play a scene")
        await vitral.pilot.press(*"overl", "enter", "enter")
        await vitral.until(lambda: written(vitral).startswith("Are you very busy?"))
        assert vitral.session.choice.scene == "overloaded"
