"""`kill -9` of the app in mid-message: opened again, it goes on and does nothing twice."""

from __future__ import annotations

import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.journeys.conftest import Start
from tests.journeys.crash import DEMO, Home
from tests.journeys.terminal import Terminal
from tools.crash_points import VARIABLE, Point

pytestmark = pytest.mark.journey

READY = "Ask anything"
ALLOWED = "".join(
    f'[tools.{tool}]\npermission = "allow"\n'
    for tool in ("save_measurement", "update_order_status", "write_file")
)
UNFINISHED = "^G go on"
DONE = {71.0: 1, 72.0: 1, 181.0: 1}


def home_in(folder: Path) -> Home:
    """A home in which the scene's writes need no dialog."""
    home = Home(folder)
    settings = folder / "config" / "settings.toml"
    settings.write_text(settings.read_text("utf-8") + ALLOWED, "utf-8")
    return home


def asked(terminal: Terminal) -> Terminal:
    """The scene's message has been sent."""
    terminal.wait_for(READY)
    terminal.type(DEMO.text)
    terminal.press("enter")
    return terminal


def kill(terminal: Terminal) -> None:
    terminal.process.send_signal(signal.SIGKILL)
    assert terminal.wait_end() == -signal.SIGKILL


def go_on(terminal: Terminal) -> None:
    """Open the newest chat and take up what was left; ends when it is answered."""
    terminal.wait_for(READY)
    terminal.press("ctrl+l")
    terminal.wait_for("Your chats")
    terminal.press("enter")
    terminal.wait_for(UNFINISHED)
    terminal.press("ctrl+g")
    terminal.wait_for("Saved: 181 cm.")


@pytest.mark.parametrize("point", ["begun", "effect", "recorded"])
def test_killed_between_a_write_and_its_record_the_app_does_it_once(
    start: Start, tmp_path: Path, point: Point
) -> None:
    home = home_in(tmp_path / "vitral")
    terminal = asked(start("--speed", "1000", **{VARIABLE: point}))
    terminal.wait_for(lambda _: f"held at {point}".encode() in terminal.written)
    kill(terminal)
    go_on(start("--speed", "1000"))
    assert (home.world().saved, home.world().order) == (DONE, "shipped")


SEEN: dict[str, Callable[[str], bool]] = {
    "a call is half assembled": lambda screen: "assembling" in screen,
    "all calls are whole": lambda screen: "7 of 7 complete" in screen,
    "one call has run": lambda screen: "= 71 kg" in screen or "answered" in screen,
}


@pytest.mark.parametrize("moment", SEEN)
def test_killed_at_what_a_person_sees_the_app_does_everything_once(
    start: Start, tmp_path: Path, moment: str
) -> None:
    home = home_in(tmp_path / "vitral")
    terminal = asked(start("--speed", "4"))
    terminal.wait_for(SEEN[moment])
    kill(terminal)
    before = home.world().saved
    go_on(start("--speed", "1000"))
    assert home.world().saved == DONE
    assert home.world().saved.items() >= before.items()
