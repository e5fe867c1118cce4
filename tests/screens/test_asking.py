"""A write in the chat: it waits for the person, runs after a yes, and never after a no."""

from __future__ import annotations

from pathlib import Path

from app.call_views import CallState
from app.tui.screens.permission import PermissionScreen
from tests.screens.live import Live, live, live_session
from tools.call import ErrorKind

SAVE = "save my weight 72.5 kg"


async def asked(vitral: Live) -> None:
    """Send a wish that needs a write, and wait for the dialog."""
    await vitral.send(SAVE)
    await vitral.until(lambda: isinstance(vitral.app.screen, PermissionScreen))


def error_of(vitral: Live) -> tuple[ErrorKind, str] | None:
    result = vitral.panel.board.views[0].result
    assert result is not None
    return (result.error.kind, result.error.message) if result.error else None


async def test_the_waiting_card_says_so_behind_the_dialog(tmp_path: Path) -> None:
    async with live(live_session(tmp_path)) as vitral:
        await asked(vitral)
        await vitral.until(lambda: len(vitral.panel.board) == 1)
        assert vitral.panel.board.views[0].state is CallState.WAITING
        await vitral.sees("waits for you")
        await vitral.pilot.press("escape")
        await vitral.over()


async def test_a_yes_runs_the_write(tmp_path: Path) -> None:
    async with live(live_session(tmp_path)) as vitral:
        await asked(vitral)
        await vitral.pilot.press("y")
        await vitral.over()
        assert error_of(vitral) is None


async def test_escape_is_a_no_and_the_answer_goes_on(tmp_path: Path) -> None:
    async with live(live_session(tmp_path)) as vitral:
        await asked(vitral)
        await vitral.pilot.press("escape")
        await vitral.over()
        error = error_of(vitral)
        assert error is not None
        assert error[0] is ErrorKind.NOT_ALLOWED


async def test_the_model_hears_the_word_that_came_with_the_no(tmp_path: Path) -> None:
    async with live(live_session(tmp_path)) as vitral:
        await asked(vitral)
        await vitral.pilot.press("w", *"later", "enter")
        await vitral.over()
        error = error_of(vitral)
        assert error is not None
        assert "later" in error[1]


async def test_always_is_asked_once_in_a_chat(tmp_path: Path) -> None:
    async with live(live_session(tmp_path)) as vitral:
        await asked(vitral)
        await vitral.pilot.press("a")
        await vitral.over()
        await vitral.send("save my weight 73 kg")
        await vitral.over()
        assert error_of(vitral) is None


async def test_a_stopped_message_takes_its_dialog_with_it(tmp_path: Path) -> None:
    async with live(live_session(tmp_path)) as vitral:
        await asked(vitral)
        vitral.chat.action_stop()
        await vitral.over()
        assert vitral.app.screen is vitral.chat
        error = error_of(vitral)
        assert error is not None
        assert error[0] is ErrorKind.CANCELLED
