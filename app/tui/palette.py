"""What does each kind of text in the chat look like? A theme's colours as ready styles."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from rich.style import Style

from app.tui.themes import Colours


@dataclass(frozen=True, slots=True)
class Palette:
    """Styles for drawn lines. All carry their background, so that a line is whole by itself."""

    ink: Style
    dim: Style
    strong: Style
    voice: Style
    heading: Style
    code: Style
    link: Style
    said: Style
    card: Style
    card_dim: Style
    key: Style
    string: Style
    number: Style
    done: Style
    waiting: Style
    failed: Style
    badge: Style
    selected: Style


@cache
def palette(colours: Colours, accent: str) -> Palette:
    """The styles of a theme when the provider of this `accent` speaks."""
    voice = colours.voice(accent)

    def on_paper(colour: str, *, bold: bool = False, underline: bool | None = None) -> Style:
        return Style(
            color=colour, bgcolor=colours.paper, bold=bold or None, underline=underline or None
        )

    def on_card(colour: str) -> Style:
        return Style(color=colour, bgcolor=colours.card)

    return Palette(
        ink=on_paper(colours.ink),
        dim=on_paper(colours.dim),
        strong=on_paper(colours.ink, bold=True),
        voice=on_paper(voice),
        heading=on_paper(voice, bold=True),
        code=on_card(colours.ink),
        link=on_paper(colours.dim, underline=True),
        said=on_card(colours.ink),
        card=on_card(colours.ink),
        card_dim=on_card(colours.dim),
        key=on_card(colours.key),
        string=on_card(colours.string),
        number=on_card(colours.number),
        done=on_paper(colours.done),
        waiting=on_paper(colours.waiting),
        failed=on_paper(colours.failed),
        badge=Style(color=colours.paper, bgcolor=voice, bold=True),
        selected=Style(bgcolor=colours.raised),
    )
