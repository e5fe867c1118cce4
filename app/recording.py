"""What is kept of a message besides its turns: each result at once, the wire, and the ending.

The agent keeps turns through this object as through the chat itself. Events are told on without
delay; what has to be stored of them is stored behind the stream's back, in their order.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from app import events
from app.attempts import Emit
from app.conversations import Chat
from app.pending import Pending
from app.storage.rows import CallSpans
from providers.history import AssistantTurn, Turn
from providers.parts import (
    CallBroken,
    CallCompleted,
    CallFragment,
    CallNamed,
    CallStarted,
    Part,
    Restarted,
    Span,
)
from tools.ledger import Scope


class ChatRecorder:
    """The agent's conversation while a message is on its way."""

    def __init__(self, chat: Chat) -> None:
        self._chat = chat
        self._wire = _Wire()
        self._to_store: asyncio.Queue[events.CallAnswered | events.Done | None] = asyncio.Queue()

    @property
    def history(self) -> tuple[Turn, ...]:
        return self._chat.history

    @property
    def scope(self) -> Scope | None:
        return self._chat.scope

    @property
    def pending(self) -> Pending | None:
        return self._chat.pending

    async def keep(self, turn: Turn) -> None:
        """Store the turn, and with an answer the body that it came from."""
        await self._chat.keep(turn)
        if isinstance(turn, AssistantTurn) and self._wire.body:
            await self._chat.keep_wire(bytes(self._wire.body), self._wire.spans)

    @asynccontextmanager
    async def recording(self, emit: Emit) -> AsyncIterator[Emit]:
        """Tells `emit` every event; on leaving, all that had to be stored is stored."""

        def tell(event: events.Event) -> None:
            self._take(event)
            emit(event)

        storing = asyncio.create_task(self._store())
        try:
            yield tell
        finally:
            self._to_store.put_nowait(None)
            await asyncio.shield(storing)

    def _take(self, event: events.Event) -> None:
        match event:
            case events.AttemptStarted():
                self._wire = _Wire()
            case events.Received(data=data, parts=parts):
                self._wire.add(data, parts)
            case events.CallAnswered() | events.Done():
                self._to_store.put_nowait(event)
            case _:
                pass

    async def _store(self) -> None:
        while event := await self._to_store.get():
            match event:
                case events.CallAnswered(place=place, result=result):
                    await self._chat.keep_result(place, result)
                case events.Done():
                    await self._chat.keep_ending(event)


class _Wire:
    """One attempt's body, and which of its events each call came from."""

    def __init__(self) -> None:
        self.body = bytearray()
        self._events: defaultdict[int, list[Span]] = defaultdict(list)
        self._whole: set[int] = set()

    @property
    def spans(self) -> CallSpans:
        """For each whole call, in the calls' order, the events that it came from."""
        return tuple(tuple(self._events[key]) for key in sorted(self._whole))

    def add(self, data: bytes, parts: tuple[Part, ...]) -> None:
        self.body += data
        for part in parts:
            match part:
                case CallStarted(key=key) | CallNamed(key=key) | CallFragment(key=key):
                    self._add_event(key, part.span)
                case CallCompleted(key=key) | CallBroken(key=key):
                    self._add_event(key, part.span)
                    self._whole.add(key)
                case Restarted():
                    self._events.clear()
                    self._whole.clear()
                case _:
                    pass

    def _add_event(self, key: int, span: Span) -> None:
        spans = self._events[key]
        if not spans or spans[-1] != span:
            spans.append(span)
