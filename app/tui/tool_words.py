"""What does the list of tools cost? One sentence, for the panel and for the list of tools."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.messages import Messages
from app.tui.figures import count_text

if TYPE_CHECKING:  # the start shows the panel, and knows no tool yet
    from app.tool_shelf import ListCost


def cost_words(cost: ListCost, messages: Messages) -> str:
    """`11 of 12 tools · ≈ 1,200 tokens a request`, or what the stages send and save of it."""
    tokens = count_text(cost.sent_tokens, messages)
    if not cost.by_stage:
        return messages.plural("tools.cost", cost.tools, on=cost.on, tokens=tokens)
    saved = count_text(cost.saved, messages)
    return messages.plural(
        "tools.cost_by_stage", cost.on, sent=cost.sent, tokens=tokens, saved=saved
    )
