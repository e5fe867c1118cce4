"""A small app around one widget or dialog, and what its screen shows as text."""

from __future__ import annotations

from pathlib import Path

from textual.app import App
from textual.widget import Widget

from app.messages import Messages
from app.tui.themes import THEMES, textual_theme
from tests.hostile import BIDI, ESCAPES, MARKUP, acting

STYLES = Path(__file__).parents[2] / "app" / "tui"

HOSTILE = f"{MARKUP}{ESCAPES}{BIDI}\u200b"
"""Asks for a click, drives the terminal and turns text round, all on one line."""


class SmallApp(App[None]):
    """Shows `widgets` with our style sheets and themes."""

    CSS_PATH = [STYLES / "panel.tcss", STYLES / "screens.tcss"]  # noqa: RUF012 - Textual's type

    def __init__(self, *widgets: Widget, language: str = "en", theme: str = "dark") -> None:
        super().__init__()
        for colours in THEMES.values():
            self.register_theme(textual_theme(colours))
        self.theme = theme
        self.messages = Messages(language)
        self.widgets = widgets

    def on_mount(self) -> None:
        self.mount_all(self.widgets)


def shown(app: App[None]) -> str:
    """The text of the whole screen, as it goes to the terminal."""
    strips = app.screen._compositor.render_strips()
    return "\n".join(strip.text.rstrip() for strip in strips)


def acting_characters(app: App[None]) -> list[str]:
    """The characters on the screen that a terminal would obey instead of drawing."""
    return acting(shown(app))


def clickable(app: App[None]) -> list[str]:
    """The pieces of text that would run an action when clicked."""
    return [
        segment.text
        for strip in app.screen._compositor.render_strips()
        for segment in strip
        if segment.style is not None and "@click" in segment.style.meta
    ]
