"""One message to several providers at once, each through the same agent; nothing of it is kept.

A write runs for none of them: what one provider changed would be another's surroundings.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from app import events
from app.agent import Agent, Asking
from app.attempts import Emit, Speaker
from app.choice import Choice
from app.clock import Clock
from app.pending import Pending
from app.session import SYSTEM, Session
from providers.history import Turn
from providers.parts import CallFragment, CallStarted, ReasoningDelta, TextDelta
from providers.provider import Provider
from providers.transport import ConnectionFailed
from tools.ledger import Scope

FEWEST, MOST = 2, 4
"""How many providers are compared: more would not fit beside one another."""

_SEEN = (TextDelta, ReasoningDelta, CallStarted, CallFragment)

Tell = Callable[[int, events.Event], None]
"""Hears each event with the place of the provider that it is about."""


def contender(word: str) -> Choice:
    """Whom a word such as `ollama:llama3.1` or `simulator@gemini:gemini-3-sim` stands for: a
    provider, then a dialect if it is not the usual one, then a model."""
    who, _, model = word.partition(":")
    provider, _, dialect = who.partition("@")
    return Choice(provider, dialect or None, model or None)


def beside(session: Session, choice: Choice) -> Session:
    """A session of the same person that asks somebody else; keys that were typed for this run
    hold in it too. It must be closed as any other."""
    other = replace(session, choice=choice, _provider=None, _chat=None)
    other.credentials = session.credentials
    return other


@dataclass(slots=True)
class Unkept:
    """A conversation that ends with its message. Nothing lasts, so no write may run in it."""

    turns: list[Turn] = field(default_factory=list)

    @property
    def history(self) -> tuple[Turn, ...]:
        return tuple(self.turns)

    @property
    def scope(self) -> Scope | None:
        return None

    @property
    def pending(self) -> Pending | None:
        return None

    async def keep(self, turn: Turn) -> None:
        self.turns.append(turn)


@dataclass(slots=True)
class Timing:
    """When things came, in seconds from the message's start; None for what never did.

    `first_byte` of any answer, `first_fragment` that a person could see, `end` of the message.
    """

    clock: Clock = field(default_factory=Clock)
    first_byte: float | None = None
    first_fragment: float | None = None
    end: float | None = None
    _start: float = 0.0

    def take(self, event: events.Event) -> None:
        """Take the next event, which came just now."""
        elapsed = self.clock.now() - self._start
        match event:
            case events.MessageStarted():
                self._start = self.clock.now()
            case events.Received(data=data, parts=parts):
                if data and self.first_byte is None:
                    self.first_byte = elapsed
                if self.first_fragment is None and any(isinstance(one, _SEEN) for one in parts):
                    self.first_fragment = elapsed
            case events.Done():
                self.end = elapsed
            case _:
                pass


async def speakers(sessions: Sequence[Session]) -> list[Provider]:
    """The chosen provider of each session, ready, so that no time is measured that only our own
    start takes. Raises a `providers.catalogue.CatalogueError`."""
    providers = [await session.provider() for session in sessions]
    for provider in providers:
        try:
            await provider.transport.warm()
        except ConnectionFailed:
            continue  # its answer will say so: the others are compared all the same
    return providers


async def compare(session: Session, contenders: Sequence[Speaker], text: str, tell: Tell) -> None:
    """Ask all of them, and return once each has ended, however it did. `session` lends its tools
    and its diagnostics. Cancelled, it stops all."""
    agent = await asyncio.to_thread(lambda: session.agent)
    async with asyncio.TaskGroup() as group:
        for place, speaker in enumerate(contenders):
            group.create_task(_answer(session, agent, speaker, text, partial(tell, place)))


async def _answer(session: Session, agent: Agent, speaker: Speaker, text: str, emit: Emit) -> None:
    asking = Asking(system=SYSTEM, choice=session.tool_choice)
    try:
        await agent.answer(Unkept(), text, speaker, emit, asking)
    except Exception as error:  # noqa: BLE001 - written down, and told as this one's failure
        reference = session.diagnostics.record(error, origin=speaker.origin)
        emit(events.Done(events.Ending.FAILED, None, reference))
