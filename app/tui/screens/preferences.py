"""Choosing the language and the theme: two lists, each in its own words."""

from __future__ import annotations

from app.messages import LANGUAGES, Messages
from app.tui.screens.choice import ChoiceScreen, Offer, chosen_mark
from app.tui.themes import THEMES


def language_screen(messages: Messages) -> ChoiceScreen:
    """Gives a catalogue's name such as `pt_BR`. Each language is written in itself."""
    choices = [
        Offer(name, own_name, name.replace("_", "-"), chosen_mark(name == messages.language))
        for name, own_name in LANGUAGES.items()
    ]
    return ChoiceScreen(
        messages, messages("language.title"), choices, chosen=messages.language, filtered=False
    )


def theme_screen(messages: Messages, current: str) -> ChoiceScreen:
    """Gives a theme's name."""
    choices = [
        Offer(name, messages(f"theme.{name}"), mark=chosen_mark(name == current)) for name in THEMES
    ]
    return ChoiceScreen(messages, messages("theme.title"), choices, chosen=current, filtered=False)
