"""`vitral simulate` in a process of its own, for tests that need a server which is not theirs."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def simulate(tmp_path: Path, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    """The command with these arguments, which does not outlive the block."""
    environment = {**os.environ, "VITRAL_HOME": str(tmp_path), "LANGUAGE": "", "LANG": "C"}
    with subprocess.Popen(
        [sys.executable, "-m", "app", "simulate", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
    ) as server:
        try:
            yield server
        finally:
            server.kill()
