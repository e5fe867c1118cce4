"""A small app around one widget or dialog, and what its screen shows as text."""

from __future__ import annotations

from pathlib import Path

from textual.app import App
from textual.widget import Widget

from app.messages import Messages
from app.tui.themes import THEMES, textual_theme

STYLES = Path(__file__).parents[2] / "app" / "tui"

HOSTILE = (
    "a\x1b]0;owned\x07b\x1b[31mc\x9b5md\u202eright\u2066e\x00f\x7fg[@click=app.quit]quit[/]\u200bh"
)
"""Sets a title, colours, turns text round, hides characters, and asks for a click."""


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


def acting_characters(app: App[None]) -> set[str]:
    """The characters on the screen that a terminal would obey instead of drawing."""
    return {
        sign
        for sign in shown(app).replace("\n", "")
        if ord(sign) < 0x20 or 0x7F <= ord(sign) < 0xA0 or sign in "\u202e\u2066\u200b\u2028"
    }


def clickable(app: App[None]) -> list[str]:
    """The pieces of text that would run an action when clicked."""
    return [
        segment.text
        for strip in app.screen._compositor.render_strips()
        for segment in strip
        if segment.style is not None and "@click" in segment.style.meta
    ]
