"""How does Gemini's server write an answer: as CRLF-framed chunks, and as one object?

A call comes whole, in one part, but for models that stream its arguments (`pieces`). Newer models
(`Model.signs`) give it an id and sign the first.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from providers.simulator.frames import Frame, FrameKind, plain_event, to_json
from providers.simulator.gemini.pieces import call_pieces
from providers.simulator.reply import Ask, Delivery
from providers.simulator.seals import seal
from tools.call import JsonObject


def call_signature(name: str) -> str:
    """The thought signature of a call of this name."""
    return seal(f"call {name}")


def frames(delivery: Delivery) -> Iterator[Frame]:
    """The chunks; the last one has the finish reason and there is no `[DONE]`."""
    response_id = delivery.dice.id("", 23)
    for kind, part in _streamed(delivery):
        chunk = _chunk(delivery, response_id, [part])
        yield plain_event(kind, to_json(chunk), b"\r\n")
    ending = _chunk(delivery, response_id, _closing_parts(delivery), finished=True)
    yield plain_event(FrameKind.END, to_json(ending), b"\r\n")


def whole(delivery: Delivery) -> JsonObject:
    """The object that `:generateContent` gives."""
    parts = _joined([part for _, part in _parts(delivery)])
    return _chunk(delivery, delivery.dice.id("", 23), parts, finished=True)


def _streamed(delivery: Delivery) -> Iterator[tuple[FrameKind, JsonObject]]:
    """The parts as this model streams them; those with arguments in pieces sign the first."""
    for kind, part in _parts(delivery):
        call = part.get("functionCall")
        if not delivery.model.partial_args or call is None or not isinstance(call["args"], dict):
            yield kind, part
            continue
        for place, piece in enumerate(call_pieces(call, delivery.dice)):
            beside = {} if place else {**part}
            yield kind, {**beside, "functionCall": piece}


def _parts(delivery: Delivery) -> Iterator[tuple[FrameKind, JsonObject]]:
    for piece in delivery.dice.words(delivery.reply.reasoning):
        yield FrameKind.TEXT, {"text": piece, "thought": True}
    signed = not delivery.model.signs
    for item in delivery.reply.items:
        if isinstance(item, Ask):
            if item.cut:
                continue  # a call comes whole or not at all
            yield FrameKind.ARGUMENTS, _call(delivery, item, sign=not signed)
            signed = True
        else:
            for piece in delivery.dice.words(item):
                yield FrameKind.TEXT, {"text": piece}


def _call(delivery: Delivery, ask: Ask, *, sign: bool) -> JsonObject:
    call: JsonObject = {"name": ask.name, "args": _args(ask.arguments)}
    if delivery.model.signs:
        call["id"] = delivery.call_id("", 8).lower()
    if not sign:
        return {"functionCall": call}
    return {"functionCall": call, "thoughtSignature": call_signature(ask.name)}


def _args(arguments: str) -> JsonObject | str:
    """An object, as Google sends it; broken JSON goes out as text, as some gateways do."""
    try:
        value = json.loads(arguments)
    except ValueError:
        return arguments
    return value if isinstance(value, dict) else arguments


def _closing_parts(delivery: Delivery) -> list[JsonObject]:
    if delivery.model.signs and not delivery.reply.calls:
        said = "".join(item for item in delivery.reply.items if isinstance(item, str))
        return [{"text": "", "thoughtSignature": seal(said)}]
    return [{"text": ""}]


def _joined(parts: list[JsonObject]) -> list[JsonObject]:
    """Neighbouring texts of the same kind as one part."""
    joined: list[JsonObject] = []
    for part in parts:
        before = joined[-1] if joined else {}
        if "text" in part and "text" in before and part.get("thought") == before.get("thought"):
            joined[-1] = {**before, "text": before["text"] + part["text"]}
        else:
            joined.append(part)
    return joined


def _chunk(
    delivery: Delivery, response_id: str, parts: list[JsonObject], *, finished: bool = False
) -> JsonObject:
    candidate: JsonObject = {"content": {"parts": parts, "role": "model"}, "index": 0}
    if finished:
        candidate["finishReason"] = "MAX_TOKENS" if delivery.reply.cut else "STOP"
    tokens = delivery.tokens
    usage = {
        "promptTokenCount": tokens.input,
        "candidatesTokenCount": tokens.output - tokens.reasoning,
        "totalTokenCount": tokens.total,
    }
    if tokens.reasoning:
        usage["thoughtsTokenCount"] = tokens.reasoning
    return {
        "candidates": [candidate],
        "usageMetadata": usage,
        "modelVersion": delivery.model.name,
        "responseId": response_id,
    }
