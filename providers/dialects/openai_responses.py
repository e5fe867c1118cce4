"""OpenAI Responses: how a request is written, and what its events say.

Events are keyed by `output_index`, results by `call_id`. What counts of an item is its
`output_item.done`; the deltas before it are for showing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

from providers.assembly import Assembly, OpenCall
from providers.call_ids import WORDS_OF_64, Answered, answered, arguments, safe_name, written_by
from providers.decoding import StreamDecoder
from providers.dialects import EVENT_LIMIT, Decoder, Encoded, NewId
from providers.failures import cut, failure_of_event
from providers.history import UserTurn
from providers.json_text import mend
from providers.output_items import Item, OutputItems
from providers.parts import (
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
from providers.results import json_line, result_text
from providers.shapes import count_in, object_in, objects_in, text_in
from tools.call import BrokenCall, JsonObject, ToolCall

# Models that do not reason answer 400 "Encrypted content is not supported with this model".
_DOES_NOT_REASON = re.compile(r"gpt-3\.5|gpt-4|chatgpt-4o|gpt-5-chat")


class OpenAIResponses:
    """The dialect. Pure; one object serves everyone."""

    id = "openai-responses"
    envelope = "function_call"
    return_address = "function_call_output.call_id"

    def encode(self, request: Request) -> Encoded:
        headers = {} if request.stream else {"accept": "application/json"}
        return Encoded("/responses", headers, _body(request))

    def authorize(self, key: str) -> tuple[str, str]:
        return "authorization", f"Bearer {key}"

    def decoder(self, *, provider: str, new_id: NewId, event_limit: int = EVENT_LIMIT) -> Decoder:
        return StreamDecoder(_Reader(provider, new_id), self.id, event_limit)


DIALECT = OpenAIResponses()


# ---------------------------------------------------------------------------- writing


def _body(request: Request) -> JsonObject:
    body: JsonObject = {
        "model": request.model,
        "input": list(_input(request)),
        "stream": request.stream,
        # We keep the history ourselves; what the model thought comes sealed and goes back.
        "store": False,
    }
    if not _DOES_NOT_REASON.match(request.model):
        body["include"] = ["reasoning.encrypted_content"]
    if request.system:
        body["instructions"] = request.system
    if request.tools:
        body["tools"] = [_tool(spec) for spec in request.tools]
        body["tool_choice"] = _choice(request.choice)
    if request.max_output_tokens is not None:
        body["max_output_tokens"] = request.max_output_tokens
    if request.temperature is not None:
        body["temperature"] = request.temperature
    return body | request.extra


def _tool(spec: ToolSpec) -> JsonObject:
    return {
        "type": "function",
        "name": spec.name,
        "description": spec.description,
        "parameters": spec.parameters,
        # Left out, it means true here, and then a schema with an optional field is refused.
        "strict": False,
    }


def _choice(choice: ToolChoice) -> str | JsonObject:
    match choice:
        case OneTool(name=name):
            return {"type": "function", "name": name}
        case Choose():
            return choice.value


def _input(request: Request) -> Iterator[JsonObject]:
    own = written_by(DIALECT.id, request.model, _count_calls)
    for told in answered(request.history, own, WORDS_OF_64):
        match told:
            case UserTurn(text=text):
                if text:
                    yield {"role": "user", "content": [{"type": "input_text", "text": text}]}
            case Answered(turn=turn):
                yield from turn.native if told.own else _written_anew(told)
                for call_id, _, result in told.pairs:
                    yield {
                        "type": "function_call_output",
                        "call_id": call_id,
                        "output": result_text(result),
                    }


def _count_calls(items: tuple[JsonObject, ...]) -> int:
    return sum(item.get("type") == "function_call" for item in items)


def _written_anew(told: Answered) -> Iterator[JsonObject]:
    ids = iter(told.ids)
    for item in told.turn.items:
        match item:
            case "":
                pass
            case str():
                content = [{"type": "output_text", "text": item}]
                yield {"type": "message", "role": "assistant", "content": content}
            case ToolCall() | BrokenCall():
                yield {
                    "type": "function_call",
                    "call_id": next(ids),
                    "name": safe_name(item.name),
                    "arguments": json_line(arguments(item)),
                }


# ---------------------------------------------------------------------------- reading


class _Reader:
    """The events of one response, as parts."""

    def __init__(self, provider: str, new_id: NewId) -> None:
        self._assembly = Assembly(provider, new_id)
        self._items = OutputItems()
        self._status = ""
        self._reason = ""
        self._refused = False
        self._called = False

    @property
    def finished(self) -> bool:
        return bool(self._status)

    @property
    def complete(self) -> bool:
        return bool(self._status)

    def read(self, event: JsonObject, span: Span) -> list[Part]:
        kind = text_in(event, "type") or ("error" if event.get("error") else "")
        if kind not in _READERS or (self.finished and kind != "error"):
            return []
        return _READERS[kind](self, event, span)

    def read_done(self, span: Span) -> list[Part]:
        """Some servers send `[DONE]` here as well; the format's end is another event."""
        return []

    def read_whole(self, answer: JsonObject, span: Span) -> list[Part]:
        if not isinstance(answer.get("output"), list) and answer.get("object") != "response":
            return []
        if answer.get("status", "completed") not in _ENDINGS:
            return []
        return self._end({"response": answer}, span)

    def finish(self, span: Span) -> list[Part]:
        native = self._items.native()
        if self._status == "incomplete":
            return [Stopped(_STOPS.get(self._reason, Stop.OTHER), self._reason, native, span)]
        if self._items.open_call:
            return [StreamFailed(cut("a call was begun and never finished"), span)]
        stop = Stop.CALLS if self._called else Stop.END
        return [Stopped(Stop.REFUSED if self._refused else stop, self._status, native, span)]

    def _added(self, event: JsonObject, span: Span) -> list[Part]:
        wire = object_in(event, "item")
        item = self._items.begin(event)
        if wire.get("type") != "function_call":
            return []
        name, call_id = text_in(wire, "name"), text_in(wire, "call_id")
        item.call, started = self._assembly.open(name, call_id, span)
        return [started]

    def _text(self, event: JsonObject, span: Span) -> list[Part]:
        text = text_in(event, "delta")
        if not text:
            return []
        self._items.of(event).spoke = True
        return [TextDelta(text, span)]

    def _refusal(self, event: JsonObject, span: Span) -> list[Part]:
        self._refused = True
        return self._text(event, span)

    def _reasoning(self, event: JsonObject, span: Span) -> list[Part]:
        text = text_in(event, "delta")
        if not text:
            return []
        self._items.of(event).spoke = True
        return [ReasoningDelta(text, span)]

    def _arguments(self, event: JsonObject, span: Span) -> list[Part]:
        text = text_in(event, "delta")
        item = self._items.of(event)
        parts: list[Part] = []
        if item.call is None:
            item.call, started = self._assembly.open("", "", span)
            parts.append(started)
        if text:
            parts.append(item.call.add(text, span))
        return parts

    def _done(self, event: JsonObject, span: Span) -> list[Part]:
        wire = _with_text(object_in(event, "item"))
        item = self._items.of(event)
        if item.whole is not None:
            made = {} if item.call is None else {"call_id": item.call.call_id}
            if item.whole in (wire, wire | made):
                return []
            item = self._items.begin(event)
        return self._read_item(item, wire, span)

    def _read_item(self, item: Item, wire: JsonObject, span: Span) -> list[Part]:
        item.whole = wire
        match wire.get("type"):
            case "function_call":
                return self._read_call(item, wire, span)
            case "message" if not item.spoke:
                return self._read_message(wire, span)
            case "reasoning" if not item.spoke:
                thoughts = objects_in(wire, "summary") + objects_in(wire, "content")
                texts = [text_in(thought, "text") for thought in thoughts]
                return [ReasoningDelta(text, span) for text in texts if text]
            case _:
                return []

    def _read_message(self, wire: JsonObject, span: Span) -> list[Part]:
        parts: list[Part] = []
        for piece in objects_in(wire, "content"):
            refusal = text_in(piece, "refusal")
            self._refused = self._refused or bool(refusal)
            if text := text_in(piece, "text") or refusal:
                parts.append(TextDelta(text, span))
        return parts

    def _read_call(self, item: Item, wire: JsonObject, span: Span) -> list[Part]:
        parts: list[Part] = []
        name, call_id = text_in(wire, "name"), text_in(wire, "call_id")
        if item.call is None:
            item.call, started = self._assembly.open(name, call_id, span)
            parts.append(started)
        call = item.call
        if (name and name != call.name) or (call_id and call_id != call.call_id):
            parts.append(call.rename(name or call.name, call_id or call.call_id, span))
        parts += _settle_arguments(call, wire.get("arguments"), span)
        if wire.get("status") == "incomplete":
            item.unfinished = True
            return parts
        if (closed := self._assembly.close(call, span)) is not None:
            self._called = True
            parts.append(closed)
        # A server that gives no id must still find ours on both sides.
        item.whole = wire if call_id else {**wire, "call_id": call.call_id}
        return parts

    def _end(self, event: JsonObject, span: Span) -> list[Part]:
        response = object_in(event, "response")
        status = text_in(response, "status")
        named = text_in(event, "type").removeprefix("response.") or "completed"
        self._status = status if status in _ENDINGS else named
        details = object_in(response, "incomplete_details")
        self._reason = mend(text_in(details, "reason")) or "incomplete"
        parts = self._read_rest(response, span)
        if usage := object_in(response, "usage"):
            parts.append(UsageReported(_usage(usage), span))
        if self._status == "failed":
            parts += self._error(event, span)
        return parts

    def _read_rest(self, response: JsonObject, span: Span) -> list[Part]:
        """The items of the final response that no `output_item.done` has told of."""
        parts: list[Part] = []
        told_of = len(self._items) > 0
        for place, wire in enumerate(objects_in(response, "output")):
            item = self._items.at(place)
            if item is None and not told_of:
                item = self._items.begin({"output_index": place})
            if item is not None and item.whole is None:
                parts += self._read_item(item, _with_text(wire), span)
        return parts

    def _error(self, event: JsonObject, span: Span) -> list[Part]:
        return [StreamFailed(failure_of_event(DIALECT.id, event), span)]


_ENDINGS = frozenset({"completed", "incomplete", "failed"})

_READERS: Mapping[str, Callable[[_Reader, JsonObject, Span], list[Part]]] = {
    "response.output_item.added": _Reader._added,
    "response.output_item.done": _Reader._done,
    "response.output_text.delta": _Reader._text,
    "response.refusal.delta": _Reader._refusal,
    "response.reasoning_summary_text.delta": _Reader._reasoning,
    "response.reasoning_text.delta": _Reader._reasoning,
    "response.function_call_arguments.delta": _Reader._arguments,
    "response.completed": _Reader._end,
    "response.incomplete": _Reader._end,
    "response.failed": _Reader._end,
    "error": _Reader._error,
}

_STOPS: Mapping[str, Stop] = {
    "max_output_tokens": Stop.LENGTH,
    "content_filter": Stop.FILTERED,
}


def _with_text(wire: JsonObject) -> JsonObject:
    """The item with its arguments as text: some servers send an object, but take none back."""
    told = wire.get("arguments")
    return {**wire, "arguments": json_line(told)} if isinstance(told, dict) else wire


def _settle_arguments(call: OpenCall, told: object, span: Span) -> list[CallFragment]:
    """The done item's arguments win over the deltas; they are shown if no delta was."""
    if not isinstance(told, str) or not told:
        return []
    if not call.empty:
        call.pieces = [told]
        return []
    return [call.add(told, span)]


def _usage(told: JsonObject) -> Usage:
    return Usage(
        input=count_in(told, "input_tokens"),
        output=count_in(told, "output_tokens"),
        cached=count_in(object_in(told, "input_tokens_details"), "cached_tokens"),
        reasoning=count_in(object_in(told, "output_tokens_details"), "reasoning_tokens"),
        raw=told,
    )
