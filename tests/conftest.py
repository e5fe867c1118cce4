"""What every test needs of the process that runs it."""

from __future__ import annotations

import signal


def pytest_configure() -> None:
    """Programs that tests start hear an interrupt, even where the tests themselves run in the
    background of a script, which makes them and their children deaf to it."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
