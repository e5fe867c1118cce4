"""Which tools are there, which of them are on, and what does the list of them cost?

The demo tools come first and the person's own after them, so that the order never changes by
itself. The settings switch a tool on or off; `--tools` narrows them further for one run.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from app.permissions import Rule
from app.places import folder_named
from app.settings import Settings, ToolSettings
from providers.history import ToolTurn, Turn
from tools.cost import tokens_estimate
from tools.own import OwnTools, load_own_tools
from tools.staging import staged
from tools.toolbox import Toolbox

if TYPE_CHECKING:
    from tools.tool import Effect, Tool


@dataclass(frozen=True, slots=True)
class ToolStanding:
    """One tool as the settings have it. `tokens` is about what it costs in each request that it
    is `sent` with; the tools that find others stand in none of the settings."""

    name: str
    description: str
    effect: Effect
    on: bool
    rule: Rule
    tokens: int
    sent: bool


@dataclass(frozen=True, slots=True)
class ListCost:
    """What the list of tools costs in each request, in about so many tokens: all that are `on`,
    and what is really `sent`, which is less where tools are sent by stage."""

    tools: int
    on: int
    tokens: int
    sent: int
    sent_tokens: int
    by_stage: bool

    @property
    def saved(self) -> int:
        """Tokens that the stages save in each request; a list of few tools may save none."""
        return max(self.tokens - self.sent_tokens, 0)


@dataclass
class ToolShelf:
    """All tools, under these settings. Loading the person's own blocks, when first needed."""

    settings: Settings
    only: tuple[str, ...] | None = None

    @cached_property
    def own(self) -> OwnTools:
        """The tools of the person's folder, none when they named none."""
        from tools.demo import demo_toolbox

        folder = self.settings.tools_folder
        if not folder:
            return OwnTools((), ())
        return load_own_tools(folder_named(folder), demo_toolbox().names)

    @cached_property
    def whole(self) -> Toolbox:
        """Every tool there is, on or off."""
        from tools.demo import demo_toolbox

        return Toolbox([*demo_toolbox(), *self.own.tools])

    @property
    def on(self) -> Toolbox:
        """The tools that a model may call now."""
        return Toolbox(tool for tool in self.whole if self._is_on(tool.name))

    @property
    def first(self) -> tuple[str, ...] | None:
        """The tools that are always sent where tools go out by stage; None: all are sent."""
        return tuple(self.settings.first_tools) if self.settings.tools_by_stage else None

    def rule(self, tool: str) -> Rule:
        """What the settings say of this tool's writes."""
        return Rule(self.said(tool).permission)

    def said(self, tool: str) -> ToolSettings:
        """The settings of one tool."""
        return self.settings.tools.get(tool, ToolSettings())

    def standings(self, history: Iterable[Turn] = ()) -> tuple[ToolStanding, ...]:
        """Each tool with what holds for it in a chat with this history, in their order."""
        sent = self.sent(history)
        return tuple(
            ToolStanding(
                tool.name,
                tool.description,
                tool.effect,
                self._is_on(tool.name),
                self.rule(tool.name),
                _tokens(tool),
                tool.name in sent,
            )
            for tool in self.whole
        )

    def cost(self, history: Iterable[Turn] = ()) -> ListCost:
        """What the list costs in the next request of a chat with this history."""
        on, sent = self.on, self.sent(history)
        return ListCost(
            tools=len(self.whole),
            on=len(on),
            tokens=sum(map(_tokens, on)),
            sent=len(sent),
            sent_tokens=sum(map(_tokens, sent)),
            by_stage=self.first is not None,
        )

    def sent(self, history: Iterable[Turn] = ()) -> Toolbox:
        """The tools that the next request of a chat with this history brings."""
        return sent_tools(self.on, self.first, history)

    def _is_on(self, tool: str) -> bool:
        return self.said(tool).enabled and (self.only is None or tool in self.only)


def sent_tools(on: Toolbox, first: tuple[str, ...] | None, history: Iterable[Turn]) -> Toolbox:
    """Of the tools that are `on`, those that a request with this history brings: all of them, or
    the `first` ones and what the model found."""
    if first is None:
        return on
    turns = (turn for turn in history if isinstance(turn, ToolTurn))
    return staged(on, first, (result for turn in turns for result in turn.results))


def _tokens(tool: Tool) -> int:
    described = {"description": tool.description, "parameters": tool.parameters}
    return tokens_estimate({"name": tool.name, **described})
