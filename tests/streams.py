"""Writers of streams, so that a test says what a server sends and not how it looks on the wire.

`chat_stream(call("f", a=1))` and `anthropic_stream(call("f", a=1))` are whole bodies; `chunks`,
`events` and `sse` write odder ones. `read` feeds a body to a dialect and collects the parts.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from providers.dialects import dialect
from providers.failures import FailureKind
from providers.gathering import Gathering
from providers.history import AssistantTurn, Origin
from providers.parts import CallBroken, CallCompleted, Part, Stopped, StreamFailed, TextDelta
from tools.call import JsonObject, ToolCall

PROVIDER = "somewhere"


@dataclass(frozen=True, slots=True)
class Called:
    """A call that a test's server sends."""

    name: str
    args: JsonObject
    call_id: str = ""

    @property
    def text(self) -> str:
        return json.dumps(self.args)


def call(name: str, call_id: str = "call_1", /, **args: object) -> Called:
    """A call with these arguments."""
    return Called(name, args, call_id)


def sse(payload: object, event: str = "", line_end: str = "\n") -> str:
    """One event; a text is sent as it is, everything else as JSON."""
    data = payload if isinstance(payload, str) else json.dumps(payload, separators=(",", ":"))
    lines = [f"event: {event}"] if event else []
    return line_end.join([*lines, f"data: {data}", "", ""])


def pieces_of(text: str, size: int) -> Iterator[str]:
    return (text[at : at + size] for at in range(0, len(text), size))


# Chat Completions


def chunk(delta: object = None, finish_reason: str | None = None, **more: object) -> JsonObject:
    """A chunk with one choice."""
    choice = {"index": 0, "delta": delta or {}, "finish_reason": finish_reason}
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion.chunk",
        "created": 1_700_000_000,
        "model": "some-model",
        "choices": [choice],
        **more,
    }


def fragment(
    arguments: object = None, *, index: int | None = 0, call_id: object = None, name: object = None
) -> JsonObject:
    """An entry of `tool_calls`; what is None is left out."""
    function = {"name": name, "arguments": arguments}
    entry = {"index": index, "id": call_id, "function": function}
    entry["function"] = {key: value for key, value in function.items() if value is not None}
    return {key: value for key, value in entry.items() if value is not None}


def calls(*entries: JsonObject) -> JsonObject:
    """A chunk with these entries of `tool_calls`."""
    return chunk({"tool_calls": list(entries)})


def chunks(*payloads: object, done: bool = True) -> bytes:
    """A body of these chunks, closed by `[DONE]`."""
    return "".join([*map(sse, payloads), sse("[DONE]") if done else ""]).encode()


def chat_stream(*said: str | Called, size: int = 4, finish_reason: str | None = None) -> bytes:
    """A whole answer of texts and calls, arguments in pieces of `size` characters."""
    payloads: list[JsonObject] = []
    place = 0
    for item in said:
        if isinstance(item, str):
            payloads.append(chunk({"content": item}))
            continue
        payloads.append(calls(fragment("", index=place, call_id=item.call_id, name=item.name)))
        payloads += [calls(fragment(piece, index=place)) for piece in pieces_of(item.text, size)]
        place += 1
    reason = finish_reason or ("tool_calls" if place else "stop")
    return chunks(*payloads, chunk(finish_reason=reason))


# Anthropic Messages


def message_start(**usage: int) -> JsonObject:
    message = {"id": "msg_1", "role": "assistant", "content": [], "usage": usage}
    return {"type": "message_start", "message": message}


def block_start(index: int, **block: object) -> JsonObject:
    return {"type": "content_block_start", "index": index, "content_block": block}


def block_delta(index: int, kind: str, **delta: object) -> JsonObject:
    return {"type": "content_block_delta", "index": index, "delta": {"type": kind, **delta}}


def block_stop(index: int) -> JsonObject:
    return {"type": "content_block_stop", "index": index}


def message_delta(stop_reason: str | None, **usage: int) -> JsonObject:
    delta = {"stop_reason": stop_reason, "stop_sequence": None}
    return {"type": "message_delta", "delta": delta, "usage": usage}


MESSAGE_STOP: JsonObject = {"type": "message_stop"}


def text_block(index: int, text: str) -> list[JsonObject]:
    return [
        block_start(index, type="text", text=""),
        block_delta(index, "text_delta", text=text),
        block_stop(index),
    ]


def tool_block(index: int, called: Called, *pieces: str) -> list[JsonObject]:
    """A block of type `tool_use`, whose input comes in these pieces."""
    start = block_start(index, type="tool_use", id=called.call_id, name=called.name, input={})
    deltas = [block_delta(index, "input_json_delta", partial_json=piece) for piece in pieces]
    return [start, *deltas, block_stop(index)]


def events(*payloads: JsonObject) -> bytes:
    """A body of events named by their own type."""
    return "".join(sse(payload, str(payload["type"])) for payload in payloads).encode()


def message(*blocks: list[JsonObject], stop_reason: str | None = "end_turn") -> bytes:
    """A whole message of these blocks."""
    inner = [event for block in blocks for event in block]
    return events(message_start(), *inner, message_delta(stop_reason), MESSAGE_STOP)


def anthropic_stream(*said: str | Called, size: int = 4) -> bytes:
    """A whole answer of texts and calls, arguments in pieces of `size` characters."""
    blocks = [
        text_block(index, item)
        if isinstance(item, str)
        else tool_block(index, item, "", *pieces_of(item.text, size))
        for index, item in enumerate(said)
    ]
    called = any(isinstance(item, Called) for item in said)
    return message(*blocks, stop_reason="tool_use" if called else "end_turn")


# Reading


@dataclass(slots=True)
class Read:
    """What a dialect made of a body."""

    parts: list[Part]
    turn: AssistantTurn | None
    made_ids: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "".join(part.text for part in self.parts if isinstance(part, TextDelta))

    @property
    def calls(self) -> list[ToolCall]:
        return [part.call for part in self.parts if isinstance(part, CallCompleted)]

    @property
    def plain_calls(self) -> list[tuple[str, JsonObject]]:
        return [(part.name, part.args) for part in self.calls]

    @property
    def broken(self) -> list[CallBroken]:
        return [part for part in self.parts if isinstance(part, CallBroken)]

    @property
    def stopped(self) -> Stopped:
        last = self.parts[-1]
        assert isinstance(last, Stopped), last
        return last

    @property
    def failure(self) -> FailureKind:
        last = self.parts[-1]
        assert isinstance(last, StreamFailed), last
        return last.failure.kind


def cut_every(data: bytes, size: int) -> Iterable[bytes]:
    return (data[at : at + size] for at in range(0, len(data), size))


def read(
    dialect_id: str,
    body: bytes | Sequence[bytes],
    *,
    model: str = "some-model",
    event_limit: int = 1 << 20,
) -> Read:
    """Feed a body, whole or in the given reads, and collect what it says."""
    made: list[str] = []

    def new_id() -> str:
        made.append(f"made_{len(made)}")
        return made[-1]

    decoder = dialect(dialect_id).decoder(provider=PROVIDER, new_id=new_id, event_limit=event_limit)
    parts: list[Part] = []
    for data in [body] if isinstance(body, bytes) else body:
        parts += decoder.feed(data)
    parts += decoder.end()
    gathering = Gathering(Origin(PROVIDER, dialect_id, model))
    gathering.add(parts)
    return Read(parts, gathering.turn() if gathering.stopped is not None else None, made)


# OpenAI Responses


def item(event: str, index: int, kind: str, **fields: object) -> JsonObject:
    """`response.output_item.added` or `.done`, with an item of this type."""
    told = {"type": kind, "id": f"{kind}_{index}", **fields}
    return {"type": f"response.output_item.{event}", "output_index": index, "item": told}


def delta(kind: str, index: int, text: str) -> JsonObject:
    """`response.<kind>.delta` of the item at that place."""
    return {"type": f"response.{kind}.delta", "output_index": index, "delta": text}


def response_end(status: str = "completed", **fields: object) -> JsonObject:
    return {"type": f"response.{status}", "response": {"status": status, **fields}}


def message_item(text: str) -> JsonObject:
    return {
        "type": "message",
        "role": "assistant",
        "content": [{"type": "output_text", "text": text}],
    }


def call_events(index: int, called: Called, *pieces: str, **fields: object) -> list[JsonObject]:
    """A call from its first event to its last; `fields` are added to the done item."""
    told = {"call_id": called.call_id, "name": called.name}
    whole = {**told, "arguments": called.text, "status": "completed", **fields}
    return [
        item("added", index, "function_call", **told, arguments=""),
        *(delta("function_call_arguments", index, piece) for piece in pieces),
        item("done", index, "function_call", **whole),
    ]


def responses_stream(*said: str | Called, size: int = 4) -> bytes:
    """A whole answer of texts and calls, each an output item of its own."""
    told: list[JsonObject] = []
    for index, each in enumerate(said):
        if isinstance(each, Called):
            told += call_events(index, each, *pieces_of(each.text, size))
            continue
        told.append(item("added", index, "message"))
        told += [delta("output_text", index, piece) for piece in pieces_of(each, size)]
        told.append(item("done", index, "message", **message_item(each)))
    return events(*told, response_end())


# Gemini


def gemini_event(*parts: JsonObject, finish: str = "", **fields: object) -> JsonObject:
    """One answer object with these parts."""
    candidate: JsonObject = {"content": {"role": "model", "parts": list(parts)}, "index": 0}
    if finish:
        candidate["finishReason"] = finish
    return {"candidates": [candidate], **fields}


def function_call(name: str = "", /, **fields: object) -> JsonObject:
    return {"functionCall": {**({"name": name} if name else {}), **fields}}


def partial(path: str, **value: object) -> JsonObject:
    """A part that sets one argument of an open call."""
    return function_call(partialArgs=[{"jsonPath": path, **value}], willContinue=True)


def gemini_body(*payloads: object) -> bytes:
    return "".join(sse(payload, line_end="\r\n") for payload in payloads).encode()


def gemini_stream(*said: str | Called, finish: str = "STOP") -> bytes:
    """A whole answer of texts and calls, each in an event of its own."""
    parts = [
        function_call(each.name, args=each.args) if isinstance(each, Called) else {"text": each}
        for each in said
    ]
    return gemini_body(*map(gemini_event, parts), gemini_event(finish=finish))
