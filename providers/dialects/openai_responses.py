"""OpenAI Responses: how a request is written, and what its events say.

Events are keyed by `output_index`, results by `call_id`. What counts of an item is its
`output_item.done`; the deltas before it are for showing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from providers.assembly import Assembly, OpenCall
from providers.call_ids import WORDS_OF_64, Answered, answered, arguments, safe_name
from providers.decoding import StreamDecoder
from providers.dialects import EVENT_LIMIT, Decoder, Encoded, NewId
from providers.failures import cut, failure_of_event
from providers.history import AssistantTurn, UserTurn
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
    def own(turn: AssistantTurn) -> bool:
        wrote_it = (turn.origin.dialect, turn.origin.model) == (DIALECT.id, request.model)
        return (
            wrote_it
            and bool(turn.native)
            and _call_ids(turn.native) == [call.call_id for call in turn.calls]
        )

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


def _call_ids(items: tuple[JsonObject, ...]) -> list[str]:
    return [text_in(item, "call_id") for item in items if item.get("type") == "function_call"]


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

_Place: TypeAlias = int | str


@dataclass(slots=True)
class _Item:
    """One output item as far as it came; `whole` is the item of its `output_item.done`."""

    call: OpenCall | None = None
    spoke: bool = False
    whole: JsonObject | None = None
    unfinished: bool = False


class _Reader:
    """The events of one response, as parts."""

    def __init__(self, provider: str, new_id: NewId) -> None:
        self._assembly = Assembly(provider, new_id)
        self._items: list[_Item] = []
        self._places: dict[_Place, _Item] = {}
        self._response: JsonObject | None = None
        self._refused = False
        self._called = False

    @property
    def finished(self) -> bool:
        return self._response is not None

    @property
    def complete(self) -> bool:
        return self._response is not None

    def read(self, event: JsonObject, span: Span) -> list[Part]:
        read_one = _READERS.get(text_in(event, "type"))
        if read_one is not None:
            return read_one(self, event, span)
        if "type" not in event and event.get("error"):
            return self._error(event, span)
        return []

    def read_done(self, span: Span) -> list[Part]:
        """Some servers send `[DONE]` here as well; the format's end is another event."""
        return []

    def read_whole(self, answer: JsonObject, span: Span) -> list[Part]:
        if not isinstance(answer.get("output"), list) and answer.get("object") != "response":
            return []
        if answer.get("status", "completed") not in ("completed", "incomplete", "failed"):
            return []
        return self._end({"response": answer}, span)

    def finish(self, span: Span) -> list[Part]:
        response = self._response or {}
        stop, raw = self._stop(response)
        if stop is not Stop.LENGTH and any(item.call and not item.whole for item in self._items):
            return [StreamFailed(cut("a call was begun and never finished"), span)]
        return [Stopped(stop, raw, self._native(), span)]

    def _added(self, event: JsonObject, span: Span) -> list[Part]:
        wire = object_in(event, "item")
        item = self._new_item(event, wire)
        if wire.get("type") != "function_call":
            return []
        name, call_id = text_in(wire, "name"), text_in(wire, "call_id")
        item.call, started = self._assembly.open(name, call_id, span)
        return [started]

    def _text(self, event: JsonObject, span: Span) -> list[Part]:
        text = text_in(event, "delta")
        if not text:
            return []
        self._item(event).spoke = True
        return [TextDelta(text, span)]

    def _refusal(self, event: JsonObject, span: Span) -> list[Part]:
        self._refused = True
        return self._text(event, span)

    def _reasoning(self, event: JsonObject, span: Span) -> list[Part]:
        text = text_in(event, "delta")
        if not text:
            return []
        self._item(event).spoke = True
        return [ReasoningDelta(text, span)]

    def _arguments(self, event: JsonObject, span: Span) -> list[Part]:
        text = text_in(event, "delta")
        item = self._item(event)
        parts: list[Part] = []
        if item.call is None:
            item.call, started = self._assembly.open("", "", span)
            parts.append(started)
        if text:
            parts.append(item.call.add(text, span))
        return parts

    def _done(self, event: JsonObject, span: Span) -> list[Part]:
        wire = object_in(event, "item")
        item = self._item(event)
        if item.whole is not None:
            if item.whole == wire:
                return []
            item = self._new_item(event, wire)
        return self._read_item(item, wire, span)

    def _read_item(self, item: _Item, wire: JsonObject, span: Span) -> list[Part]:
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

    def _read_call(self, item: _Item, wire: JsonObject, span: Span) -> list[Part]:
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
        self._response = response
        parts = self._read_rest(response, span)
        if (usage := object_in(response, "usage")) != {}:
            parts.append(UsageReported(_usage(usage), span))
        if event.get("type") == "response.failed" or response.get("status") == "failed":
            return [*parts, StreamFailed(failure_of_event(DIALECT.id, event), span)]
        return parts

    def _read_rest(self, response: JsonObject, span: Span) -> list[Part]:
        """The items of the final response that no `output_item.done` has told of."""
        parts: list[Part] = []
        told_of = len(self._items) > 0
        for place, wire in enumerate(objects_in(response, "output")):
            item = self._places.get(place)
            if item is None and not told_of:
                item = self._new_item({"output_index": place}, wire)
            if item is not None and item.whole is None:
                parts += self._read_item(item, wire, span)
        return parts

    def _error(self, event: JsonObject, span: Span) -> list[Part]:
        return [StreamFailed(failure_of_event(DIALECT.id, event), span)]

    def _item(self, event: JsonObject) -> _Item:
        """The item that the event is about, by `output_index`: ids may change on the way."""
        found = self._places.get(_place(event, object_in(event, "item")))
        return found or self._new_item(event, object_in(event, "item"))

    def _new_item(self, event: JsonObject, wire: JsonObject) -> _Item:
        item = self._places[_place(event, wire)] = _Item()
        self._items.append(item)
        return item

    def _stop(self, response: JsonObject) -> tuple[Stop, str]:
        if response.get("status") == "incomplete" or object_in(response, "incomplete_details"):
            reason = text_in(object_in(response, "incomplete_details"), "reason") or "incomplete"
            return _STOPS.get(reason, Stop.OTHER), reason
        raw = text_in(response, "status") or "completed"
        if self._refused:
            return Stop.REFUSED, raw
        return (Stop.CALLS if self._called else Stop.END), raw

    def _native(self) -> tuple[JsonObject, ...]:
        """The items as a replay needs them. A reasoning item without the item that it led to is
        refused, so it goes where that one went."""
        if any(item.spoke and item.whole is None for item in self._items):
            return ()
        kept: list[JsonObject] = []
        thoughts: list[JsonObject] = []
        for item in self._items:
            if item.whole is None or item.unfinished:
                thoughts.clear()
            elif item.whole.get("type") == "reasoning":
                thoughts.append(item.whole)
            else:
                kept += [*thoughts, item.whole]
                thoughts.clear()
        return tuple(kept)


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


def _place(event: JsonObject, wire: JsonObject) -> _Place:
    index = count_in(event, "output_index")
    return index if index is not None else text_in(event, "item_id") or text_in(wire, "id")


def _settle_arguments(call: OpenCall, told: object, span: Span) -> list[CallFragment]:
    """The done item's arguments win over the deltas; they are shown if no delta was."""
    text = json_line(told) if isinstance(told, dict) else told
    if not isinstance(text, str) or not text:
        return []
    if not call.empty:
        call.pieces = [text]
        return []
    return [call.add(text, span)]


def _usage(told: JsonObject) -> Usage:
    return Usage(
        input=count_in(told, "input_tokens"),
        output=count_in(told, "output_tokens"),
        cached=count_in(object_in(told, "input_tokens_details"), "cached_tokens"),
        reasoning=count_in(object_in(told, "output_tokens_details"), "reasoning_tokens"),
        raw=told,
    )
