"""What every journey needs: the installed program, in a terminal, with a home of its own."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.journeys.terminal import Terminal

Start = Callable[..., Terminal]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Starts `vitral` with these arguments; every program is ended with the test."""
    with ExitStack() as running:

        def run(*arguments: str, columns: int = 120, rows: int = 40, **more: str) -> Terminal:
            environment = {
                "PATH": str(Path(sys.executable).parent),
                "HOME": str(tmp_path),
                "VITRAL_HOME": str(tmp_path / "vitral"),
                "LANG": "en_US.UTF-8",
                "PYTHON_KEYRING_BACKEND": "keyring.backends.null.Keyring",
                **more,
            }
            command = [sys.executable, "-m", "app", *arguments]
            terminal = Terminal(command, environment, columns=columns, rows=rows)
            return running.enter_context(terminal)

        yield run
