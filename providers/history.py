"""A conversation in our terms, which every dialect can write.

The invariant that everyone keeps: an assistant turn with calls is followed by one `ToolTurn`
whose results stand in the order of the calls, one for each (`results[i]` answers `calls[i]`; ids
may repeat on the wire, places do not). `valid` checks it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from providers.parts import Stop
from tools.call import AnyCall, BrokenCall, JsonObject, ToolCall, ToolResult


@dataclass(frozen=True, slots=True)
class UserTurn:
    """What the person wrote."""

    text: str


@dataclass(frozen=True, slots=True)
class Origin:
    """Who wrote an assistant turn: its opaque items go back to the same dialect and model only."""

    provider: str
    dialect: str
    model: str


@dataclass(frozen=True, slots=True)
class AssistantTurn:
    """What the model wrote: texts and calls, in the order in which they came.

    `native` is what the provider itself needs to see again (reasoning, signatures, its own
    items), opaque and in order; empty when the turn was cut short by the person.
    """

    items: tuple[str | AnyCall, ...]
    origin: Origin
    reasoning: str = ""
    stop: Stop = Stop.END
    stop_raw: str = ""
    native: tuple[JsonObject, ...] = ()

    @property
    def calls(self) -> tuple[AnyCall, ...]:
        return tuple(item for item in self.items if isinstance(item, ToolCall | BrokenCall))

    @property
    def text(self) -> str:
        return "".join(item for item in self.items if isinstance(item, str))


@dataclass(frozen=True, slots=True)
class ToolTurn:
    """The results of the calls of the assistant turn just before, in the calls' order."""

    results: tuple[ToolResult, ...]


Turn: TypeAlias = UserTurn | AssistantTurn | ToolTurn


def valid(history: Sequence[Turn]) -> bool:
    """Whether each call has exactly one result, right after its turn, in order, by id."""
    waiting: tuple[AnyCall, ...] = ()
    for turn in history:
        if isinstance(turn, ToolTurn):
            answered = [result.call_id for result in turn.results]
            if not waiting or answered != [call.call_id for call in waiting]:
                return False
            waiting = ()
        elif waiting:
            return False
        elif isinstance(turn, AssistantTurn):
            waiting = turn.calls
    return not waiting
