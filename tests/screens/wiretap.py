"""A terminal that keeps what the program writes to it: every byte, as a real one would get them."""

from __future__ import annotations

import re

from textual.app import App
from textual.drivers.headless_driver import HeadlessDriver

from tests.hostile import acting

_OWN = re.compile(
    r"\x1b\[[0-9;]*m"  # colours
    r"|\x1b\[[0-9]+;[0-9]+H"  # where the next text stands
    r"|\x1b\[\?2026[hl]"  # a picture begins, and is whole
    r"|\x1b\]22;[a-z-]+\x07"  # the pointer's shape
)
"""What the program itself tells a terminal while it draws."""


class Wiretap(HeadlessDriver):
    """A driver without a terminal that keeps what is written."""

    written: str = ""

    @property
    def is_headless(self) -> bool:
        return False

    def write(self, data: str) -> None:
        self.written += data


def written(app: App[None]) -> str:
    """All that was written to the terminal until now."""
    assert isinstance(app._driver, Wiretap)
    return app._driver.written


def smuggled(app: App[None]) -> list[str]:
    """What reached the terminal that the program did not mean to say; none is right."""
    return acting(_OWN.sub("", written(app)))
