"""A person holds, steps and slows the answer that comes; the agent goes on, and nothing is lost."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from app import events
from app.messages import LANGUAGES, Messages
from app.tui.projector import LIVE, Showing
from app.tui.widgets.call_list import CallList
from app.tui.widgets.composer import Composer
from app.tui.widgets.playback_bar import PlaybackBar
from app.tui.widgets.status_bar import StatusBar
from providers.history import AssistantTurn
from tests import call_writers
from tests.call_writers import Wire
from tests.screens import moments
from tests.screens.live import live, live_session
from tests.screens.moments import Vitral

SIZES = ((120, 40), (80, 24))


class Played(Vitral):
    """A call is open, with one fragment of its arguments; the keyboard is on the panel."""

    wire: Wire

    @property
    def fragments(self) -> int:
        """How many fragments of the call are shown."""
        return sum(view.fragments for view in self.chat.query_one(CallList).board.views)

    @property
    def showing(self) -> Showing:
        return self.chat.query_one(PlaybackBar).showing

    @property
    def bar(self) -> str:
        return self.chat.query_one(PlaybackBar).text.strip()

    async def come(self, *pieces: str) -> None:
        """More of the arguments."""
        await self.tell(*[self.wire.fragment(1, piece) for piece in pieces])


@asynccontextmanager
async def playing(
    home: Path, size: tuple[int, int] = SIZES[0], language: str = "en"
) -> AsyncIterator[Played]:
    app = moments.vitral(home, language)
    async with app.run_test(size=size) as pilot:
        played = Played(pilot)
        played.wire = Wire()
        await played.until(lambda: bool(app.screen.query(CallList)))
        await played.ask(played.words.question)
        opened = played.wire.start(1, moments.WEIGHT.name, moments.WEIGHT.call_id)
        await played.tell(*call_writers.started(1), opened, played.wire.fragment(1, '{"key"'))
        if size == SIZES[1]:
            await played.press("ctrl+t")
        played.chat.query_one(CallList).focus()
        await played.still()
        yield played


@pytest.mark.parametrize("size", SIZES, ids=str)
async def test_space_holds_the_picture_and_says_what_waits(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    async with playing(tmp_path, size) as played:
        await played.press("space")
        await played.come(": ", '"wei')
        assert played.fragments == 1
        assert "▮▮ paused · 2 events waiting" in "\n".join(played.picture)


@pytest.mark.parametrize("size", SIZES, ids=str)
async def test_space_again_shows_all_that_waited(tmp_path: Path, size: tuple[int, int]) -> None:
    async with playing(tmp_path, size) as played:
        await played.press("space")
        await played.come(": ", '"wei')
        await played.press("space")
        assert played.fragments == 3
        assert not played.chat.query_one(PlaybackBar).display


async def test_the_agent_goes_on_while_the_picture_is_held(tmp_path: Path) -> None:
    async with playing(tmp_path) as played:
        await played.press("space")
        await played.come(": ", '"wei')
        assert played.session.script.told


async def test_a_full_stop_shows_one_fragment_more(tmp_path: Path) -> None:
    async with playing(tmp_path) as played:
        await played.press("space")
        await played.come(": ", '"wei', "ght")
        await played.press("full_stop")
        assert (played.fragments, played.showing.waiting) == (2, 2)


async def test_e_shows_one_event_more(tmp_path: Path) -> None:
    async with playing(tmp_path) as played:
        await played.press("space")
        await played.tell(events.Silent(10.0))
        await played.come(": ")
        await played.press("e")
        assert (played.fragments, played.showing.waiting) == (1, 1)


async def test_the_wire_follows_the_steps(tmp_path: Path) -> None:
    async with playing(tmp_path) as played:
        await played.press("space", "2")
        await played.come(": ", '"wei')
        await played.press("full_stop")
        assert "fragment 2 of 2" in "\n".join(played.picture)


async def test_the_status_bar_says_that_the_picture_is_held(tmp_path: Path) -> None:
    async with playing(tmp_path) as played:
        await played.press("space")
        assert "▮▮ paused" in played.chat.query_one(StatusBar).text


async def test_minus_slows_what_comes(tmp_path: Path) -> None:
    async with playing(tmp_path) as played:
        await played.press("minus")
        assert played.bar == "▶ playing · ×0.5"


async def test_plus_goes_past_ten_times_to_as_it_comes(tmp_path: Path) -> None:
    async with playing(tmp_path) as played:
        await played.press("plus", "plus", "plus")
        assert played.bar == "▶ playing · ×10"
        await played.press("plus")
        assert played.showing.speed == LIVE


async def test_a_message_is_over_only_when_its_end_is_shown(tmp_path: Path) -> None:
    async with playing(tmp_path) as played:
        await played.press("space")
        played.session.script.end()
        await played.until(lambda: played.showing.waiting == 1)
        await played.still()
        assert played.chat.working
        await played.press("space")
        await played.until(lambda: not played.chat.working)


async def test_stopping_shows_all_that_waits_at_once(tmp_path: Path) -> None:
    async with playing(tmp_path) as played:
        await played.press("space")
        await played.come(": ", '"wei')
        await played.press("escape")
        await played.until(lambda: not played.chat.working)
        assert played.fragments == 3


async def test_the_palette_pauses_from_anywhere(tmp_path: Path) -> None:
    async with playing(tmp_path) as played:
        await played.press("ctrl+p", *"pause", "enter")
        await played.until(lambda: played.showing.paused)


async def test_a_space_in_the_composer_is_a_space(tmp_path: Path) -> None:
    async with playing(tmp_path) as played:
        played.chat.query_one(Composer).focus()
        await played.press("space")
        assert not played.showing.paused


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", SIZES, ids=str)
async def test_the_keys_of_playing_fit_in_the_panel(
    tmp_path: Path, size: tuple[int, int], language: str
) -> None:
    async with playing(tmp_path, size, language) as played:
        await played.press("space")
        assert Messages(language)("playback.keys") in "\n".join(played.picture)


@pytest.mark.parametrize("size", SIZES, ids=str)
async def test_an_answer_can_be_stepped_from_its_first_fragment(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    """Held before the message is sent, with the keyboard on a panel that has no calls yet."""
    async with live(live_session(tmp_path), size=size) as app:
        await app.pilot.pause()
        if size == SIZES[1]:
            await app.pilot.press("ctrl+t")
        app.panel.focus_cards()
        await app.pilot.press("space")
        app.chat._begin("What is my height?")
        await app.until(lambda: app.panel.query_one(PlaybackBar).showing.waiting > 5)
        assert not len(app.panel.board)
        await app.pilot.press(*["full_stop"] * 40)
        await app.until(lambda: bool(app.panel.board.views))
        view = app.panel.board.views[0]
        await app.pilot.press("space")
        await app.over()
        assert (view.name, view.whole) == ("lookup_demo_value", True)
        assert [turn for turn in app.session.history if isinstance(turn, AssistantTurn)]
