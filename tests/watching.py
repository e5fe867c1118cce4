"""A client by hand for the tests of the verdict: it says what it is told to say, right or wrong."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from providers.dialects import dialect
from providers.exchange import Handler
from providers.parts import CallCompleted, CallStarted, Part, Stopped
from providers.simulator import Simulator
from providers.simulator.verdict import Rule, Watch
from tests.scripted import HeldClock
from tests.simulating import LOOKUP, post, question
from tools.call import JsonObject

BOTH = "my height and weight"
THINKING = {
    "openai-responses": "vitral-sim-thinking",
    "openai-chat": "vitral-sim-thinking",
    "anthropic": "vitral-sim-thinking",
    "gemini": "gemini-3-sim-thinking",
}

Call: TypeAlias = tuple[str, str, JsonObject]
"""Id, name and arguments; Gemini's go by their names."""


@dataclass(frozen=True, slots=True)
class Heard:
    """An answer: its status, the calls that it began, and its own items if it ended."""

    status: int
    calls: tuple[Call, ...]
    items: tuple[JsonObject, ...]


@dataclass
class Watched:
    """A server under watch, whose time passes only when a test says so."""

    server: Handler
    held: HeldClock = field(default_factory=HeldClock)
    watch: Watch = field(init=False)

    def __post_init__(self) -> None:
        self.watch = Watch(self.server, clock=lambda: self.held.time)

    @classmethod
    def simulator(cls, fault: str | None = None, times: int | None = None) -> Watched:
        return cls(Simulator(speed=0, fault=fault, fault_times=times).handle)

    @property
    def rules(self) -> list[Rule]:
        """The rules that were broken."""
        return [finding.rule for finding in self.watch.verdict.findings]


@dataclass
class Client:
    """Speaks one dialect to a watched server; `body` is its conversation so far."""

    server: Watched
    dialect: str
    model: str = ""
    key: str = "sk-one"
    body: JsonObject = field(init=False)

    def __post_init__(self) -> None:
        self.model = self.model or THINKING[self.dialect]
        self.body = question(self.dialect, BOTH, LOOKUP, model=self.model)
        if self.dialect == "openai-responses":
            self.body["input"] = [{"role": "user", "content": self.body["input"]}]

    async def send(self) -> Heard:
        """The conversation as it stands; what came back."""
        headers = {"x-api-key": self.key}
        request = post(self.dialect, self.body, model=self.model, headers=headers)
        try:
            response = await self.server.watch.handle(request)
        except OSError:
            return Heard(0, (), ())
        status, reads = response.status, [data async for data in _until_broken(response.body)]
        return self._heard(reads) if status == 200 else Heard(status, (), ())

    async def again(self, times: int = 1, after: float = 0.0) -> None:
        """The same, so many times more, each after so many seconds."""
        for _ in range(times):
            self.server.held.time += after
            await self.send()

    def keep(self, items: Iterable[JsonObject]) -> None:
        """Add a turn of the model's, in its own items, to the conversation."""
        said = list(items)
        match self.dialect:
            case "openai-responses":
                self._add("input", *said)
            case "openai-chat":
                self._add("messages", *said)
            case "anthropic":
                self._add("messages", {"role": "assistant", "content": said})
            case _:
                self._add("contents", {"role": "model", "parts": said})

    def give(self, calls: Sequence[Call], *, failed: bool = False) -> None:
        """Add results of these calls to the conversation."""
        said = '{"error": "cancelled"}' if failed else "170 cm"
        match self.dialect:
            case "openai-responses":
                kind = "function_call_output"
                self._add(
                    "input", *({"type": kind, "call_id": i, "output": said} for i, *_ in calls)
                )
            case "openai-chat":
                results = [{"role": "tool", "tool_call_id": i, "content": said} for i, *_ in calls]
                self._add("messages", *results)
            case "anthropic":
                result = {"type": "tool_result", "content": said, "is_error": failed}
                blocks = [{**result, "tool_use_id": i} for i, *_ in calls]
                self._add("messages", {"role": "user", "content": blocks})
            case _:
                parts = [_response(call_id, name, said, failed) for call_id, name, _ in calls]
                self._add("contents", {"role": "user", "parts": parts})

    def say(self, text: str) -> None:
        """Add words of the person's to the conversation."""
        if self.dialect == "gemini":
            self._add("contents", {"role": "user", "parts": [{"text": text}]})
        else:
            name = "input" if self.dialect == "openai-responses" else "messages"
            self._add(name, {"role": "user", "content": text})

    def bare(self, calls: Sequence[Call]) -> list[JsonObject]:
        """A turn of nothing but these calls, as a client writes it that keeps nothing else."""
        match self.dialect:
            case "openai-responses":
                return [
                    {"type": "function_call", "call_id": i, "name": n, "arguments": json.dumps(a)}
                    for i, n, a in calls
                ]
            case "openai-chat":
                made = [
                    {
                        "id": i,
                        "type": "function",
                        "function": {"name": n, "arguments": json.dumps(a)},
                    }
                    for i, n, a in calls
                ]
                return [{"role": "assistant", "content": None, "tool_calls": made}]
            case "anthropic":
                return [{"type": "tool_use", "id": i, "name": n, "input": a} for i, n, a in calls]
            case _:
                return [
                    {"functionCall": {"name": n, "args": a} | ({"id": i} if i else {})}
                    for i, n, a in calls
                ]

    def _add(self, name: str, *more: JsonObject) -> None:
        self.body = {**self.body, name: [*self.body[name], *more]}

    def _heard(self, reads: Iterable[bytes]) -> Heard:
        decoder = dialect(self.dialect).decoder(provider="", new_id=lambda: "")
        parts = [part for data in reads for part in decoder.feed(data)] + decoder.end()
        last = parts[-1]
        items = last.native if isinstance(last, Stopped) else ()
        return Heard(200, _calls(parts), items)


class WatchedSimulator(Simulator):
    """A simulator that stands behind a watch, for an agent that wants one."""

    def __init__(self, held: HeldClock, fault: str | None = None, times: int | None = None) -> None:
        super().__init__(speed=0, fault=fault, fault_times=times)
        self.watch = Watch(super().handle, clock=lambda: held.time)
        self.handle = self.watch.handle  # type: ignore[method-assign] # the watch stands before it


async def _until_broken(body: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    try:
        async for data in body:
            yield data
    except OSError:
        return


def _calls(parts: Iterable[Part]) -> tuple[Call, ...]:
    """The calls that were begun; the arguments of one that was cut are what a client guesses."""
    calls: dict[int, Call] = {}
    for part in parts:
        match part:
            case CallStarted(key=key, name=name, call_id=call_id):
                calls[key] = (call_id, name, {"key": "height"})
            case CallCompleted(key=key, call=call):
                calls[key] = (call.call_id, call.name, call.args)
            case _:
                pass
    return tuple(calls.values())


def _response(call_id: str, name: str, said: str, failed: bool) -> JsonObject:
    named = {"id": call_id} if call_id else {}
    outcome = {"error" if failed else "output": said}
    return {"functionResponse": {"name": name, "response": outcome, **named}}


__all__ = ["BOTH", "THINKING", "Call", "Client", "Heard", "Watched", "WatchedSimulator"]
