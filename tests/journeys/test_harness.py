"""What the agent may change, and how often: in a real terminal, against the simulator."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.journeys.conftest import Start
from tests.journeys.terminal import Terminal
from tests.sessions import order_status, saved_weights

pytestmark = pytest.mark.journey

READY = "Ask anything"
FILES = "read the files a.txt, b.txt, c.txt, d.txt and e.txt"


def opened(start: Start, *arguments: str) -> Terminal:
    terminal = start("--speed", "50", *arguments)
    terminal.wait_for(READY)
    return terminal


def playing(start: Start, scene: str, message: str) -> Terminal:
    """The scene's first message, which stands in the composer, is sent."""
    terminal = start("--speed", "50", "--scene", scene)
    terminal.wait_for(message)
    terminal.press("enter")
    return terminal


def say(terminal: Terminal, text: str) -> None:
    terminal.type(text)
    terminal.press("enter")


def settings(home: Path, toml: str) -> None:
    (home / "config").mkdir(parents=True)
    (home / "config" / "settings.toml").write_text(toml, "utf-8")


def workspace(home: Path, **files: str) -> Path:
    folder = home / "data" / "workspace"
    folder.mkdir(parents=True)
    for name, text in files.items():
        (folder / f"{name}.txt").write_text(text, "utf-8")
    return folder


def test_a_weight_is_saved_after_a_yes_and_is_the_newest_then(start: Start, tmp_path: Path) -> None:
    terminal = opened(start)
    say(terminal, "Save my weight 72.5 kg")
    terminal.wait_for("May save_measurement change this?")
    terminal.wait_for("Saves the weight 72.5 kg (now: 70 kg)")
    assert saved_weights(tmp_path / "vitral") == []
    terminal.type("y")
    terminal.wait_for("Saved: 72.5 kg.")
    say(terminal, "What is my weight?")
    terminal.wait_for("Your weight is 72.5 kg")
    assert saved_weights(tmp_path / "vitral") == [72.5]


def test_a_weight_is_not_saved_after_a_no(start: Start, tmp_path: Path) -> None:
    terminal = opened(start)
    say(terminal, "Save my weight 72.5 kg")
    terminal.wait_for("May save_measurement change this?")
    terminal.type("n")
    terminal.wait_for("I changed nothing")
    assert saved_weights(tmp_path / "vitral") == []


def test_support_ships_an_order_after_a_yes(start: Start, tmp_path: Path) -> None:
    terminal = opened(start)
    say(terminal, "Ship order 1042")
    terminal.wait_for("May update_order_status change this?")
    terminal.type("y")
    terminal.wait_for(lambda screen: "ready" in screen and "answered" in screen)
    assert order_status(tmp_path / "vitral", 1042) == "shipped"


def test_a_viewer_ships_nothing_and_is_not_even_asked(start: Start, tmp_path: Path) -> None:
    home = tmp_path / "vitral"
    settings(home, 'role = "viewer"\n')
    terminal = opened(start)
    say(terminal, "Ship order 1042")
    terminal.wait_for("The person's role is viewer")
    terminal.wait_for("ready")
    assert order_status(home, 1042) == "paid"


def test_five_files_are_read_in_one_turn(start: Start, tmp_path: Path) -> None:
    workspace(tmp_path / "vitral", **{name: f"text of {name}" for name in "abcde"})
    terminal = opened(start)
    say(terminal, FILES)
    terminal.wait_for("5 of 5 complete")
    answered = terminal.wait_for(lambda screen: "ready" in screen)
    assert all(f"text of {name}" in answered for name in "abcde")


def test_a_file_that_is_deleted_first_cannot_be_read_after(start: Start, tmp_path: Path) -> None:
    folder = workspace(tmp_path / "vitral", a="the text of a")
    terminal = opened(start)
    say(terminal, "delete a.txt and then read it")
    terminal.wait_for("May delete_file change this?")
    terminal.type("y")
    over = terminal.wait_for(lambda screen: "ready" in screen and "read_file" in screen)
    assert "the text of a" not in over
    assert not (folder / "a.txt").exists()


CUT_AFTER_A_WRITE = """
title.en = "The network dies after a write"
summary.en = "The weight is saved, and the answer that says so does not come at once."
[[turns]]
message.en = "Note my weight"
[[turns.steps]]
calls = [{ tool = "save_measurement", arguments = { key = "weight", value = 72.5, unit = "kg" } }]
[[turns.steps]]
expects.values = ["save_measurement"]
faults = [{ fault = "cut-before-end", times = 1 }]
text.en = "Noted: {save_measurement.saved.value} kg."
"""


def test_a_network_that_dies_after_a_write_leaves_the_write_once(
    start: Start, tmp_path: Path
) -> None:
    scene = tmp_path / "cut.toml"
    scene.write_text(CUT_AFTER_A_WRITE, "utf-8")
    terminal = playing(start, str(scene), "Note my weight")
    terminal.wait_for("May save_measurement change this?")
    terminal.type("y")
    terminal.wait_for("2 of 3")
    terminal.wait_for("Noted: 72.5 kg.")
    assert saved_weights(tmp_path / "vitral") == [72.5]


def test_a_model_mends_its_arguments_and_the_card_says_what_changed(start: Start) -> None:
    terminal = playing(start, "mended-arguments", "How much do I weigh?")
    mended = terminal.wait_for("You weigh 70 kg")
    assert "↻ mends round 1" in mended
    assert '"wieght" → "weight"' in mended
