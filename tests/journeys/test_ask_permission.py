"""`vitral ask` at a terminal asks before it changes anything, and takes only an answer for one."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from tests.journeys.conftest import Start
from tests.sessions import saved_weights

pytestmark = pytest.mark.journey

SAVE = ("ask", "Save my weight 72.5 kg", "--speed", "1000")
QUESTION = "May save_measurement change this?"


def test_a_yes_at_the_terminal_lets_the_write_run(start: Start, tmp_path: Path) -> None:
    terminal = start(*SAVE)
    screen = terminal.wait_for("n = no")
    assert QUESTION in screen
    assert "Saves the weight 72.5 kg (now: 70 kg)" in screen
    terminal.type("perhaps\n")
    terminal.type("y\n")
    terminal.wait_for("Saved: 72.5 kg.")
    assert terminal.wait_end() == 0
    assert saved_weights(tmp_path / "vitral") == [72.5]


def test_a_no_takes_a_word_to_the_model_and_changes_nothing(start: Start, tmp_path: Path) -> None:
    terminal = start(*SAVE)
    terminal.wait_for("n = no")
    terminal.type("n in pounds, please\n")
    terminal.wait_for("I changed nothing")
    assert terminal.wait_end() == 3
    assert saved_weights(tmp_path / "vitral") == []


def test_an_interrupt_in_the_question_ends_the_program(start: Start, tmp_path: Path) -> None:
    terminal = start(*SAVE)
    terminal.wait_for("n = no")
    terminal.process.send_signal(signal.SIGINT)
    assert terminal.wait_end() == 130
    assert saved_weights(tmp_path / "vitral") == []
