"""A person's first minutes, in a real terminal."""

from __future__ import annotations

import re
import signal

import pytest

from tests.journeys.conftest import Start

pytestmark = pytest.mark.journey

READY = "Ask anything"
PARTIAL = re.compile(r'\{\s*"(k|ke|key|key":?\s*"?[heigt]{0,5})▍')
"""The arguments of a call for the height, before they are whole, with the open end behind them."""

REFERENCE = re.compile(r"código [A-HJKMNP-Z2-9]{4}\b")

TERMINAL_MODES = (b"\x1b[?1049l", b"\x1b[?25h", b"\x1b[?1000l", b"\x1b[?2004l")
"""Alternate screen left, cursor shown, mouse off, paste mode off."""


def test_the_height_is_asked_for_piece_by_piece_and_answered(start: Start) -> None:
    terminal = start("--speed", "0.3")
    terminal.wait_for(READY)
    terminal.type("What is my height?")
    terminal.press("enter")
    growing = terminal.wait_for(lambda screen: PARTIAL.search(screen) is not None)
    assert "assembling" in growing
    assert "170" not in growing
    answered = terminal.wait_for("Your height is 170 cm")
    assert "= 170 cm" in answered
    assert "answered" in answered


def test_a_call_cut_in_its_arguments_runs_no_tool_and_ends_in_the_local_sentence(
    start: Start,
) -> None:
    terminal = start("--fault", "cut-in-arguments", "--speed", "20", LANG="pt_BR.UTF-8")
    terminal.wait_for("Pergunte")
    terminal.type("Qual é a minha altura?")
    terminal.press("enter")
    terminal.wait_for("2 de 3")
    terminal.wait_for("Não consegui obter uma resposta. Tente novamente.")
    failed = terminal.wait_for(lambda screen: REFERENCE.search(screen) is not None)
    assert "170" not in failed
    assert "cortada" in failed


def test_escape_stops_an_answer_and_the_next_message_is_answered(start: Start) -> None:
    terminal = start("--speed", "0.5")
    terminal.wait_for(READY)
    terminal.type("Tell me a story")
    terminal.press("enter")
    terminal.wait_for("answering")
    terminal.press("escape")
    terminal.wait_for("Stopped.")
    terminal.type("What is my weight?")
    terminal.press("enter")
    terminal.wait_for("Your weight is 70 kg")


def test_a_window_that_shrinks_keeps_everything_within_reach(start: Start) -> None:
    terminal = start("--speed", "20")
    terminal.wait_for(READY)
    terminal.type("What is my height?")
    terminal.press("enter")
    terminal.wait_for("Your height is 170 cm")
    terminal.resize(80, 24)
    terminal.wait_for(lambda screen: "CALLS" not in screen and "170 cm" in screen)
    terminal.press("ctrl+t")
    terminal.wait_for("CALLS")
    terminal.resize(120, 40)
    terminal.wait_for(lambda screen: "CALLS" in screen and READY in screen)


def test_leaving_gives_the_terminal_back_as_it_was(start: Start) -> None:
    terminal = start()
    terminal.wait_for(READY)
    terminal.press("ctrl+q")
    assert terminal.wait_end() == 0
    assert terminal.settings == terminal.settings_before
    for mode in TERMINAL_MODES:
        assert mode in terminal.written


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_to_end_gives_the_terminal_back_as_it_was(
    start: Start, number: signal.Signals
) -> None:
    terminal = start("--speed", "0.3")
    terminal.wait_for(READY)
    terminal.type("What is my height?")
    terminal.press("enter")
    terminal.wait_for("lookup_demo")
    terminal.process.send_signal(number)
    assert terminal.wait_end() == 128 + number
    assert terminal.settings == terminal.settings_before
    for mode in TERMINAL_MODES:
        assert mode in terminal.written


def test_a_chat_is_there_again_after_leaving(start: Start) -> None:
    first = start("--speed", "20")
    first.wait_for(READY)
    first.type("What is my height?")
    first.press("enter")
    first.wait_for("Your height is 170 cm")
    first.press("ctrl+q")
    first.wait_end()

    second = start()
    second.wait_for(READY)
    second.press("ctrl+l")
    second.wait_for("What is my height?")
    second.press("enter")
    second.wait_for("Your height is 170 cm")
