"""One round's question, asked until it is answered or given up.

Leaves the tools and the rounds to `app.agent`. What a failed attempt had shown is withdrawn
before the next one starts; the waits are told as they pass.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass, field
from typing import Protocol

from app import events
from app.clock import Clock
from providers.dialects import Dialect
from providers.failures import Failure
from providers.gathering import Gathering
from providers.history import AssistantTurn, Origin
from providers.provider import Received
from providers.request import Request
from providers.retry import RetryPolicy, next_wait

Emit = Callable[[events.Event], None]

SILENCE = 10.0
"""Seconds without a byte after which the person is told."""


class Speaker(Protocol):
    """Whoever can be asked: a `providers.provider.Provider`, as far as the agent knows it."""

    @property
    def origin(self) -> Origin: ...

    @property
    def dialect(self) -> Dialect: ...

    def stream(self, request: Request) -> AsyncGenerator[Received, None]: ...


class FailureLog(Protocol):
    """Where the technical side of a failure goes; gives the reference that the person sees."""

    def record(
        self, failure: Failure, *, origin: Origin, attempt: int, wait: float | None, reference: str
    ) -> str: ...


class AnswerFailed(Exception):  # noqa: N818 - the glossary's word for it is "failure"
    """Every attempt failed. `reference` names the record in the diagnostics."""

    def __init__(self, failure: Failure, reference: str) -> None:
        super().__init__(failure.kind.value)
        self.failure = failure
        self.reference = reference


class AnswerInterrupted(Exception):  # noqa: N818 - a person's wish is no error
    """The person stopped the answer; `turn` is what was whole by then, if anything was."""

    def __init__(self, turn: AssistantTurn | None) -> None:
        super().__init__("stopped by the person")
        self.turn = turn


@dataclass(frozen=True, slots=True)
class Attempts:
    """Asks a provider; `chance` gives a number in [0, 1) for the waits."""

    log: FailureLog
    clock: Clock = field(default_factory=Clock)
    policy: RetryPolicy = field(default_factory=RetryPolicy)
    chance: Callable[[], float] = random.random

    async def ask(self, speaker: Speaker, request: Request, emit: Emit) -> Gathering:
        """A stopped gathering. Raises AnswerFailed, and AnswerInterrupted when cancelled."""
        reference = ""
        number = 1
        while True:
            emit(events.AttemptStarted(number, self.policy.attempts))
            gathering = await self._attempt(speaker, request, emit)
            failure = gathering.failure
            if failure is None:
                return gathering
            wait = next_wait(failure, number, self.policy, self.chance())
            reference = self.log.record(
                failure, origin=speaker.origin, attempt=number, wait=wait, reference=reference
            )
            emit(events.Withdrawn(failure, gathering.usage))
            if wait is None:
                raise AnswerFailed(failure, reference)
            number += 1
            await self._wait(wait, number, failure, emit)

    async def _attempt(self, speaker: Speaker, request: Request, emit: Emit) -> Gathering:
        gathering = Gathering(speaker.origin)
        try:
            async with (
                self._silence(emit) as heard,
                aclosing(speaker.stream(request)) as stream,
            ):
                async for received in stream:
                    heard()
                    gathering.add(received.parts)
                    emit(events.Received(received.data, received.parts))
        except asyncio.CancelledError:
            raise AnswerInterrupted(gathering.interrupted_turn()) from None
        return gathering

    @asynccontextmanager
    async def _silence(self, emit: Emit) -> AsyncIterator[Callable[[], None]]:
        """Tells of each second of silence past `SILENCE`; the value is called when bytes come."""
        last = self.clock.now()

        def heard() -> None:
            nonlocal last
            last = self.clock.now()

        async def watch() -> None:
            while True:
                await self.clock.sleep(1.0)
                silent = self.clock.now() - last
                if silent >= SILENCE:
                    emit(events.Silent(silent))

        watching = asyncio.create_task(watch())
        try:
            yield heard
        finally:
            watching.cancel()
            await asyncio.gather(watching, return_exceptions=True)

    async def _wait(self, seconds: float, attempt: int, failure: Failure, emit: Emit) -> None:
        left = seconds
        try:
            while left > 0:
                emit(events.Waiting(left, attempt, self.policy.attempts, failure))
                step = min(1.0, left)
                await self.clock.sleep(step)
                left -= step
        except asyncio.CancelledError:
            raise AnswerInterrupted(None) from None
