"""What we ask of a provider, in our terms; a dialect writes it as its own request."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, TypeAlias

from providers.history import Turn
from tools.call import JsonObject


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool as a model sees it. `parameters` is a JSON Schema object that all dialects accept."""

    name: str
    description: str
    parameters: JsonObject


class Choose(StrEnum):
    """How free the model is in calling tools."""

    AUTO = "auto"
    REQUIRED = "required"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class OneTool:
    """The model must call this tool."""

    name: str


ToolChoice: TypeAlias = Choose | OneTool


def tool_choice_of(word: str) -> ToolChoice:
    """The choice that `auto`, `required`, `none` or a tool's name stands for."""
    return Choose(word) if word in set(Choose) else OneTool(word)


def tool_choice_word(choice: ToolChoice) -> str:
    """The word that stands for a choice, as `tool_choice_of` reads it."""
    return choice.name if isinstance(choice, OneTool) else choice.value


@dataclass(frozen=True, slots=True)
class Request:
    """One round's question. `max_output_tokens` None leaves it to the provider where it may be
    left out. `extra` is merged over the body as it is, for odd servers."""

    model: str
    history: tuple[Turn, ...]
    system: str = ""
    tools: tuple[ToolSpec, ...] = ()
    choice: ToolChoice = Choose.AUTO
    max_output_tokens: int | None = None
    temperature: float | None = None
    stream: bool = True
    extra: dict[str, Any] = field(default_factory=dict)
