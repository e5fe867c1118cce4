"""The fault lab, driven by keys: faults are switched, combined and counted; what came is shown."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from app.messages import LANGUAGES
from app.tui.screens.faults import FaultsScreen, Switches
from providers.faults import FAULTS
from tests.hostile import acting
from tests.screens.live import Live, live, live_session
from tests.screens.small_app import clickable

HEIGHT = "What is my height?"
SMALL = (80, 24)


@asynccontextmanager
async def lab(
    home: Path,
    *keys: str,
    size: tuple[int, int] = (120, 40),
    language: str = "en",
    fault: str | None = None,
) -> AsyncIterator[Live]:
    """The open lab, after these keys."""
    session = live_session(home, language=language)
    session.choice = replace(session.choice, fault=fault)
    async with live(session, size=size) as vitral:
        await opened(vitral, *keys)
        yield vitral


async def opened(vitral: Live, *keys: str) -> None:
    await vitral.pilot.press("ctrl+b")
    await vitral.until(lambda: isinstance(vitral.app.screen, FaultsScreen))
    await vitral.pilot.pause()
    await vitral.pilot.press(*keys)
    await vitral.app.workers.wait_for_complete()
    await vitral.pilot.pause()


async def applied(vitral: Live) -> None:
    await vitral.pilot.press("enter")
    await vitral.until(lambda: not isinstance(vitral.app.screen, FaultsScreen))
    await vitral.app.workers.wait_for_complete()
    await vitral.pilot.pause()


def row(vitral: Live, name: str) -> str:
    return next(line for line in vitral.picture.splitlines() if f" {name} " in line)


async def test_space_switches_a_fault_on_and_enter_applies_it(tmp_path: Path) -> None:
    async with lab(tmp_path, *"cut-in-ar", "space") as vitral:
        assert "↯ cut-in-arguments" in row(vitral, "cut-in-arguments")
        await applied(vitral)
        assert vitral.session.choice.fault == "cut-in-arguments"
        assert "↯ cut-in-arguments" in vitral.picture.splitlines()[0]


async def test_escape_leaves_all_as_it_was(tmp_path: Path) -> None:
    async with lab(tmp_path, "space", "escape") as vitral:
        await vitral.sees("Ask anything")
        assert vitral.session.choice.fault is None
        assert "↯" not in vitral.picture


async def test_several_faults_combine(tmp_path: Path) -> None:
    async with lab(tmp_path, *"drip", "space", *("backspace",) * 4, *"no-ids", "space") as vitral:
        await applied(vitral)
        assert vitral.session.choice.fault == "drip,no-ids"
        assert "↯ drip +1" in vitral.picture.splitlines()[0]


async def test_what_is_on_can_be_switched_off(tmp_path: Path) -> None:
    async with lab(tmp_path, "space", fault="drip") as vitral:
        await applied(vitral)
        assert vitral.session.choice.fault is None


async def test_all_are_switched_off_by_one_row(tmp_path: Path) -> None:
    async with lab(tmp_path, *"switch", "space", fault="drip,no-ids") as vitral:
        await applied(vitral)
        assert vitral.session.choice.fault is None


async def test_how_often_and_where_are_chosen_by_the_arrows(tmp_path: Path) -> None:
    keys = [*"often", "right", "right", *("backspace",) * 5, *"seed", *("right",) * 7, "left"]
    async with lab(tmp_path, *keys, fault="drip") as vitral:
        await applied(vitral)
        choice = vitral.session.choice
        assert (choice.fault_times, choice.fault_seed) == (2, 6)


async def test_it_says_what_happens_and_what_is_right(tmp_path: Path) -> None:
    async with lab(tmp_path, *"cut-in-ar") as vitral:
        texts, fault = vitral.session.messages, FAULTS["cut-in-arguments"]
        assert f"↯ {texts(fault.about)}" in vitral.picture
        assert f"→ {texts(fault.right)}"[:60] in vitral.picture


async def test_the_cursor_stands_on_faults_and_not_on_headings(tmp_path: Path) -> None:
    async with lab(tmp_path) as vitral:
        screen = vitral.app.screen
        assert isinstance(screen, FaultsScreen)
        stood = []
        for _ in range(len(FAULTS) + 4):
            stood.append(screen.highlighted)
            screen.action_move(1)
        assert [name for name in stood if name in FAULTS] == [*FAULTS, next(iter(FAULTS))]
        assert not any(name.startswith("family:") for name in stood)


async def struck(vitral: Live) -> None:
    await vitral.send(HEIGHT)
    await vitral.over()


async def test_what_was_sent_stands_beside_what_was_made_of_it(tmp_path: Path) -> None:
    async with lab(tmp_path, *"bad-json", "space") as vitral:
        await applied(vitral)
        await struck(vitral)
        await opened(vitral, "tab")
        for _ in range(3):
            await vitral.pilot.press("left")
        await vitral.sees("call that never runs")
        lines = vitral.picture.splitlines()
        head = next(line for line in lines if "What was sent" in line)
        assert "What we made of it" in head
        assert "text/event-stream" in vitral.picture
        assert "lookup_demo_value" in vitral.picture


async def test_a_refusal_is_shown_as_it_came(tmp_path: Path) -> None:
    async with lab(tmp_path, *"status-401", "space", size=SMALL) as vitral:
        await applied(vitral)
        assert "↯ 1" in vitral.picture.splitlines()[0]
        await struck(vitral)
        await opened(vitral, "tab")
        await vitral.sees("401  application/json")
        await vitral.sees("No answer: auth")


async def test_without_an_exchange_it_says_how_to_get_one(tmp_path: Path) -> None:
    async with lab(tmp_path, "tab") as vitral:
        await vitral.sees(vitral.session.messages("lab.none_yet")[:60])


async def test_a_message_without_faults_is_not_kept(tmp_path: Path) -> None:
    session = live_session(tmp_path)
    async with live(session) as vitral:
        await struck(vitral)
        await opened(vitral, "tab")
        await vitral.sees(session.messages("lab.none_yet")[:60])


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("keys", [(), ("tab",)])
async def test_its_keys_are_whole_at_eighty_columns_in_every_language(
    tmp_path: Path, language: str, keys: tuple[str, ...]
) -> None:
    async with lab(tmp_path, *keys, language=language, size=SMALL) as vitral:
        texts = vitral.session.messages
        assert texts("lab.keys_looking" if keys else "lab.keys") in vitral.picture
        assert texts("lab.title") in vitral.picture


async def test_nothing_on_it_drives_the_terminal(tmp_path: Path) -> None:
    async with lab(tmp_path, *"html-page", "space") as vitral:
        await applied(vitral)
        await struck(vitral)
        await opened(vitral)
        assert (acting(vitral.picture), clickable(vitral.app)) == ([], [])


def test_switches_become_a_choice_and_back() -> None:
    switches = Switches(("drip", "no-ids"), 2, 7)
    session = live_session(Path("nowhere"))
    assert Switches.of(switches.applied(session.choice)) == switches
