"""OpenAI Chat Completions, as its many servers speak it: requests out, chunks in.

Calls close at the end of the message: the format has no mark for each of them, and fragments are
seen even after the finish reason. Which call a fragment belongs to is for `chat_fragments`.
"""

from __future__ import annotations

import re

from providers.assembly import Assembly, OpenCall
from providers.call_ids import NINE_CHARACTERS, Answered, answered, arguments, safe_name, written_by
from providers.chat_fragments import ChatCalls
from providers.decoding import StreamDecoder
from providers.dialects import EVENT_LIMIT, Encoded, NewId
from providers.failures import failure_of_event
from providers.history import UserTurn
from providers.json_text import whole_text
from providers.parts import (
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
from providers.results import json_line, result_text
from providers.shapes import count_in, object_in, objects_in, text_in
from tools.call import JsonObject

_ID = "openai-chat"
_STOPS = {
    "": Stop.END,
    "stop": Stop.END,
    "end_turn": Stop.END,
    "length": Stop.LENGTH,
    "model_length": Stop.LENGTH,  # Mistral
    "max_tokens": Stop.LENGTH,
    "tool_calls": Stop.CALLS,
    "function_call": Stop.CALLS,
    "content_filter": Stop.FILTERED,
    "refusal": Stop.REFUSED,
}
_HALF = (Stop.LENGTH, Stop.FILTERED)
"""Stops after which the call that was being written may be half."""
_OPENAI_MODEL = re.compile(r"(gpt-(?!oss)|chatgpt|o\d)")


class OpenAIChat:
    """The dialect `openai-chat`."""

    id = _ID
    envelope = "tool_calls"
    return_address = "tool_call_id"

    def encode(self, request: Request) -> Encoded:
        return Encoded("/chat/completions", {}, _body(request))

    def authorize(self, key: str) -> tuple[str, str]:
        return "authorization", f"Bearer {key}"

    def decoder(
        self, *, provider: str, new_id: NewId, event_limit: int = EVENT_LIMIT
    ) -> StreamDecoder:
        return StreamDecoder(_Reader(Assembly(provider, new_id)), _ID, event_limit)


class _Reader:
    """Chunks to parts."""

    def __init__(self, assembly: Assembly) -> None:
        self.finished = False
        self._reason: str | None = None
        self._refused = False
        self._calls = ChatCalls(assembly)
        self._closed: list[OpenCall] = []
        self._text: list[str] = []
        self._reasoning: dict[str, list[str]] = {}
        self._details: list[JsonObject] = []

    @property
    def complete(self) -> bool:
        return self.finished or self._reason is not None

    def read_whole(self, answer: JsonObject, span: Span) -> list[Part]:
        parts = self.read(answer, span, "message")
        if objects_in(answer, "choices") and self._reason is None:
            self._reason = ""
        return parts

    def read_done(self, span: Span) -> list[Part]:
        if self.finished:
            return []
        self.finished = True
        return self._close(span)

    def finish(self, span: Span) -> list[Part]:
        parts = [] if self.finished else self._close(span)
        raw = self._reason or ""
        return [*parts, Stopped(self._stop(), raw, self._native(), span)]

    def read(self, event: JsonObject, span: Span, body: str = "delta") -> list[Part]:
        parts: list[Part] = []
        if self.finished:
            return parts
        choices = event.get("choices")
        choice = choices[0] if isinstance(choices, list) and choices else None
        if not isinstance(choice, dict) or choice.get("index") not in (0, None):
            choice = {}
        if usage := event.get("usage") or event.get("x_groq"):
            self._report(usage, span, parts)
        if "error" in event or "error" in choice or event.get("object") == "error":
            error = choice if choice.get("error") else event
            if error.get("error") or error.get("object") == "error":
                return [*parts, StreamFailed(failure_of_event(_ID, error), span)]
        delta = choice.get(body)
        if delta and isinstance(delta, dict):
            self._read_delta(delta, span, parts)
        reason = choice.get("finish_reason")
        if reason and isinstance(reason, str):
            self._reason = reason
        return parts

    def _read_delta(self, delta: JsonObject, span: Span, parts: list[Part]) -> None:
        for field, value in delta.items():
            if not value:
                continue
            match field:
                case "tool_calls" if isinstance(value, list):
                    self._calls.read(value, span, parts)
                case "content" if isinstance(value, str):
                    self._say(value, span, parts)
                case "content" if isinstance(value, list):  # Mistral's typed parts
                    self._read_typed(value, span, parts)
                case "refusal" if isinstance(value, str):
                    self._refused = True
                    self._say(value, span, parts)
                case "reasoning_content" | "reasoning" if isinstance(value, str):
                    self._reasoning.setdefault(field, []).append(value)
                    # A server that fills both says the same in both.
                    if field == "reasoning_content" or not delta.get("reasoning_content"):
                        parts.append(ReasoningDelta(value, span))
                case "reasoning_details" if isinstance(value, list):  # OpenRouter
                    self._read_details(delta, span, parts)

    def _read_details(self, delta: JsonObject, span: Span, parts: list[Part]) -> None:
        details = objects_in(delta, "reasoning_details")
        self._details += details
        if not delta.get("reasoning_content") and not delta.get("reasoning"):
            told = (text_in(detail, "text") or text_in(detail, "summary") for detail in details)
            parts += [ReasoningDelta(text, span) for text in told if text]

    def _report(self, usage: object, span: Span, parts: list[Part]) -> None:
        if isinstance(usage, dict) and isinstance(inner := usage.get("usage"), dict):
            usage = inner  # Groq's x_groq
        if isinstance(usage, dict) and "prompt_tokens" in usage:
            parts.append(UsageReported(_usage(usage), span))

    def _read_typed(self, content: list[object], span: Span, parts: list[Part]) -> None:
        for item in content:
            if not isinstance(item, dict):
                continue
            if text := text_in(item, "text"):
                self._say(text, span, parts)
            thoughts = (text_in(thought, "text") for thought in objects_in(item, "thinking"))
            parts += [ReasoningDelta(text, span) for text in thoughts if text]

    def _say(self, text: str, span: Span, parts: list[Part]) -> None:
        self._text.append(text)
        parts.append(TextDelta(text, span))

    def _close(self, span: Span) -> list[Part]:
        half = self._calls.last if _STOPS.get(self._reason or "") in _HALF else None
        parts: list[Part] = []
        for call in self._calls.assembly.calls:
            part = self._calls.assembly.close(call, span, cut=call is half)
            if part is not None:
                parts.append(part)
                self._closed.append(call)
        return parts

    def _stop(self) -> Stop:
        stop = _STOPS.get(self._reason or "", Stop.OTHER)
        if stop in _HALF:
            return stop
        if self._closed:
            return Stop.CALLS  # whatever the reason says: "stop" is seen
        if self._refused:
            return Stop.REFUSED
        return Stop.END if stop is Stop.CALLS else stop

    def _native(self) -> tuple[JsonObject, ...]:
        """The turn as one assistant message, with what some servers want to see again."""
        text = whole_text(self._text)
        if not text and not self._closed:
            return ()
        message: JsonObject = {"role": "assistant", "content": text}
        message |= {field: whole_text(pieces) for field, pieces in self._reasoning.items()}
        if self._details:
            message["reasoning_details"] = self._details
        if self._closed:
            message["tool_calls"] = [self._envelope(call) for call in self._closed]
        return (message,)

    def _envelope(self, call: OpenCall) -> JsonObject:
        arguments = call.raw or json_line(call.given or {})
        return self._calls.extras[call.key] | _envelope(call.call_id, call.name, arguments)


def _usage(usage: JsonObject) -> Usage:
    return Usage(
        input=count_in(usage, "prompt_tokens"),
        output=count_in(usage, "completion_tokens"),
        cached=count_in(object_in(usage, "prompt_tokens_details"), "cached_tokens"),
        reasoning=count_in(object_in(usage, "completion_tokens_details"), "reasoning_tokens"),
        raw=usage,
    )


def _envelope(call_id: str, name: str, arguments: str) -> JsonObject:
    function = {"name": name, "arguments": arguments}
    return {"id": call_id, "type": "function", "function": function}


def _body(request: Request) -> JsonObject:
    body: JsonObject = {
        "model": request.model,
        "messages": _messages(request),
        "stream": request.stream,
    }
    if request.stream:
        body["stream_options"] = {"include_usage": True}
    if request.tools:
        body["tools"] = [_tool(tool) for tool in request.tools]
        body["tool_choice"] = _choice(request.choice)
    if request.max_output_tokens is not None:
        # OpenAI's reasoning models refuse the old name, many other servers know no other.
        new = _OPENAI_MODEL.match(request.model)
        body["max_completion_tokens" if new else "max_tokens"] = request.max_output_tokens
    if request.temperature is not None:
        body["temperature"] = request.temperature
    return body | request.extra


def _tool(tool: ToolSpec) -> JsonObject:
    return {
        "type": "function",
        "function": {
            "name": tool.name,
            "description": tool.description,
            "parameters": tool.parameters,
        },
    }


def _choice(choice: ToolChoice) -> str | JsonObject:
    match choice:
        case OneTool(name=name):
            return {"type": "function", "function": {"name": name}}
        case Choose():
            return choice.value


def _messages(request: Request) -> list[JsonObject]:
    messages: list[JsonObject] = []
    if request.system:
        messages.append({"role": "system", "content": request.system})
    own = written_by(_ID, request.model, _count_calls)
    for turn in answered(request.history, own, NINE_CHARACTERS):
        match turn:
            case UserTurn(text=text):
                if text:
                    messages.append({"role": "user", "content": text})
            case Answered():
                messages += turn.turn.native if turn.own else _written(turn)
                messages += [
                    {"role": "tool", "tool_call_id": call_id, "content": result_text(result)}
                    for call_id, _, result in turn.pairs
                ]
    return messages


def _count_calls(native: tuple[JsonObject, ...]) -> int:
    return sum(len(objects_in(message, "tool_calls")) for message in native)


def _written(turn: Answered) -> list[JsonObject]:
    """A turn of another model in our terms. The text is "" beside calls: some refuse null."""
    message: JsonObject = {"role": "assistant", "content": turn.turn.text}
    if turn.ids:
        message["tool_calls"] = [
            _envelope(call_id, safe_name(call.name), json_line(arguments(call)))
            for call_id, call, _ in turn.pairs
        ]
    return [message] if turn.ids or turn.turn.text else []


DIALECT = OpenAIChat()
