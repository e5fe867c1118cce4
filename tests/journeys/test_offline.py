"""The app on a machine without a network: it opens, answers, and reaches for nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.journeys.conftest import Start
from tests.offline import Offline

pytestmark = pytest.mark.journey


def test_the_app_answers_and_tries_no_network(start: Start, tmp_path: Path) -> None:
    folder = tmp_path / "guard"
    folder.mkdir()
    offline = Offline(folder)
    terminal = start("--speed", "20", **offline.environment)
    terminal.wait_for("Ask anything")
    terminal.type("What is my height?")
    terminal.press("enter")
    terminal.wait_for("Your height is 170 cm")
    terminal.press("ctrl+q")
    assert terminal.wait_end() == 0
    assert offline.attempts == []
