"""What does the list of tools cost? One sentence, for the panel and for the list of tools."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from app.messages import Messages
from app.tui.figures import count_text

if TYPE_CHECKING:  # the start shows the panel, and knows no tool yet
    from app.tool_shelf import ToolStanding


def cost_words(standings: Sequence[ToolStanding], messages: Messages) -> str:
    """`11 of 12 tools · ≈ 1,200 tokens a request`."""
    on = [standing for standing in standings if standing.on]
    tokens = count_text(sum(standing.tokens for standing in on), messages)
    return messages.plural("tools.cost", len(standings), on=len(on), tokens=tokens)
