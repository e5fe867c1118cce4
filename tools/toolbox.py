"""Which tools are switched on, in an order that never changes by itself.

The order is the one in which they were given: a list that stays the same keeps the providers'
prompt caches warm.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from tools.tool import Tool

NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
"""The names that all four dialects accept."""


class Toolbox:
    """An unchangeable, ordered set of tools; raises ValueError for a bad or repeated name."""

    def __init__(self, tools: Iterable[Tool] = ()) -> None:
        self._tools: dict[str, Tool] = {}
        for tool in tools:
            if not NAME.fullmatch(tool.name):
                message = f"tool name {tool.name!r}: wanted 1 to 64 letters, digits, _ or -"
                raise ValueError(message)
            if tool.name in self._tools:
                message = f"two tools are named {tool.name!r}"
                raise ValueError(message)
            self._tools[tool.name] = tool

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self._tools)

    def find(self, name: str) -> Tool | None:
        return self._tools.get(name)

    def unknown(self, names: Iterable[str]) -> tuple[str, ...]:
        """Those of `names` that no tool here has, in their order."""
        return tuple(name for name in names if name not in self._tools)

    def with_only(self, names: Iterable[str]) -> Toolbox:
        """The tools with these names, in this box's order; raises ValueError for unknown ones."""
        wanted = set(names)
        if unknown := self.unknown(sorted(wanted)):
            message = f"no such tool: {', '.join(unknown)}; there are: {', '.join(self.names)}"
            raise ValueError(message)
        return Toolbox(tool for tool in self if tool.name in wanted)

    def __iter__(self) -> Iterator[Tool]:
        return iter(self._tools.values())

    def __len__(self) -> int:
        return len(self._tools)

    def __contains__(self, name: object) -> bool:
        return name in self._tools

    def __repr__(self) -> str:
        return f"Toolbox({', '.join(self.names)})"
