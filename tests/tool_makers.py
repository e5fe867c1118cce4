"""Small writers for the tools' tests: calls, tools that do as they are told, and a recorder."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import BaseModel

from tools.call import AnyCall, ToolCall, ToolError, ToolResult
from tools.dispatch import dispatch
from tools.ledger import Scope
from tools.permission import GRANTED, Change, Permission
from tools.tool import DEFAULT_TIME_LIMIT, Effect, JsonValue, Tool, ToolContext
from tools.toolbox import Toolbox


class Numbered(BaseModel):
    n: int = 0


def call(name: str, call_id: str = "", /, **args: object) -> ToolCall:
    return ToolCall(name, dict(args), "simulator", call_id or f"call_{name}")


def numbered_tool(
    run: Callable[[int], Awaitable[JsonValue]],
    name: str = "work",
    effect: Effect = Effect.READ,
    time_limit: float = DEFAULT_TIME_LIMIT,
) -> Tool:
    """A tool with one argument `n` that awaits `run(n)`."""

    async def runner(arguments: BaseModel, context: ToolContext) -> JsonValue:
        assert isinstance(arguments, Numbered)
        return await run(arguments.n)

    return Tool(name, "Works.", Numbered, effect, runner, time_limit)


async def number(n: int) -> JsonValue:
    return n


def error_of(result: ToolResult) -> ToolError:
    assert result.error is not None
    return result.error


@dataclass
class Recorder:
    """Dispatches, and keeps all that was told on the way. With a `permission` and a `scope`
    writes run; each change that was asked for is in `asked`."""

    running: list[int] = field(default_factory=list)
    answered: dict[int, ToolResult] = field(default_factory=dict)
    order: list[int] = field(default_factory=list)
    exceptions: list[BaseException] = field(default_factory=list)
    on_running: Callable[[int], None] = lambda place: None
    permission: Permission | None = None
    scope: Scope | None = None
    thinking: Callable[[], Awaitable[None]] | None = None
    asked: dict[int, Change] = field(default_factory=dict)
    waited: list[int] = field(default_factory=list)
    overdue: list[int] = field(default_factory=list)

    async def dispatch(
        self,
        calls: Sequence[AnyCall],
        tools: Sequence[Tool] | Toolbox,
        context: ToolContext | None = None,
    ) -> tuple[ToolResult, ...]:
        return await dispatch(
            calls,
            tools if isinstance(tools, Toolbox) else Toolbox(tools),
            context or ToolContext(Path("nowhere"), Path("nowhere.sqlite")),
            on_running=self._ran,
            on_answered=self._was_answered,
            on_exception=lambda call, error: self.exceptions.append(error),
            on_permission=self.waited.append,
            on_overdue=self.overdue.append,
            permit=self._permit if self.permission else None,
            scope=self.scope,
        )

    async def _permit(self, place: int, call: ToolCall, tool: Tool, change: Change) -> Permission:
        assert self.permission is not None
        self.asked[place] = change
        if self.thinking is not None:
            await self.thinking()
        return self.permission

    def _ran(self, place: int) -> None:
        self.running.append(place)
        self.on_running(place)

    def _was_answered(self, place: int, result: ToolResult) -> None:
        assert place not in self.answered
        self.answered[place] = result
        self.order.append(place)


def permitting(turn: int = 1, permission: Permission = GRANTED) -> Recorder:
    """A recorder of which the person permits everything (or answers as given)."""
    return Recorder(permission=permission, scope=Scope("chat", turn))
