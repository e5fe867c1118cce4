"""A provider that says what a test wrote, and a conversation that remembers."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Iterable
from dataclasses import dataclass, field
from typing import TypeVar

from app.attempts import Attempts
from app.clock import Clock
from app.events import Event
from app.pending import Pending
from providers.dialects import Dialect, dialect
from providers.failures import Failure
from providers.history import Origin, Turn
from providers.parts import (
    CallBroken,
    CallCompleted,
    CallFragment,
    CallStarted,
    Part,
    Stop,
    Stopped,
    StreamFailed,
    TextDelta,
)
from providers.provider import Received
from providers.request import Request
from tools.call import ToolCall
from tools.ledger import Scope

Kind = TypeVar("Kind")

ORIGIN = Origin("simulator", "openai-chat", "vitral-1")


def text(words: str) -> list[Part]:
    """An answer in words."""
    return [TextDelta(words), Stopped(Stop.END, "stop")]


def call(name: str, call_id: str = "c1", **args: object) -> list[Part]:
    """A whole call, without the end of the stream."""
    return [
        CallStarted(0, name, call_id),
        CallFragment(0, "{}"),
        CallCompleted(0, ToolCall(name, args, ORIGIN.provider, call_id)),
    ]


def calls(*whole: list[Part]) -> list[Part]:
    """An answer of several calls."""
    parts: list[Part] = []
    for key, one in enumerate(whole):
        for part in one:
            match part:
                case CallStarted(name=name, call_id=call_id):
                    parts.append(CallStarted(key, name, call_id))
                case CallCompleted(call=made):
                    parts.append(CallCompleted(key, made))
                case CallBroken(name=name, call_id=call_id, raw=raw, reason=reason):
                    parts.append(CallBroken(key, name, call_id, raw, reason))
                case _:
                    pass
    return [*parts, Stopped(Stop.CALLS, "tool_calls")]


def broken(name: str, call_id: str = "c1", raw: str = '{"a": ') -> list[Part]:
    """A finished call whose arguments are no JSON."""
    return [CallStarted(0, name, call_id), CallBroken(0, name, call_id, raw, "not JSON")]


def failed(failure: Failure, *before: Part) -> list[Part]:
    """Some parts, and then no whole answer."""
    return [*before, StreamFailed(failure)]


@dataclass
class ScriptedSpeaker:
    """Says the next of `answers` at each request. An answer of `None` never ends."""

    answers: list[list[Part] | None]
    requests: list[Request] = field(default_factory=list)
    hanging: asyncio.Event = field(default_factory=asyncio.Event)
    closed: int = 0

    @property
    def origin(self) -> Origin:
        return ORIGIN

    @property
    def dialect(self) -> Dialect:
        return dialect(ORIGIN.dialect)

    async def stream(self, request: Request) -> AsyncGenerator[Received, None]:
        self.requests.append(request)
        answer = self.answers.pop(0)
        try:
            for part in answer or [TextDelta("so far")]:
                yield Received(b"", (part,))
            if answer is None:
                self.hanging.set()
                await asyncio.Event().wait()
        finally:
            self.closed += 1


@dataclass
class Memory:
    """A conversation that is kept in a list."""

    turns: list[Turn] = field(default_factory=list)

    @property
    def history(self) -> tuple[Turn, ...]:
        return tuple(self.turns)

    @property
    def scope(self) -> Scope | None:
        return Scope("chat", len(self.turns))

    @property
    def pending(self) -> Pending | None:
        return None

    async def keep(self, turn: Turn) -> None:
        await asyncio.sleep(0)
        self.turns.append(turn)


@dataclass
class HeldClock:
    """Time that passes only when someone sleeps."""

    time: float = 0.0
    slept: list[float] = field(default_factory=list)

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.time += seconds
        await asyncio.sleep(0)

    @property
    def clock(self) -> Clock:
        return Clock(lambda: self.time, self.sleep)


@dataclass
class Log:
    """A failure log that remembers what it was told."""

    records: list[tuple[Failure, int, float | None]] = field(default_factory=list)

    def record(
        self, failure: Failure, *, origin: Origin, attempt: int, wait: float | None, reference: str
    ) -> str:
        self.records.append((failure, attempt, wait))
        return reference or "K7Q2"


def attempts(held: HeldClock | None = None, log: Log | None = None) -> Attempts:
    """Attempts whose waits take no time and no chance."""
    return Attempts(log or Log(), (held or HeldClock()).clock, chance=lambda: 0.0)


def of_type(kind: type[Kind], told: Iterable[Event]) -> list[Kind]:
    """The events of one kind, in their order."""
    return [event for event in told if isinstance(event, kind)]
