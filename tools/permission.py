"""What a person is asked before a write, and what they may answer.

Who asks, and how, is for whoever runs the calls: a dialog, a line in a terminal, a setting. Only
their answer grants anything; no argument that a model sends is looked at for it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, TypeAlias

from tools.call import ToolCall

if TYPE_CHECKING:
    from tools.tool import Tool


Values: TypeAlias = Mapping[str, str | int | float]
"""What stands in the placeholders of a message."""


@dataclass(frozen=True, slots=True)
class Change:
    """What a write is going to change, as the person is told.

    `wording` is the key of a message and `values` are its placeholders: they may quote the model
    and files, so they are not safe to show as they are. An empty `wording` says that the tool has
    no words for it. `earlier` is when the same was already done in this chat.
    """

    wording: str = ""
    values: Values = field(default_factory=dict)
    earlier: datetime | None = None


@dataclass(frozen=True, slots=True)
class Permission:
    """The person's answer; `word` is what they want the model to hear with a no."""

    granted: bool
    word: str = ""


GRANTED = Permission(granted=True)
DENIED = Permission(granted=False)

Permit: TypeAlias = "Callable[[int, ToolCall, Tool, Change], Awaitable[Permission]]"
"""Asks for one write: the call's place in its turn, the call, its tool, what will change."""
