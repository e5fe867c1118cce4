"""What the app does when the system asks it to end: the same as when the person leaves.

Ended by the signal itself it would leave the terminal without echo and full of mouse reports, and
a message on its way unstopped. Asked twice, it lets the system have its way.
"""

from __future__ import annotations

import asyncio
import signal
from contextlib import suppress
from typing import Any

from textual.app import App

_ENDING = ("SIGTERM", "SIGHUP")
"""By name: not every system has both."""


def end_on_signals(app: App[Any]) -> None:
    """From now on; call it in the app's event loop."""
    loop = asyncio.get_running_loop()
    numbers = [getattr(signal, name) for name in _ENDING if hasattr(signal, name)]

    def end(number: int) -> None:
        for one in numbers:
            loop.remove_signal_handler(one)
        app.exit(return_code=128 + number)

    for number in numbers:
        with suppress(NotImplementedError):  # Windows, which ends a program by other means
            loop.add_signal_handler(number, end, number)
