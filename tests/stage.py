"""A session for the screen's tests: it tells a script instead of asking a provider."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from app import events
from app.attempts import Emit
from app.choice import Choice
from app.messages import Messages
from app.places import Places, find_places
from app.session import Session
from app.settings import Settings
from providers.dialects import dialect
from providers.failures import Failure, FailureKind
from providers.history import AssistantTurn, Origin, Turn, UserTurn
from providers.parts import (
    CallCompleted,
    CallFragment,
    CallStarted,
    Part,
    ReasoningDelta,
    Stop,
    TextDelta,
    Usage,
)
from tools.call import ToolCall, ToolResult

ORIGIN = Origin("simulator", "anthropic", "vitral-sim")
CUT = Failure(FailureKind.CUT, transient=True)


class Script:
    """What a scripted session will tell: events put here are told as soon as they come."""

    def __init__(self) -> None:
        self._events: asyncio.Queue[events.Event | None] = asyncio.Queue()
        self.stopped = False

    def tell(self, *told: events.Event) -> None:
        for event in told:
            self._events.put_nowait(event)

    @property
    def told(self) -> bool:
        """Whether all that was put here has been told."""
        return self._events.empty()

    def end(self, done: events.Done | None = None) -> None:
        self.tell(done or events.Done(events.Ending.ANSWERED))
        self._events.put_nowait(None)

    async def __aiter__(self) -> AsyncIterator[events.Event]:
        while (event := await self._events.get()) is not None:
            yield event


@dataclass
class ScriptedSession(Session):
    """Answers every message with `script`; `turns` is its history."""

    script: Script = field(default_factory=Script)
    turns: list[Turn] = field(default_factory=list)
    sent: list[str | None] = field(default_factory=list)

    @property
    def history(self) -> tuple[Turn, ...]:
        return tuple(self.turns)

    @property
    def title(self) -> str:
        return self.sent[0] or "" if self.sent else ""

    async def send(self, text: str | None, emit: Emit) -> events.Done:
        self.sent.append(text)
        if text is not None:
            self.turns.append(UserTurn(text))
            emit(events.MessageStarted(text))
        told: events.Event = events.Done(events.Ending.ANSWERED)
        try:
            async for told in self.script:
                emit(told)
        except asyncio.CancelledError:
            self.script.stopped = True
            emit(events.Done(events.Ending.STOPPED))
            raise
        return told if isinstance(told, events.Done) else events.Done(events.Ending.ANSWERED)


def scripted(home: Path, turns: Sequence[Turn] = (), *, language: str = "en") -> ScriptedSession:
    """A session in the folder `home` with these turns behind it."""
    places: Places = find_places({"VITRAL_HOME": str(home)})
    return ScriptedSession(
        places, Settings(), (), Messages(language), Choice(dialect="anthropic"), turns=list(turns)
    )


def opening() -> list[events.Event]:
    """The first round and its first attempt."""
    spoken = dialect(ORIGIN.dialect)
    return [
        events.RoundStarted(1, ORIGIN, spoken.envelope, spoken.return_address),
        events.AttemptStarted(1, 3),
    ]


def received(*parts: Part) -> events.Received:
    """One read that completed these parts."""
    return events.Received(b"", parts)


def says(text: str) -> events.Received:
    return received(TextDelta(text))


def thinks(text: str) -> events.Received:
    return received(ReasoningDelta(text))


def opens_call(key: int, name: str, *fragments: str) -> events.Received:
    """A call that is still open."""
    pieces = [CallFragment(key, text) for text in fragments]
    return received(CallStarted(key, name, f"call_{key}"), *pieces)


def closes_call(place: int, name: str, **args: object) -> events.Received:
    call = ToolCall(name, args, ORIGIN.provider, f"call_{place}")
    return received(CallCompleted(place, call))


def answer(*items: str | ToolCall, stop: Stop = Stop.END) -> AssistantTurn:
    return AssistantTurn(tuple(items), ORIGIN, stop=stop)


def ended(*items: str | ToolCall, stop: Stop = Stop.END) -> events.AnswerEnded:
    return events.AnswerEnded(answer(*items, stop=stop), Usage(input=412, output=38))


def answered(place: int, name: str, output: object) -> events.CallAnswered:
    return events.CallAnswered(place, ToolResult(f"call_{place}", name, output))


def long_chat(turns: int, words: int = 60) -> list[Turn]:
    """A history of many questions and answers, each recognizable by its number."""
    history: list[Turn] = []
    for number in range(turns):
        history.append(UserTurn(f"question {number}"))
        body = " ".join(f"w{number}_{place}" for place in range(words))
        history.append(answer(f"## answer {number}\n\n{body}\n\n- one\n- two\n"))
    return history
