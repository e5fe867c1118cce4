"""What is an answer whose calls were not all answered when the program ended?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from providers.history import AssistantTurn
from tools.call import AnyCall, ToolResult


@dataclass(frozen=True, slots=True)
class Pending:
    """The newest answer of a chat, and the results (place → result) that were kept of it."""

    turn: AssistantTurn
    results: Mapping[int, ToolResult]

    @property
    def unanswered(self) -> Mapping[int, AnyCall]:
        """Place → call, for those of which nothing is known."""
        calls = enumerate(self.turn.calls)
        return {place: call for place, call in calls if place not in self.results}
