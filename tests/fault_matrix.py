"""One cell of the matrix: a fault, a dialect, so many calls, and the real agent in front of it.

What a correct client makes of each fault stands in the catalogue; here is how to look. Whether
what was seen is right is for `fault_complaints`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict

from app.agent import Agent
from app.attempts import Attempts
from app.events import AttemptStarted, Done, Ending, Event, Withdrawn
from providers.dialects import dialect
from providers.exchange import Handler, WireRequest, WireResponse
from providers.failures import FailureKind
from providers.faults import FAULTS, Fails, Fault, FaultPlan, Lab, Outcome, Sight
from providers.history import AssistantTurn, ToolTurn, UserTurn, valid
from providers.provider import Provider
from providers.refused_fields import RefusedFields
from providers.request import Request, ToolSpec
from providers.simulator import DEFAULT_MODEL, Simulator
from providers.transport import Timeouts, Transport
from tests.scripted import HeldClock, Log, Memory, of_type
from tests.simulating import DIALECTS, LOOKUP, post, schema
from tools.tool import JsonValue, ToolContext, tool
from tools.toolbox import Toolbox

QUESTIONS = ("Olá!", "Qual é a minha altura?", "Qual é a minha altura e o meu peso?")
"""What leads to no call, one, and two side by side."""

WANTED = ((), ("height",), ("height", "weight"))
VALUES = {"height": "170 cm", "weight": "70 kg"}

COSTLY = ("huge-event",)
"""Sixty-five megabytes: looked at only once, as the limit is the same in each dialect."""

LENGTHY = ("drip",)
"""A thousand reads and more: looked at always, but not once more."""

ENDLESS = ("hang",)
"""What only a limit of silence ends. It is measured by the loop's own clock, so in real seconds:
short for these, and for the others longer than any machine is busy."""

SILENCE = 0.02
LONG_SILENCE = 30.0


class Key(BaseModel):
    model_config = ConfigDict(extra="forbid")
    key: Literal["height", "weight"]


@dataclass(frozen=True, slots=True)
class Cell:
    """`times` None: the fault strikes every request; but the first ones are `spared`."""

    fault: Fault
    dialect: str
    calls: int
    times: int | None = None
    spared: int = 0

    def __str__(self) -> str:
        when = "after" if self.spared else {None: "always", 1: "once", 2: "twice"}[self.times]
        return f"{self.fault.name}-{self.dialect}-{self.calls}-{when}"

    @property
    def wanted(self) -> tuple[str, ...]:
        """What the model asks the tool for."""
        return WANTED[self.calls]

    @property
    def outcome(self) -> Outcome:
        """What a correct client makes of the answers that are struck. The one to the results of
        calls is in words."""
        return self.fault.expected(self.dialect, calls=self.calls > 0 and not self.spared)


@dataclass
class Bench:
    """An agent with one tool, a simulator of its own, and all that happened."""

    dialect: str
    ran: list[str] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    memory: Memory = field(default_factory=Memory)
    log: Log = field(default_factory=Log)
    held: HeldClock = field(default_factory=HeldClock)
    simulator: Simulator = field(default_factory=lambda: Simulator(speed=0))
    model: str = DEFAULT_MODEL
    silence: float = SILENCE
    asked: int = 0
    """How many requests went out."""
    waited: list[float] = field(default_factory=list)
    """How long, before each attempt that was not the first."""
    _failed_at: float = 0.0

    async def say(self, text: str, plan: FaultPlan | None = None, spared: int = 0) -> Done:
        """One message, with these faults on the way of all requests but the first ones."""
        lab = Lab(plan or FaultPlan(), wait=self.held.sleep)
        transport = Transport(
            handler=self._counting(lab, spared), timeouts=Timeouts(silence=self.silence)
        )
        provider = Provider(
            id="simulator",
            title="Simulator",
            dialect=dialect(self.dialect),
            base_url="http://simulator.invalid",
            model=self.model,
            transport=transport,
            refused=RefusedFields(),
        )
        try:
            return await self._agent().answer(self.memory, text, provider, self._hear)
        finally:
            await transport.aclose()

    def _counting(self, lab: Lab, spared: int) -> Handler:
        healthy, struck = self.simulator.handle, lab.around(self.simulator.handle)
        last_spared = self.asked + spared

        async def handle(request: WireRequest) -> WireResponse:
            self.asked += 1
            return await (struck if self.asked > last_spared else healthy)(request)

        return handle

    def _hear(self, event: Event) -> None:
        self.events.append(event)
        match event:
            case Withdrawn():
                self._failed_at = self.held.time
            case AttemptStarted(number=number) if number > 1:
                self.waited.append(self.held.time - self._failed_at)

    def _agent(self) -> Agent:
        @tool
        def lookup_demo_value(arguments: Key, context: ToolContext) -> JsonValue:
            """Looks a measurement up."""
            self.ran.append(arguments.key)
            return VALUES[arguments.key]

        return Agent(
            toolbox=Toolbox([lookup_demo_value]),
            context=ToolContext(Path("workspace"), Path("database")),
            attempts=Attempts(self.log, self.held.clock, chance=lambda: 0.0),
            on_tool_exception=lambda one, error: None,
        )

    @property
    def text(self) -> str:
        """The newest answer."""
        said = [turn.text for turn in self.memory.turns if isinstance(turn, AssistantTurn)]
        return said[-1] if said else ""

    @property
    def errors(self) -> list[str]:
        """The kinds of the errors that the model was told."""
        return [
            result.error.kind.value
            for turn in self.memory.turns
            if isinstance(turn, ToolTurn)
            for result in turn.results
            if result.error is not None
        ]


@dataclass(frozen=True, slots=True)
class Seen:
    """What came of a cell."""

    done: Done
    ran: tuple[str, ...]
    text: str
    kinds: tuple[FailureKind, ...]
    """Of each failed attempt."""
    waits: tuple[float, ...]
    """Before each further attempt, by the clock."""
    errors: tuple[str, ...]
    asked: int
    rounds: int
    history_valid: bool
    refused_by: tuple[str, ...]
    """The dialects whose strict simulator does not take the history."""
    goes_on: bool
    """A next message, without faults, was taken by the strict simulator and answered."""


def cells() -> Iterator[Cell]:
    """Every fault in each dialect that has it, with no call, one and two: always; twice, where it
    is one to try again, or once, where it is one to live with; and after two calls have run."""
    for fault in FAULTS.values():
        if fault.name in COSTLY:
            yield Cell(fault, fault.dialects[0], 1)
            continue
        for name in fault.dialects:
            yield Cell(fault, name, calls=2, spared=1)
            for calls in range(len(QUESTIONS)):
                yield Cell(fault, name, calls)
                match fault.outcome:
                    case Fails(passes=True):
                        yield Cell(fault, name, calls, times=2)
                    case Sight() if fault.name not in LENGTHY:
                        yield Cell(fault, name, calls, times=1)


async def healthy_text(name: str, calls: int) -> str:
    """What is answered when nothing is wrong."""
    bench = Bench(name)
    done = await bench.say(QUESTIONS[calls])
    assert done.ending is Ending.ANSWERED
    assert tuple(bench.ran) == WANTED[calls]
    return bench.text


async def look(cell: Cell) -> Seen:
    """Lets the fault strike, and the agent work on the message to its end."""
    silence = SILENCE if cell.fault.name in ENDLESS else LONG_SILENCE
    bench = Bench(cell.dialect, silence=silence)
    plan = FaultPlan((cell.fault,), 7, cell.times)
    done = await bench.say(QUESTIONS[cell.calls], plan, cell.spared)
    seen = Seen(
        done=done,
        ran=tuple(bench.ran),
        text=bench.text,
        kinds=tuple(withdrawn.failure.kind for withdrawn in of_type(Withdrawn, bench.events)),
        waits=tuple(bench.waited),
        errors=tuple(bench.errors),
        asked=bench.asked,
        rounds=sum(isinstance(turn, AssistantTurn) for turn in bench.memory.turns),
        history_valid=valid(bench.memory.history),
        refused_by=tuple([name for name in DIALECTS if await _refuses(bench.memory, name)]),
        goes_on=False,
    )
    after = await bench.say("Olá!")
    return replace(seen, goes_on=after.ending is Ending.ANSWERED and bool(bench.text))


async def _refuses(memory: Memory, name: str) -> bool:
    """Whether a server of that dialect would not go on with the chat."""
    history = (*memory.history, UserTurn("Olá!"))
    spec = ToolSpec(LOOKUP, "Looks a measurement up.", schema("key"))
    encoded = dialect(name).encode(Request(DEFAULT_MODEL, history, tools=(spec,)))
    request = post(name, encoded.body, headers=encoded.headers)
    response = await Simulator(speed=0).handle(request)
    return response.status != 200
