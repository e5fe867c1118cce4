"""The screens' tests see none of this machine's keys and settings of the terminal."""

from __future__ import annotations

import os

import pytest

_TERMINAL = ("NO_COLOR", "FORCE_COLOR", "TEXTUAL_THEME", "COLUMNS", "LINES")


@pytest.fixture(autouse=True)
def plain_surroundings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take away what would change a picture."""
    for name in os.environ:
        if name in _TERMINAL or name.endswith("_API_KEY"):
            monkeypatch.delenv(name)
