"""Small writers of the agent's events, for tests of everything that shows calls."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from app.events import (
    AnswerEnded,
    AttemptStarted,
    CallAnswered,
    CallRunning,
    Event,
    Received,
    RoundStarted,
)
from providers.history import AssistantTurn, Origin
from providers.parts import CallCompleted, CallFragment, CallStarted, Part, Span, Stop, Stopped
from tools.call import AnyCall, ToolCall, ToolResult

ORIGIN = Origin("anthropic", "anthropic", "claude-sonnet-5-5")
ROUND = RoundStarted(1, ORIGIN, "tool_use", "tool_result.tool_use_id")


def started(number: int = 1, origin: Origin = ORIGIN) -> list[Event]:
    """A round and its first attempt begin."""
    about = RoundStarted(number, origin, "tool_use", "tool_result.tool_use_id")
    return [about, AttemptStarted(1, 3)]


@dataclass(slots=True)
class Wire:
    """Writes Anthropic-like events and counts the bytes, so that spans are true."""

    at: int = 0
    calls: list[AnyCall] = field(default_factory=list)

    def event(self, name: str, data: object) -> tuple[bytes, Span]:
        body = f"event: {name}\ndata: {json.dumps(data)}\n\n".encode()
        span = (self.at, self.at + len(body))
        self.at += len(body)
        return body, span

    def start(self, key: int, name: str, call_id: str) -> Received:
        block = {"type": "tool_use", "id": call_id, "name": name}
        data = {"type": "content_block_start", "index": key, "content_block": block}
        body, span = self.event("content_block_start", data)
        return Received(body, (CallStarted(key, name, call_id, span),))

    def fragment(self, key: int, text: str) -> Received:
        delta = {"type": "input_json_delta", "partial_json": text}
        data = {"type": "content_block_delta", "index": key, "delta": delta}
        body, span = self.event("content_block_delta", data)
        return Received(body, (CallFragment(key, text, span),))

    def complete(self, key: int, call: ToolCall) -> Received:
        self.calls.append(call)
        body, span = self.event("content_block_stop", {"type": "content_block_stop", "index": key})
        return Received(body, (CallCompleted(key, call, span),))

    def part(self, part: Part) -> Received:
        return Received(b"", (part,))

    def end(self, stop: Stop = Stop.CALLS) -> list[Event]:
        turn = AssistantTurn(tuple(self.calls), ORIGIN, stop=stop)
        return [Received(b"", (Stopped(stop, "tool_use"),)), AnswerEnded(turn)]


def whole_call(
    wire: Wire, key: int, name: str, args: Mapping[str, object], *, size: int = 4, call_id: str = ""
) -> Iterator[Event]:
    """All events of one call whose arguments come in fragments of `size` characters."""
    call_id = call_id or f"toolu_{key:02}"
    yield wire.start(key, name, call_id)
    text = json.dumps(args, ensure_ascii=False)
    for at in range(0, len(text), size):
        yield wire.fragment(key, text[at : at + size])
    yield wire.complete(key, ToolCall(name, dict(args), ORIGIN.provider, call_id))


def answered(place: int, result: ToolResult) -> Iterable[Event]:
    """The call at `place` runs and has its result."""
    return (CallRunning(place), CallAnswered(place, result))
