"""A chat whose message the program did not live to end: it says what stands, and goes on."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.call_views import CallState
from app.conversations import Chat
from app.messages import LANGUAGES
from app.session import Session
from app.tui.screens.permission import PermissionScreen
from providers.history import AssistantTurn, Origin, UserTurn
from tests.hostile import HOSTILE, acting
from tests.screens.live import live, live_session
from tools.call import ToolCall, ToolResult

ORIGIN = Origin("simulator", "anthropic", "vitral-sim")
SAVING = ToolCall(
    "save_measurement", {"key": "weight", "value": 72.5, "unit": "kg"}, "simulator", "toolu_2"
)


def look(word: str = "height") -> ToolCall:
    return ToolCall("lookup_demo_value", {"key": word}, "simulator", "toolu_1")


async def left_behind(
    session: Session, *calls: ToolCall, answered: int = 0, text: str = "save my weight 72.5 kg"
) -> Chat:
    """A chat that ended in the middle of its first message, and is opened again."""
    chat = session.store.new()
    await chat.keep(UserTurn(text))
    if calls:
        await chat.keep(AssistantTurn(calls, ORIGIN))
    for place, call in enumerate(calls[:answered]):
        await chat.keep_result(place, ToolResult(call.call_id, call.name, {"value": 170}))
    assert chat.id is not None
    return await session.open_chat(chat.id)


async def test_what_finished_and_what_did_not_is_told_with_the_key_to_go_on(tmp_path: Path) -> None:
    session = live_session(tmp_path)
    await left_behind(session, look(), SAVING, answered=1)
    async with live(session) as vitral:
        await vitral.sees("^G go on")
        assert "1 of 2 calls have their answers." in vitral.picture
        assert "○ save_measurement has no answer yet" in vitral.picture


async def test_the_card_of_a_call_without_a_result_says_so(tmp_path: Path) -> None:
    session = live_session(tmp_path)
    await left_behind(session, look(), SAVING, answered=1)
    async with live(session) as vitral:
        states = [view.state for view in vitral.panel.board.views]
        assert states == [CallState.ANSWERED, CallState.UNANSWERED]


async def test_going_on_asks_for_the_write_and_finishes_the_message(tmp_path: Path) -> None:
    session = live_session(tmp_path)
    await left_behind(session, look(), SAVING, answered=1)
    async with live(session) as vitral:
        await vitral.pilot.press("ctrl+g")
        await vitral.until(lambda: isinstance(vitral.app.screen, PermissionScreen))
        await vitral.pilot.press("y")
        await vitral.over()
        assert not session.chat.unfinished
        assert [view.state for view in vitral.panel.board.views] == [CallState.ANSWERED] * 2


async def test_the_calls_that_go_on_keep_their_line_in_the_chat(tmp_path: Path) -> None:
    session = live_session(tmp_path)
    await left_behind(session, look(), look("weight"), text="What is my height?")
    async with live(session) as vitral:
        await vitral.pilot.press("ctrl+g")
        await vitral.over()
        assert vitral.picture.count("▸ 2 calls") == 1
        assert "go on" not in vitral.picture


async def test_a_message_without_any_answer_goes_on_too(tmp_path: Path) -> None:
    session = live_session(tmp_path)
    await left_behind(session)
    async with live(session) as vitral:
        await vitral.sees("Vitral ended before this message had its answer.")
        assert "calls" not in vitral.picture.split("ended before")[1].split("\n")[1]


async def test_a_chat_that_is_whole_offers_nothing(tmp_path: Path) -> None:
    async with live(live_session(tmp_path)) as vitral:
        await vitral.pilot.press("ctrl+g")
        await vitral.until(lambda: bool(vitral.app._notifications))
        (said,) = vitral.app._notifications
        assert said.message == "Nothing was left unfinished here."


@pytest.mark.parametrize("language", LANGUAGES)
async def test_it_is_whole_at_eighty_columns_in_every_language(
    tmp_path: Path, language: str
) -> None:
    session = live_session(tmp_path, language=language)
    await left_behind(session, look(), SAVING, answered=1)
    async with live(session, size=(80, 24)) as vitral:
        await vitral.sees(f"^G {session.messages('action.resume')}")
        assert session.messages("chat.unfinished") in vitral.picture


async def test_a_hostile_call_that_was_left_is_inert(tmp_path: Path) -> None:
    session = live_session(tmp_path)
    await left_behind(session, ToolCall("look", {HOSTILE: HOSTILE}, "simulator", "toolu_1"))
    async with live(session) as vitral:
        assert acting(vitral.picture) == []
