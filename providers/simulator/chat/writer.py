"""How does a Chat Completions server write an answer: as chunks, and as one object?"""

from __future__ import annotations

from collections.abc import Iterator

from providers.simulator.frames import Frame, FrameKind, plain_event, to_json
from providers.simulator.quirks import NO_QUIRK, QUIRKS, Chunk, Chunks, Quirk
from providers.simulator.reply import Ask, Delivery
from tools.call import JsonObject

_CREATED = 1767225600


def frames(delivery: Delivery) -> Iterator[Frame]:
    """The chunks, in their order, up to `[DONE]`, as this model's server sends them."""
    for chunk in _quirk(delivery).chunks(_chunks(delivery)):
        data = b"[DONE]" if chunk.value is None else to_json(chunk.value)
        yield plain_event(chunk.kind, data)


def whole(delivery: Delivery) -> JsonObject:
    """The object that a request without `stream` gets."""
    reply = delivery.reply
    said = "".join(item for item in reply.items if isinstance(item, str))
    message: JsonObject = {"role": "assistant", "content": said or None, "refusal": None}
    if reply.reasoning:
        message["reasoning_content"] = reply.reasoning
    if reply.calls:
        asks = (item for item in reply.items if isinstance(item, Ask))
        calls = [_call(delivery, ask, ask.arguments) for ask in asks]
        for call in calls:
            _quirk(delivery).call(call)
        message["tool_calls"] = calls
    choice = {
        "index": 0,
        "message": message,
        "logprobs": None,
        "finish_reason": _finish_reason(delivery),
    }
    return {**_head(delivery, "chat.completion"), "choices": [choice], "usage": _usage(delivery)}


def _quirk(delivery: Delivery) -> Quirk:
    return QUIRKS.get(delivery.model.name, NO_QUIRK)


def _chunks(delivery: Delivery) -> Chunks:
    head = _head(delivery, "chat.completion.chunk")
    if delivery.conversation.usage_wanted:
        head["usage"] = None
    for kind, delta in _deltas(delivery):
        yield _chunk(head, kind, delta)
    yield _chunk(head, FrameKind.END, {}, _finish_reason(delivery))
    if delivery.conversation.usage_wanted:
        yield Chunk(FrameKind.END, {**head, "choices": [], "usage": _usage(delivery)})
    yield Chunk(FrameKind.END, None)


def _deltas(delivery: Delivery) -> Iterator[tuple[FrameKind, JsonObject]]:
    reply, dice = delivery.reply, delivery.dice
    opening = None if reply.calls else ""
    yield FrameKind.NOTE, {"role": "assistant", "content": opening, "refusal": None}
    for piece in dice.words(reply.reasoning):
        yield FrameKind.TEXT, {"reasoning_content": piece}
    index = 0
    for item in reply.items:
        if isinstance(item, str):
            for piece in dice.words(item):
                yield FrameKind.TEXT, {"content": piece}
            continue
        opened = {"index": index, **_call(delivery, item, "")}
        yield FrameKind.NOTE, {"tool_calls": [opened]}
        for piece in dice.crumbs(item.arguments):
            fragment = {"index": index, "function": {"arguments": piece}}
            yield FrameKind.ARGUMENTS, {"tool_calls": [fragment]}
        index += 1


def _call(delivery: Delivery, ask: Ask, arguments: str) -> JsonObject:
    return {
        "id": delivery.call_id("call_", 24),
        "type": "function",
        "function": {"name": ask.name, "arguments": arguments},
    }


def _chunk(
    head: JsonObject, kind: FrameKind, delta: JsonObject, finish_reason: str | None = None
) -> Chunk:
    choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish_reason}
    return Chunk(kind, {**head, "choices": [choice]})


def _head(delivery: Delivery, kind: str) -> JsonObject:
    return {
        "id": delivery.dice.id("chatcmpl-", 29),
        "object": kind,
        "created": _CREATED,
        "model": delivery.model.name,
        "service_tier": "default",
        "system_fingerprint": "fp_vitral_sim",
    }


def _finish_reason(delivery: Delivery) -> str:
    if delivery.reply.cut:
        return "length"
    return "tool_calls" if delivery.reply.calls else "stop"


def _usage(delivery: Delivery) -> JsonObject:
    tokens = delivery.tokens
    return {
        "prompt_tokens": tokens.input,
        "completion_tokens": tokens.output,
        "total_tokens": tokens.total,
        "prompt_tokens_details": {"cached_tokens": 0},
        "completion_tokens_details": {"reasoning_tokens": tokens.reasoning},
    }
