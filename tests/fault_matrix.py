"""One cell of the matrix: a fault, a dialect, so many calls, and the real agent in front of it.

What a correct client makes of each fault stands in the catalogue; here is how to look.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict

from app.agent import Agent
from app.attempts import Attempts
from app.events import Done, Ending, Event, Withdrawn
from providers.dialects import dialect
from providers.failures import FailureKind
from providers.faults import FAULTS, Fails, Fault, FaultPlan, Lab, Sight
from providers.history import AssistantTurn, ToolTurn, valid
from providers.provider import Provider
from providers.refused_fields import RefusedFields
from providers.simulator import DEFAULT_MODEL, Simulator
from providers.transport import Timeouts, Transport
from tests.scripted import HeldClock, Log, Memory, of_type
from tools.tool import JsonValue, ToolContext, tool
from tools.toolbox import Toolbox

QUESTIONS = ("Olá!", "Qual é a minha altura?", "Qual é a minha altura e o meu peso?")
"""What leads to no call, one, and two side by side."""

WANTED = ((), ("height",), ("height", "weight"))
VALUES = {"height": "170 cm", "weight": "70 kg"}

COSTLY = ("huge-event",)
"""Sixty-five megabytes each: looked at with one call only."""

SILENCE = 0.02
"""Real seconds: the connection measures silence by the loop's own clock."""


class Key(BaseModel):
    model_config = ConfigDict(extra="forbid")
    key: Literal["height", "weight"]


@dataclass(frozen=True, slots=True)
class Cell:
    """`times` None: the fault strikes every request."""

    fault: Fault
    dialect: str
    calls: int
    times: int | None = None

    def __str__(self) -> str:
        how = "always" if self.times is None else f"{self.times}x"
        return f"{self.fault.name}-{self.dialect}-{self.calls}-{how}"


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
    asked: int = 0

    async def say(self, text: str, plan: FaultPlan | None = None) -> Done:
        """One message, with these faults on the way."""
        lab = Lab(plan or FaultPlan(), wait=self.held.sleep)
        transport = Transport(
            handler=lab.around(self.simulator.handle), timeouts=Timeouts(silence=SILENCE)
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
            return await self._agent().answer(self.memory, text, provider, self.events.append)
        finally:
            await transport.aclose()

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
    waits: tuple[float | None, ...]
    errors: tuple[str, ...]
    rounds: int
    history_valid: bool
    goes_on: bool
    """A next message, without faults, was taken by the strict simulator and answered."""


def cells() -> Iterator[Cell]:
    """Every fault in each dialect that has it, with no call, one and two: always, and, where that
    may end otherwise, once."""
    for fault in FAULTS.values():
        lasting = isinstance(fault.outcome, Fails) and not fault.outcome.passes
        for name in fault.dialects:
            for calls in range(len(QUESTIONS)):
                if fault.name in COSTLY and calls != 1:
                    continue
                yield Cell(fault, name, calls)
                if not lasting:
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
    bench = Bench(cell.dialect)
    done = await bench.say(QUESTIONS[cell.calls], FaultPlan((cell.fault,), 7, cell.times))
    failures = [withdrawn.failure for withdrawn in of_type(Withdrawn, bench.events)]
    seen = (done, tuple(bench.ran), bench.text, tuple(one.kind for one in failures))
    waits = tuple(wait for _, _, wait in bench.log.records)
    errors = tuple(bench.errors)
    rounds = sum(isinstance(turn, AssistantTurn) for turn in bench.memory.turns)
    history_valid = valid(bench.memory.history)
    after = await bench.say("Olá!")
    goes_on = after.ending is Ending.ANSWERED and bool(bench.text)
    return Seen(*seen, waits, errors, rounds, history_valid, goes_on)


def complaints(cell: Cell, seen: Seen, healthy: str) -> list[str]:
    """What a correct client would have done otherwise; nothing when all is well."""
    outcome = cell.fault.expected(cell.dialect, calls=cell.calls > 0)
    wrong = _of_outcome(cell, outcome, seen, healthy)
    if not seen.history_valid:
        wrong.append("the history is not valid")
    if not seen.goes_on:
        wrong.append("the next message is not answered")
    return wrong


def _of_outcome(cell: Cell, outcome: Sight | Fails, seen: Seen, healthy: str) -> list[str]:
    match outcome:
        case Fails():
            return _of_failure(cell, outcome, seen, healthy)
        case Sight.WHOLE:
            wrong = [] if not seen.kinds else [f"failed as {seen.kinds}"]
            return wrong + _of_answer(cell, seen, healthy)
        case Sight.BROKEN:
            return _of_broken_calls(cell, seen, healthy)
        case Sight.UNSEEN:
            answered = seen.done.ending is Ending.ANSWERED
            return [] if answered and not seen.kinds else [f"ended {seen.done}"]


def _of_answer(cell: Cell, seen: Seen, healthy: str) -> list[str]:
    wrong = [] if seen.ran == WANTED[cell.calls] else [f"ran {seen.ran}"]
    return wrong + _of_words(cell, seen, healthy)


def _of_failure(cell: Cell, outcome: Fails, seen: Seen, healthy: str) -> list[str]:
    patient = outcome.passes and (outcome.wait or 0) <= 60
    recovers = patient and cell.times is not None
    attempts = cell.times or 3 if patient else 1
    wrong = []
    if seen.kinds != (outcome.kind,) * attempts:
        wrong.append(f"failed as {seen.kinds}")
    ours = (0.5, 1.0)
    waits = [outcome.wait if outcome.wait is not None else ours[n] for n in range(attempts)[:2]]
    expected = tuple(waits if recovers else [*waits[: attempts - 1], None])
    if not _close(seen.waits, expected):
        wrong.append(f"waited {seen.waits}, not {expected}")
    if recovers:
        return wrong + _of_answer(cell, seen, healthy)
    if seen.done.ending is not Ending.FAILED or not seen.done.reference:
        wrong.append(f"ended {seen.done}")
    if seen.ran:
        wrong.append(f"ran {seen.ran}")
    return wrong


def _close(got: tuple[float | None, ...], wanted: tuple[float | None, ...]) -> bool:
    """A date has whole seconds, and some time passes until it is read."""
    if len(got) != len(wanted):
        return False
    for one, other in zip(got, wanted, strict=True):
        if one is None or other is None:
            if one is not other:
                return False
        elif not other - 2 <= one <= other:
            return False
    return True


def _of_broken_calls(cell: Cell, seen: Seen, healthy: str) -> list[str]:
    """The model heard of it and asked again: each call that it wanted ran once, and none else."""
    wrong = [] if set(seen.errors) == {"broken_call"} else [f"the model was told {seen.errors}"]
    if sorted(seen.ran) != sorted(WANTED[cell.calls]):
        wrong.append(f"ran {seen.ran}")
    return wrong + _of_words(cell, seen, healthy)


def _of_words(cell: Cell, seen: Seen, healthy: str) -> list[str]:
    """The answer's end. Where a fault may strike words unseen, no client can have them right."""
    wrong = [] if seen.done.ending is Ending.ANSWERED else [f"ended {seen.done}"]
    unseen = cell.fault.in_words is Sight.UNSEEN and cell.times is None
    if not unseen and seen.text != healthy:
        wrong.append(f"said {seen.text!r}, not {healthy!r}")
    return wrong


def run(cell: Cell, healthy: str) -> list[str]:
    """The same for callers that are not asynchronous."""
    return complaints(cell, asyncio.run(look(cell)), healthy)
