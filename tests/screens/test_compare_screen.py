"""Several answers side by side: live, each with its calls, and one at a time on a small screen."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from app.choice import Choice
from app.messages import LANGUAGES
from app.session import Session
from app.tui.screens.chat import ChatScreen
from app.tui.screens.compare import CompareScreen
from app.tui.widgets.composer import Composer
from providers.history import UserTurn
from tests.hostile import acting
from tests.screens.live import Live, live, live_session
from tests.screens.small_app import HOSTILE, clickable

BOTH = "What is my height and weight?"


class Comparing(Live):
    """The app with the comparison open."""

    @property
    def screen(self) -> CompareScreen:
        (screen,) = (one for one in self.app.screen_stack if isinstance(one, CompareScreen))
        return screen

    async def ask(self, text: str) -> None:
        """Send it and wait until all have ended."""
        self.screen.query_one(Composer).load_text(text)
        await self.pilot.pause()
        await self.pilot.press("enter")
        await self.until(
            lambda: (
                not self.screen.working
                and all(column.sign in ("✓", "✗") for column in self.screen.columns)
            )
        )

    async def pick(self, provider: str) -> None:
        """Take a provider in the picker, with its first model."""
        await self.pilot.press(*provider)
        await self.pilot.pause()
        await self.pilot.press("enter")
        await self.pilot.pause()
        await self.pilot.press("enter")
        await self.app.workers.wait_for_complete()
        await self.pilot.pause()


@asynccontextmanager
async def comparing(
    home: Path, *, language: str = "en", size: tuple[int, int] = (120, 36)
) -> AsyncIterator[Comparing]:
    session: Session = live_session(home, language=language)
    async with live(session, size=size) as vitral:
        await vitral.pilot.press("f6")
        await vitral.until(lambda: isinstance(vitral.app.screen, CompareScreen))
        yield Comparing(vitral.app, vitral.pilot)


async def test_both_answers_stand_beside_one_another_with_their_calls(tmp_path: Path) -> None:
    async with comparing(tmp_path) as vitral:
        await vitral.ask(BOTH)
        rows = vitral.picture.splitlines()
        assert any(row.count("Your height is 170 cm.") == 2 for row in rows)
        assert any("tool_use" in row and "function_call" in row for row in rows)


async def test_each_says_when_its_first_fragment_and_its_end_came(tmp_path: Path) -> None:
    async with comparing(tmp_path) as vitral:
        await vitral.ask("hello")
        head = next(row for row in vitral.picture.splitlines() if "vitral-sim" in row)
        assert head.count("✓") == head.count(" → ") == 2


async def test_one_that_cannot_be_asked_leaves_the_others_their_answer(tmp_path: Path) -> None:
    async with comparing(tmp_path) as vitral:
        await vitral.screen.columns[0].ask_another(Choice("openai"))
        await vitral.ask(BOTH)
        assert [column.sign for column in vitral.screen.columns] == ["✗", "✓"]


async def test_a_small_screen_shows_one_and_tab_goes_to_the_next(tmp_path: Path) -> None:
    async with comparing(tmp_path, size=(70, 24)) as vitral:
        await vitral.ask(BOTH)
        assert "tool_use" in vitral.picture
        assert "function_call" not in vitral.picture
        await vitral.pilot.press("tab")
        await vitral.sees("function_call")
        assert "1 Simulator ✓   2 Simulator ✓" in vitral.picture


async def test_a_third_provider_is_chosen_and_answers(tmp_path: Path) -> None:
    async with comparing(tmp_path, size=(130, 36)) as vitral:
        await vitral.pilot.press("f7")
        await vitral.pick("simul")
        assert len(vitral.screen.columns) == 3
        await vitral.ask("hello")
        assert [column.sign for column in vitral.screen.columns] == ["✓"] * 3


async def test_another_provider_is_chosen_for_a_column(tmp_path: Path) -> None:
    async with comparing(tmp_path) as vitral:
        await vitral.pilot.press("tab", "ctrl+o")
        await vitral.sees("Ollama")
        await vitral.pick("ollama")
        assert [column.title for column in vitral.screen.columns] == ["Simulator", "Ollama"]


async def test_two_stay(tmp_path: Path) -> None:
    async with comparing(tmp_path) as vitral:
        await vitral.pilot.press("f10")
        said = [note.message for note in vitral.app._notifications]
        assert said == ["There must be two to compare."]
        assert len(vitral.screen.columns) == 2


async def test_one_of_three_is_taken_away(tmp_path: Path) -> None:
    async with comparing(tmp_path) as vitral:
        await vitral.pilot.press("f7")
        await vitral.pick("simul")
        await vitral.pilot.press("f10")
        await vitral.until(lambda: len(vitral.screen.columns) == 2)


async def test_no_write_runs_and_nobody_is_asked(tmp_path: Path) -> None:
    async with comparing(tmp_path) as vitral:
        await vitral.ask("Save my weight 72.5 kg")
        assert vitral.picture.count("not allowed") >= 2


async def test_escape_stops_all_and_then_leaves(tmp_path: Path) -> None:
    async with comparing(tmp_path) as vitral:
        for column in vitral.screen.columns:
            await column.ask_another(Choice("simulator", speed=0.01))
        vitral.screen.query_one(Composer).load_text("Tell me a long story")
        await vitral.pilot.press("enter")
        await vitral.until(lambda: vitral.screen.working)
        await vitral.pilot.press("escape")
        await vitral.until(lambda: not vitral.screen.working)
        await vitral.pilot.press("escape")
        await vitral.until(lambda: isinstance(vitral.app.screen, ChatScreen))


async def test_the_chat_below_stays_as_it_was(tmp_path: Path) -> None:
    async with comparing(tmp_path) as vitral:
        await vitral.ask("hello")
        await vitral.pilot.press("escape")
        assert vitral.session.history == ()


async def test_the_last_message_of_the_chat_is_offered(tmp_path: Path) -> None:
    async with live(live_session(tmp_path)) as vitral:
        await vitral.send("hello there")
        await vitral.over()
        await vitral.pilot.press("f6")
        await vitral.until(lambda: isinstance(vitral.app.screen, CompareScreen))
        assert vitral.app.screen.query_one(Composer).text == "hello there"
        assert vitral.session.history[0] == UserTurn("hello there")


async def test_text_from_outside_acts_on_nothing(tmp_path: Path) -> None:
    async with comparing(tmp_path) as vitral:
        await vitral.ask(f'Write "{HOSTILE}" to {HOSTILE}.txt')
        assert (acting(vitral.picture), clickable(vitral.app)) == ([], [])


@pytest.mark.parametrize("language", LANGUAGES)
async def test_the_way_back_is_seen_on_a_small_screen(tmp_path: Path, language: str) -> None:
    async with comparing(tmp_path, language=language, size=(80, 24)) as vitral:
        texts = vitral.session.messages
        assert f"Esc {texts('compare.leave')}" in vitral.picture.splitlines()[-1]
        assert f"Tab {texts('action.column_next')}" in vitral.picture.splitlines()[-1]
