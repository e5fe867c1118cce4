"""What does the list of tools cost, and what may the model choose of it? One line for both places
that say it: the panel and the list of tools."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.messages import Messages
from app.tui.figures import count_text
from providers.request import Choose, OneTool, ToolChoice

if TYPE_CHECKING:  # the start shows the panel, and knows no tool yet
    from app.tool_shelf import ListCost


def cost_words(cost: ListCost, choice: ToolChoice, messages: Messages) -> str:
    """`11 of 12 tools · ≈ 1,200 tokens a request`, or what the stages send and save of it; the
    choice stands before it where it is not the model's own."""
    words = _cost(cost, messages)
    if choice is Choose.AUTO:
        return words
    return f"{messages('tool_choice.now', choice=choice_words(choice, messages))} · {words}"


def choice_words(choice: ToolChoice, messages: Messages) -> str:
    """A tool choice in a few words."""
    match choice:
        case OneTool(name):
            return messages("tool_choice.one", tool=name)
        case Choose():
            return messages(f"tool_choice.{choice.value}")


def _cost(cost: ListCost, messages: Messages) -> str:
    tokens = count_text(cost.sent_tokens, messages)
    if not cost.by_stage:
        return messages.plural("tools.cost", cost.tools, on=cost.on, tokens=tokens)
    said = {"sent": cost.sent, "tokens": tokens, "saved": count_text(cost.saved, messages)}
    return messages.plural("tools.cost_by_stage", cost.on, **said)
