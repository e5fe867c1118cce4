"""Which tools are there, which of them are on, and what does the list of them cost?

The demo tools come first and the person's own after them, so that the order never changes by
itself. The settings switch a tool on or off; `--tools` narrows them further for one run.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from app.permissions import Rule
from app.settings import Settings, ToolSettings
from tools.own import OwnTools, load_own_tools
from tools.toolbox import Toolbox

if TYPE_CHECKING:
    from tools.tool import Effect


@dataclass(frozen=True, slots=True)
class ToolStanding:
    """One tool as the settings have it. `tokens` is about what it costs in each request."""

    name: str
    description: str
    effect: Effect
    on: bool
    rule: Rule
    tokens: int


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
        return load_own_tools(Path(folder), demo_toolbox().names)

    @cached_property
    def whole(self) -> Toolbox:
        """Every tool there is, on or off."""
        from tools.demo import demo_toolbox

        return Toolbox([*demo_toolbox(), *self.own.tools])

    @property
    def on(self) -> Toolbox:
        """The tools that a model may call now."""
        return Toolbox(tool for tool in self.whole if self._is_on(tool.name))

    def rule(self, tool: str) -> Rule:
        """What the settings say of this tool's writes."""
        return Rule(self.said(tool).permission)

    def said(self, tool: str) -> ToolSettings:
        """The settings of one tool."""
        return self.settings.tools.get(tool, ToolSettings())

    def standings(self) -> tuple[ToolStanding, ...]:
        """Each tool with what holds for it, in their order."""
        from tools.cost import tokens_estimate

        return tuple(
            ToolStanding(
                tool.name,
                tool.description,
                tool.effect,
                self._is_on(tool.name),
                self.rule(tool.name),
                tokens_estimate(
                    {
                        "name": tool.name,
                        "description": tool.description,
                        "parameters": tool.parameters,
                    }
                ),
            )
            for tool in self.whole
        )

    def _is_on(self, tool: str) -> bool:
        return self.said(tool).enabled and (self.only is None or tool in self.only)
