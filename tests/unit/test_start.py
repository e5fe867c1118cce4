"""What is loaded before the first picture is on the screen? Not what only a message needs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """
import json, sys
from app.cli import main, opening
from textual.app import App

async def drawn(pilot):
    await pilot.pause()
    pilot.app.exit(return_code=0)

run = App.run
App.run = lambda app, **_: run(app, headless=True, size=(120, 40), auto_pilot=drawn)
opening._at_a_terminal = lambda: True
try:
    main()
finally:
    print(json.dumps(sorted(sys.modules)))
"""
"""The command as a person types it, on a screen that is kept in memory."""

LATER = (
    "httpx",
    "httpcore",
    "anyio",
    "starlette",
    "uvicorn",
    "keyring",
    "markdown_it",
    "pygments",
    "tomlkit",
    "sqlite3",
    "app.agent",
    "app.conversations",
    "providers.transport",
    "providers.simulator",
    "providers.dialects.anthropic",
    "providers.dialects.gemini",
    "providers.dialects.openai_chat",
    "providers.dialects.openai_responses",
    "tools.demo",
)
"""Loaded when they are first needed: by a message, a dialog or another command."""


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> frozenset[str]:
    """The modules that are loaded when the first picture is drawn."""
    home = str(tmp_path_factory.mktemp("home"))
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        env={**os.environ, "VITRAL_HOME": home},
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    return frozenset(json.loads(done.stdout.splitlines()[-1]))


def test_the_screen_is_loaded(loaded: frozenset[str]) -> None:
    assert "app.tui.screens.chat" in loaded


@pytest.mark.parametrize("module", LATER)
def test_starting_does_not_load(module: str, loaded: frozenset[str]) -> None:
    assert module not in loaded
