"""A stage for scenes: the real agent, the real tools, a simulator that plays, and no time."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from app.agent import Agent
from app.events import Done, Event, Withdrawn
from app.settings import Settings
from app.tool_shelf import ToolShelf
from providers.dialects import dialect
from providers.history import AssistantTurn, ToolTurn
from providers.provider import Provider
from providers.refused_fields import RefusedFields
from providers.simulator import DEFAULT_MODEL, Simulator
from providers.simulator.scenes import Playing, Scene
from providers.transport import Transport
from tests.scripted import HeldClock, Log, Memory, attempts, of_type
from tools.call import ToolCall, ToolResult
from tools.demo.workspace import create_workspace
from tools.permission import DENIED, GRANTED, Change, Permission
from tools.tool import Role, Tool, ToolContext


@dataclass
class Stage:
    """Plays one scene, or what the simulator itself has to say, for one person, who says no to the
    tools of `refused` and else yes."""

    home: Path
    scene: Scene | None = None
    dialect: str = "openai-responses"
    seed: int = 0
    refused: tuple[str, ...] = ()
    model: str = ""
    memory: Memory = field(default_factory=Memory)
    events: list[Event] = field(default_factory=list)
    log: Log = field(default_factory=Log)
    held: HeldClock = field(default_factory=HeldClock)
    unmet: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        create_workspace(self.home / "workspace")
        self.simulator = Simulator(
            speed=0,
            seed=self.seed,
            sleep=self.held.sleep,
            player=Playing(self.scene, now=lambda: self.held.time) if self.scene else None,
            on_unmet=self.unmet.append,
        )

    async def say(self, text: str) -> Done:
        """One message, worked on to its end."""
        transport = Transport(handler=self.simulator.handle)
        provider = Provider(
            id="simulator",
            title="Simulator",
            dialect=dialect(self.dialect),
            base_url="http://simulator.invalid",
            model=self.model or (self.scene and self.scene.model) or DEFAULT_MODEL,
            transport=transport,
            refused=RefusedFields(),
        )
        try:
            return await self._agent().answer(
                self.memory, text, provider, self.events.append, permit=self._permit
            )
        finally:
            await transport.aclose()

    def _agent(self) -> Agent:
        return Agent(
            toolbox=ToolShelf(Settings()).on,
            context=ToolContext(self.home / "workspace", self.home / "demo.sqlite3", Role.SUPPORT),
            attempts=attempts(self.held, self.log),
            on_tool_exception=lambda one, error: None,
        )

    async def _permit(self, place: int, call: ToolCall, tool: Tool, change: Change) -> Permission:
        return DENIED if tool.name in self.refused else GRANTED

    @property
    def answers(self) -> list[AssistantTurn]:
        return [turn for turn in self.memory.turns if isinstance(turn, AssistantTurn)]

    @property
    def calls(self) -> list[tuple[str, object]]:
        """All calls, in order: name and arguments."""
        calls = [call for turn in self.answers for call in turn.calls]
        return [(one.name, one.args) for one in calls if isinstance(one, ToolCall)]

    @property
    def results(self) -> list[ToolResult]:
        turns = [turn for turn in self.memory.turns if isinstance(turn, ToolTurn)]
        return [result for turn in turns for result in turn.results]

    @property
    def outcomes(self) -> list[str]:
        """Of each call: `value`, or the kind of its error."""
        return [one.error.kind.value if one.error else "value" for one in self.results]

    @property
    def failures(self) -> list[str]:
        """The kinds of the attempts that were withdrawn."""
        return [one.failure.kind.value for one in of_type(Withdrawn, self.events)]

    @property
    def last(self) -> str:
        """The newest answer's text."""
        return self.answers[-1].text if self.answers else ""
