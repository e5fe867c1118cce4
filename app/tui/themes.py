"""Which colours does each theme have? One table; text 7:1, the rest 4.5:1, on every surface.

The style sheets read them as `$paper`, `$panel-paper`, `$card`, `$raised`, `$ink`, `$dim`,
`$waiting`, `$failed`, `$done`, `$address`, and `$voice`, the colour of the provider that speaks.
Widgets that draw their own lines take them from `colours_of(app)`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from textual.theme import Theme

from providers.presets import SIMULATOR

if TYPE_CHECKING:
    from textual.app import App

    from app.session import Session

DEFAULT = "dark"


@dataclass(frozen=True, slots=True)
class Colours:
    """The colours of one theme. `paper`, `panel`, `card`, `raised` are surfaces, from the lowest
    to the highest; all others are written on them."""

    name: str
    dark: bool
    paper: str
    panel: str
    card: str
    raised: str
    ink: str
    dim: str
    anthropic: str
    openai: str
    google: str
    other: str
    waiting: str
    failed: str
    done: str
    address: str
    key: str
    string: str
    number: str

    def voice(self, accent: str) -> str:
        """The colour of who speaks; `accent` is a provider's accent or a dialect."""
        match accent:
            case "anthropic":
                return self.anthropic
            case "openai" | "openai-responses" | "openai-chat":
                return self.openai
            case "google" | "gemini":
                return self.google
            case _:
                return self.other

    def variables(self) -> dict[str, str]:
        """The names that the style sheets use."""
        names = {field.name: getattr(self, field.name) for field in fields(self)[2:]}
        names["panel-paper"] = names.pop("panel")
        return names


DARK = Colours(
    name="dark",
    dark=True,
    paper="#14161b",
    panel="#191c23",
    card="#20242d",
    raised="#272c37",
    ink="#d7dae0",
    dim="#949ba9",
    anthropic="#d98e5f",
    openai="#8fbf7f",
    google="#7aa2f7",
    other="#5fb3b3",
    waiting="#e0b35a",
    failed="#e8808a",
    done="#8fbf7f",
    address="#c3a0d8",
    key="#7aa2f7",
    string="#8fbf7f",
    number="#c3a0d8",
)

LIGHT = Colours(
    name="light",
    dark=False,
    paper="#faf9f6",
    panel="#f1efea",
    card="#e8e5de",
    raised="#dedad1",
    ink="#23262d",
    dim="#5a5f6a",
    anthropic="#96481b",
    openai="#2f6b24",
    google="#2552b8",
    other="#0f6666",
    waiting="#7d5200",
    failed="#b0263a",
    done="#2f6b24",
    address="#74409c",
    key="#2552b8",
    string="#2f6b24",
    number="#74409c",
)

HIGH_CONTRAST = Colours(
    name="high-contrast",
    dark=True,
    paper="#000000",
    panel="#0a0a0a",
    card="#161616",
    raised="#2a2a2a",
    ink="#ffffff",
    dim="#c8c8c8",
    anthropic="#ffb27a",
    openai="#9be88a",
    google="#9cc0ff",
    other="#7fe0e0",
    waiting="#ffd75e",
    failed="#ff9aa2",
    done="#9be88a",
    address="#e0b8ff",
    key="#9cc0ff",
    string="#9be88a",
    number="#e0b8ff",
)

THEMES: Mapping[str, Colours] = {one.name: one for one in (DARK, LIGHT, HIGH_CONTRAST)}
"""By the name that the settings use; `theme.<name>` is its name in the catalogue."""


def accent_of(session: Session) -> str:
    """The accent of who answers. The simulator takes that of the dialect that it speaks."""
    preset = session.preset
    return session.origin.dialect if preset.id == SIMULATOR else preset.accent


def textual_theme(colours: Colours) -> Theme:
    """The theme as Textual wants it, so that its own widgets take the same colours."""
    return Theme(
        name=colours.name,
        primary=colours.key,
        secondary=colours.address,
        accent=colours.other,
        warning=colours.waiting,
        error=colours.failed,
        success=colours.done,
        foreground=colours.ink,
        background=colours.paper,
        surface=colours.card,
        panel=colours.panel,
        dark=colours.dark,
        text_alpha=1.0,
        variables={
            **colours.variables(),
            "scrollbar": colours.raised,
            "scrollbar-hover": colours.dim,
            "scrollbar-active": colours.dim,
            "scrollbar-background": colours.paper,
            "scrollbar-background-hover": colours.paper,
            "scrollbar-background-active": colours.paper,
            "scrollbar-corner-color": colours.paper,
        },
    )


def colours_of(app: App[Any]) -> Colours:
    """The colours of the theme that the app shows now."""
    return THEMES.get(app.theme, DARK)
