"""Google Gemini: how a request is written, and what its events say.

Each event is a whole answer with the next parts. Calls have no id (a few models send one), so
calls and results are paired by place. A signature stands beside what it signs and goes back there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import quote

from providers.assembly import Assembly, OpenCall
from providers.call_ids import WORDS_OF_64, Answered, answered, arguments, safe_name, written_by
from providers.decoding import StreamDecoder
from providers.dialects import EVENT_LIMIT, Decoder, Encoded, NewId
from providers.failures import Failure, FailureKind, When, blocked, cut, failure_of_event
from providers.history import AssistantTurn, UserTurn
from providers.json_text import mend
from providers.partial_arguments import PartialArguments
from providers.parts import (
    CallBroken,
    CallFragment,
    Part,
    ReasoningDelta,
    Span,
    Stop,
    Stopped,
    StreamFailed,
    TextDelta,
    Usage,
    UsageReported,
)
from providers.request import Choose, OneTool, Request, ToolChoice, ToolSpec
from providers.results import error_object, json_line
from providers.shapes import count_in, object_in, objects_in, text_in
from tools.call import BrokenCall, JsonObject, ToolCall, ToolResult

# Gemini 2.5 and older want no signature; the newest are also reached as `gemini-flash-latest`.
_WANTS_SIGNATURES = re.compile(r"gemini-([3-9]|\d\d)|gemini-.*-latest")
_NO_SIGNATURE = "skip_thought_signature_validator"
"""What Google documents for calls that another model wrote."""


class Gemini:
    """The dialect. Pure; one object serves everyone."""

    id = "gemini"
    envelope = "functionCall"
    return_address = "functionResponse.name"

    def encode(self, request: Request) -> Encoded:
        model = request.model if "/" in request.model else f"models/{request.model}"
        action = "streamGenerateContent?alt=sse" if request.stream else "generateContent"
        headers = {} if request.stream else {"accept": "application/json"}
        return Encoded(f"/v1beta/{quote(model)}:{action}", headers, _body(request))

    def authorize(self, key: str) -> tuple[str, str]:
        return "x-goog-api-key", key

    def decoder(self, *, provider: str, new_id: NewId, event_limit: int = EVENT_LIMIT) -> Decoder:
        return StreamDecoder(_Reader(provider, new_id), self.id, event_limit)


DIALECT = Gemini()


# ---------------------------------------------------------------------------- writing


def _body(request: Request) -> JsonObject:
    body: JsonObject = {"contents": _contents(request)}
    if request.system:
        body["systemInstruction"] = {"parts": [{"text": request.system}]}
    if request.tools:
        body["tools"] = [{"functionDeclarations": [_declaration(spec) for spec in request.tools]}]
        body["toolConfig"] = {"functionCallingConfig": _choice(request.choice)}
    generation: JsonObject = {}
    if request.max_output_tokens is not None:
        generation["maxOutputTokens"] = request.max_output_tokens
    if request.temperature is not None:
        generation["temperature"] = request.temperature
    if generation:
        body["generationConfig"] = generation
    return body | request.extra


def _declaration(spec: ToolSpec) -> JsonObject:
    return {
        "name": spec.name,
        "description": spec.description,
        "parametersJsonSchema": spec.parameters,
    }


def _choice(choice: ToolChoice) -> JsonObject:
    match choice:
        case OneTool(name=name):
            return {"mode": "ANY", "allowedFunctionNames": [name]}
        case Choose():
            return {"mode": _MODES[choice]}


_MODES: Mapping[Choose, str] = {
    Choose.AUTO: "AUTO",
    Choose.REQUIRED: "ANY",
    Choose.NONE: "NONE",
}


def _contents(request: Request) -> list[JsonObject]:
    """Whose turn it is alternates: what one side says twice in a row is one content."""
    own = written_by(DIALECT.id, request.model, lambda parts: len(_calls_in(parts)))
    contents: list[JsonObject] = []
    for told in answered(request.history, own, WORDS_OF_64):
        match told:
            case UserTurn(text=text):
                _say(contents, "user", [{"text": text}] if text else [])
            case Answered():
                signed = _WANTS_SIGNATURES.search(request.model) is not None
                _say(contents, "model", told.turn.native if told.own else _anew(told.turn, signed))
                _say(contents, "user", list(_responses(told)))
    return contents


def _say(contents: list[JsonObject], role: str, parts: Sequence[JsonObject]) -> None:
    if not parts:
        return
    if contents and contents[-1]["role"] == role:
        contents[-1]["parts"].extend(parts)
    else:
        contents.append({"role": role, "parts": list(parts)})


def _calls_in(parts: Sequence[JsonObject]) -> list[JsonObject]:
    return [object_in(part, "functionCall") for part in parts if "functionCall" in part]


def _anew(turn: AssistantTurn, signed: bool) -> list[JsonObject]:
    parts: list[JsonObject] = []
    for item in turn.items:
        match item:
            case "":
                pass
            case str():
                parts.append({"text": item})
            case ToolCall() | BrokenCall():
                part: JsonObject = {
                    "functionCall": {"name": safe_name(item.name), "args": arguments(item)}
                }
                if signed and not _calls_in(parts):
                    part["thoughtSignature"] = _NO_SIGNATURE
                parts.append(part)
    return parts


def _responses(told: Answered) -> Iterator[JsonObject]:
    """One for each call, in the calls' order; with an id only where Gemini itself gave one."""
    sent = _calls_in(told.turn.native) if told.own else [{} for _ in told.turn.calls]
    for wire, (_, call, result) in zip(sent, told.pairs, strict=True):
        response: JsonObject = {
            "name": text_in(wire, "name") or safe_name(call.name),
            "response": _response(result),
        }
        if call_id := text_in(wire, "id"):
            response = {"id": call_id, **response}
        yield {"functionResponse": response}


def _response(result: ToolResult) -> JsonObject:
    if result.error is not None:
        return {"error": error_object(result.error)}
    return {"output": result.output}


# ---------------------------------------------------------------------------- reading


@dataclass(slots=True)
class _GrowingCall:
    """A call whose arguments come as `partialArgs`, and the part that a replay needs."""

    call: OpenCall
    part: JsonObject
    partial: PartialArguments = field(default_factory=PartialArguments)


class _Reader:
    """The events of one answer, as parts."""

    def __init__(self, provider: str, new_id: NewId) -> None:
        self._assembly = Assembly(provider, new_id)
        self._new_id = new_id
        self._native: list[JsonObject] = []
        self._growing: _GrowingCall | None = None
        self._abandoned = False
        self._called = False
        self._reason = ""
        self._message = ""

    @property
    def finished(self) -> bool:
        return bool(self._reason)

    @property
    def complete(self) -> bool:
        return bool(self._reason)

    def read(self, event: JsonObject, span: Span) -> list[Part]:
        if event.get("error"):
            return [StreamFailed(failure_of_event(DIALECT.id, event), span)]
        parts: list[Part] = []
        for candidate in objects_in(event, "candidates")[:1]:
            for wire in objects_in(object_in(candidate, "content"), "parts"):
                parts += self._read_part(wire, span)
            self._reason = mend(text_in(candidate, "finishReason")) or self._reason
            self._message = mend(text_in(candidate, "finishMessage")) or self._message
        if usage := object_in(event, "usageMetadata"):
            parts.append(UsageReported(_usage(usage), span))
        feedback = object_in(event, "promptFeedback")
        if (reason := mend(text_in(feedback, "blockReason"))) and not self._reason:
            self._reason = reason
            message = mend(text_in(feedback, "blockReasonMessage"))
            parts.append(StreamFailed(blocked(reason, message), span))
        return parts

    def read_done(self, span: Span) -> list[Part]:
        """Gemini sends no `[DONE]`; a gateway that does tells nothing by it."""
        return []

    def read_whole(self, answer: JsonObject, span: Span) -> list[Part]:
        return self.read(answer, span)

    def finish(self, span: Span) -> list[Part]:
        stop = _STOPS.get(self._reason, Stop.OTHER)
        if self._reason in _FAILED_CALLS:
            return [StreamFailed(_failed_call(self._reason, self._message), span)]
        if stop is Stop.END and (self._growing or self._abandoned):
            return [StreamFailed(cut("a call was begun and never closed"), span)]
        if stop is Stop.END and self._called:
            stop = Stop.CALLS
        return [Stopped(stop, self._reason, tuple(self._native), span)]

    def _read_part(self, wire: JsonObject, span: Span) -> list[Part]:
        if isinstance(wire.get("functionCall"), dict):
            return self._read_call(wire, object_in(wire, "functionCall"), span)
        text = text_in(wire, "text")
        if text or wire.keys() - {"text", "thought"}:
            self._native.append(wire)
        if not text:
            return []
        return [ReasoningDelta(text, span) if wire.get("thought") else TextDelta(text, span)]

    def _read_call(self, wire: JsonObject, call: JsonObject, span: Span) -> list[Part]:
        name = text_in(call, "name")
        if not name:
            return self._grow(self._growing, call, span) if self._growing else []
        self._abandoned = self._abandoned or self._growing is not None
        self._growing = None
        opened, started = self._assembly.open(name, text_in(call, "id"), span)
        if call.get("willContinue") is True or "partialArgs" in call:
            self._growing = _GrowingCall(opened, wire)
            return [started, *self._grow(self._growing, call, span)]
        return [started, *self._read_arguments(opened, wire, call, span)]

    def _read_arguments(
        self, opened: OpenCall, wire: JsonObject, call: JsonObject, span: Span
    ) -> list[Part]:
        """Arguments that came whole: an object, or from some gateways its JSON text."""
        args = call.get("args")
        text = args if isinstance(args, str) else json_line({} if args is None else args)
        fragment = opened.add(text, span)
        closed = self._close(opened, span)
        if isinstance(closed, CallBroken):
            # Gemini takes nothing but an object back.
            broken = BrokenCall(closed.name, text, closed.reason, "", closed.call_id)
            wire = {**wire, "functionCall": {**call, "args": arguments(broken)}}
        self._native.append(wire)
        return [fragment, closed]

    def _grow(self, growing: _GrowingCall, call: JsonObject, span: Span) -> list[Part]:
        pieces = call.get("partialArgs")
        texts = [growing.partial.add(piece) for piece in pieces] if isinstance(pieces, list) else []
        ended = call.get("willContinue") is not True
        if ended:
            texts.append(growing.partial.close())
        parts: list[Part] = [CallFragment(growing.call.key, text, span) for text in texts if text]
        if not ended:
            return parts
        self._growing = None
        whole = {**object_in(growing.part, "functionCall"), "args": growing.partial.arguments}
        for name in ("willContinue", "partialArgs"):
            whole.pop(name, None)
        self._native.append({**growing.part, "functionCall": whole})
        if growing.partial.problem:
            return [*parts, self._broken(growing, span)]
        growing.call.given = growing.partial.arguments
        return [*parts, self._close(growing.call, span)]

    def _close(self, opened: OpenCall, span: Span) -> Part:
        self._called = True
        closed = self._assembly.close(opened, span)
        assert closed is not None, "only a call that may have been cut gives nothing"
        return closed

    def _broken(self, growing: _GrowingCall, span: Span) -> Part:
        self._called = True
        call, partial = growing.call, growing.partial
        call_id = call.call_id or self._new_id()
        return CallBroken(call.key, call.name, call_id, partial.raw, partial.problem, span)


_STOPS: Mapping[str, Stop] = {
    "STOP": Stop.END,
    "MAX_TOKENS": Stop.LENGTH,
    "SAFETY": Stop.FILTERED,
    "RECITATION": Stop.FILTERED,
    "BLOCKLIST": Stop.FILTERED,
    "PROHIBITED_CONTENT": Stop.FILTERED,
    "SPII": Stop.FILTERED,
    "IMAGE_SAFETY": Stop.FILTERED,
    "IMAGE_PROHIBITED_CONTENT": Stop.FILTERED,
    "IMAGE_RECITATION": Stop.FILTERED,
}

# The model tried a call and failed: no call is in the answer, and another try may well give one.
_FAILED_CALLS = frozenset({"MALFORMED_FUNCTION_CALL"})


def _failed_call(reason: str, message: str) -> Failure:
    return Failure(
        FailureKind.PROTOCOL, transient=True, when=When.INSIDE, code=reason, message=message
    )


def _usage(told: JsonObject) -> Usage:
    return Usage(
        input=count_in(told, "promptTokenCount"),
        output=count_in(told, "candidatesTokenCount"),
        cached=count_in(told, "cachedContentTokenCount"),
        reasoning=count_in(told, "thoughtsTokenCount"),
        raw=told,
    )
