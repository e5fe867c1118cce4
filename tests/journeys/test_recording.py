"""A run of the app, recorded to a file, says the same when it is read again."""

from __future__ import annotations

from pathlib import Path

import pytest

from providers.cassette import load
from providers.playback import read_exchange
from tests.journeys.conftest import Start

pytestmark = pytest.mark.journey


def test_what_the_app_heard_is_in_the_file(start: Start, tmp_path: Path) -> None:
    tape = tmp_path / "talk.jsonl"
    terminal = start("--speed", "20", "--record", str(tape))
    terminal.wait_for("Ask anything")
    terminal.type("What is my height?")
    terminal.press("enter")
    terminal.wait_for("Your height is 170 cm")
    terminal.press("ctrl+q")
    assert terminal.wait_end() == 0
    calling, answering = map(read_exchange, load(tape.read_text().splitlines()))
    assert [call.args for call in calling.calls] == [{"key": "height"}]
    assert answering.text == "Your height is 170 cm."


def test_a_file_that_cannot_be_written_is_said_before_the_app_opens(
    start: Start, tmp_path: Path
) -> None:
    terminal = start("--record", str(tmp_path / "nowhere" / "talk.jsonl"))
    terminal.wait_for("cannot be written")
    assert terminal.wait_end() == 2
