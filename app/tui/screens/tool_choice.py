"""Must the model call a tool in its next answer, and which? A list; it holds from now on."""

from __future__ import annotations

from collections.abc import Iterable

from app.messages import Messages
from app.tui.screens.choice import ChoiceScreen, Offer, chosen_mark
from app.tui.tool_words import choice_words
from providers.request import Choose, OneTool, ToolChoice, tool_choice_word


def tool_choice_screen(
    messages: Messages, current: ToolChoice, tools: Iterable[str]
) -> ChoiceScreen:
    """Gives `auto`, `required`, `none` or the name of one of `tools`."""
    choices = [*Choose, *map(OneTool, tools)]
    offers = [
        Offer(
            tool_choice_word(choice),
            choice_words(choice, messages),
            "" if isinstance(choice, OneTool) else messages(f"tool_choice.{choice.value}.about"),
            chosen_mark(choice == current),
        )
        for choice in choices
    ]
    return ChoiceScreen(
        messages, messages("tool_choice.title"), offers, chosen=tool_choice_word(current)
    )
