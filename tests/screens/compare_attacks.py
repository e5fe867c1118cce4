"""Providers that mean harm, beside one another in the comparison."""

from __future__ import annotations

from app import events
from app.tui.screens.compare import CompareScreen
from providers.parts import CallFragment, CallStarted
from tests import stage
from tests.screens.harm import HARM, LINES
from tests.screens.moments import Vitral


async def opened(vitral: Vitral) -> None:
    """The comparison, before anything was asked."""
    await vitral.press("f6")


async def answering(vitral: Vitral) -> None:
    """Each provider says it, and calls by it."""
    await vitral.press("f6")
    (screen,) = (one for one in vitral.app.screen_stack if isinstance(one, CompareScreen))
    call = (CallStarted(0, HARM, HARM), CallFragment(0, f'{{"{HARM}": "{HARM}'))
    for column in screen.columns:
        column.begin()
        for event in (
            events.MessageStarted(LINES),
            *stage.opening(),
            stage.says(LINES),
            events.Received(b"", call),
        ):
            column.take(event)
    await vitral.still()
