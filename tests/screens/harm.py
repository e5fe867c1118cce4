"""What an attack by text is, and the text that means harm."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from textual.widget import Widget

from tests import stage
from tests.hostile import BIDI, ESCAPES, MARKUP
from tests.screens.moments import Vitral

HARM = f"{MARKUP}[red]\x00{ESCAPES}{BIDI}\u200b"
"""Asks for a click, drives the terminal and turns text round, all on one line."""
LINES = f"{HARM}\n{HARM}"
SEEN = "[@click=app.quit]press[/]"
"""How its beginning looks when it does nothing."""

WIDE, SMALL = (200, 60), (80, 24)


@dataclass(frozen=True, slots=True)
class Attack:
    """One way in. `before` is done to the session before the app starts."""

    name: str
    shows: tuple[type[Widget], ...]
    play: Callable[[Vitral], Awaitable[None]]
    before: Callable[[stage.ScriptedSession], None] = lambda session: None
    size: tuple[int, int] = WIDE
