"""Anthropic Messages: requests out, events in.

The answer is a list of content blocks, keyed by `index`. Each block is put together as it will
have to go back (`content_blocks`); those of type `tool_use` are calls as well. A call closes with
its block. One whose input is empty or is no JSON waits for the stop reason: an answer that was
ended by a limit may hold half an input in a block that was stopped all the same.
"""

from __future__ import annotations

from collections.abc import Iterable

from providers.assembly import Assembly, OpenCall
from providers.call_ids import WORDS_OF_64, Answered, answered, arguments, safe_name, written_by
from providers.content_blocks import Block, says_something
from providers.decoding import StreamDecoder
from providers.dialects import EVENT_LIMIT, Encoded, NewId
from providers.failures import failure_of_event
from providers.history import UserTurn
from providers.parts import (
    Part,
    ReasoningDelta,
    Restarted,
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
from tools.call import JsonObject, ToolResult

_ID = "anthropic"
_VERSION = "2023-06-01"
_MAX_TOKENS = 8192
"""The format demands a limit; this one every current model accepts."""

_STOPS = {
    "": Stop.END,
    "end_turn": Stop.END,
    "stop_sequence": Stop.END,
    "max_tokens": Stop.LENGTH,
    "model_context_window_exceeded": Stop.LENGTH,
    "tool_use": Stop.CALLS,
    "pause_turn": Stop.PAUSED,
    "refusal": Stop.REFUSED,
}
_CHOICES = {Choose.AUTO: "auto", Choose.REQUIRED: "any", Choose.NONE: "none"}
_CACHED = {"type": "ephemeral"}


class Anthropic:
    """The dialect `anthropic`."""

    id = _ID
    envelope = "tool_use"
    return_address = "tool_result.tool_use_id"

    def encode(self, request: Request) -> Encoded:
        return Encoded("/v1/messages", {"anthropic-version": _VERSION}, _body(request))

    def authorize(self, key: str) -> tuple[str, str]:
        return "x-api-key", key

    def decoder(
        self, *, provider: str, new_id: NewId, event_limit: int = EVENT_LIMIT
    ) -> StreamDecoder:
        return StreamDecoder(_Reader(provider, new_id), _ID, event_limit)


class _Reader:
    """Events to parts."""

    def __init__(self, provider: str, new_id: NewId) -> None:
        self._provider = provider
        self._new_id = new_id
        self.finished = False
        self._usage: JsonObject = {}
        self._begin()

    def _begin(self) -> None:
        self._started = False
        self._reason = ""
        self._assembly = Assembly(self._provider, self._new_id)
        self._blocks: list[Block] = []
        self._at: dict[int, Block] = {}  # the newest block of each index
        self._closed: dict[int, Part] = {}

    @property
    def complete(self) -> bool:
        return self.finished

    def read(self, event: JsonObject, span: Span) -> list[Part]:
        if self.finished:
            return []
        match event.get("type"):
            case "content_block_delta":
                return self._delta(event, span)
            case "content_block_start":
                return self._start(
                    count_in(event, "index"), object_in(event, "content_block"), span
                )
            case "content_block_stop":
                return self._stop_block(count_in(event, "index"), span)
            case "message_start":
                return self._message_start(object_in(event, "message"), span)
            case "message_delta":
                self._reason = text_in(object_in(event, "delta"), "stop_reason") or self._reason
                return self._report(object_in(event, "usage"), span)
            case "message_stop":
                self.finished = True
                return self._close_rest(span)
            case "error":
                return [StreamFailed(failure_of_event(_ID, event), span)]
            case _:
                return []  # ping, and what newer servers add

    def read_whole(self, answer: JsonObject, span: Span) -> list[Part]:
        if answer.get("type") == "error":
            return [StreamFailed(failure_of_event(_ID, answer), span)]
        if not isinstance(answer.get("content"), list):
            return []
        parts: list[Part] = []
        for index, block in enumerate(objects_in(answer, "content")):
            parts += self._start(index, block, span)
            parts += self._stop_block(index, span)
        self._reason = text_in(answer, "stop_reason")
        parts += self._report(object_in(answer, "usage"), span)
        self.finished = True
        return parts + self._close_rest(span)

    def read_done(self, span: Span) -> list[Part]:
        return []  # gateways add it after message_stop

    def finish(self, span: Span) -> list[Part]:
        blocks = [block.native() for block in self._blocks if self._stays(block)]
        return [Stopped(self._stop(), self._reason, tuple(blocks), span)]

    def _message_start(self, message: JsonObject, span: Span) -> list[Part]:
        parts: list[Part] = []
        if self._started or self._blocks:  # a gateway's splice: the message starts anew
            self._begin()
            parts.append(Restarted(span))
        self._started = True
        return parts + self._report(object_in(message, "usage"), span)

    def _start(self, index: int | None, fields: JsonObject, span: Span) -> list[Part]:
        if index is None or not self._is_free(index, fields):
            return []
        if fields.get("type") != "tool_use":
            self._put(index, Block(fields, None))
            return _shown(fields, span)
        call, started = self._assembly.open(text_in(fields, "name"), text_in(fields, "id"), span)
        self._put(index, Block(fields, call))
        given = fields.get("input")
        # Compatible servers put the whole input here; deltas win when both are there.
        if isinstance(given, dict) and given:
            return [started, call.give(given, json_line(given), span)]
        if isinstance(given, str) and given:
            return [started, call.add(given, span)]
        return [started]

    def _is_free(self, index: int, fields: JsonObject) -> bool:
        """Whether a block may start here. An index may come again for another block, as servers
        that count nothing say 0 to all; a call that comes again with its id is the same one."""
        before = self._at.get(index)
        if before is None:
            return True
        if fields.get("type") != "tool_use":
            return before.stopped
        call_id = text_in(fields, "id")
        known = any(call.call_id == call_id for call in self._assembly.calls)
        return before.stopped and bool(call_id) and not known

    def _put(self, index: int, block: Block) -> Block:
        self._blocks.append(block)
        self._at[index] = block
        return block

    def _delta(self, event: JsonObject, span: Span) -> list[Part]:
        delta = object_in(event, "delta")
        index = count_in(event, "index")
        block = None if index is None else self._at.get(index)
        match delta.get("type"):
            case "input_json_delta":
                text = text_in(delta, "partial_json")
                if not text or block is None or block.stopped:
                    return []
                if block.call is not None:
                    return [block.call.add(text, span)]
                block.add_input(text)
            case "text_delta":
                text = text_in(delta, "text")
                self._keep(index, "text", text)
                return [TextDelta(text, span)] if text else []
            case "thinking_delta":
                text = text_in(delta, "thinking")
                self._keep(index, "thinking", text)
                return [ReasoningDelta(text, span)] if text else []
            case "signature_delta":
                self._keep(index, "signature", text_in(delta, "signature"))
            case "citations_delta" if block is not None:
                block.cite(delta)
        return []

    def _keep(self, index: int | None, field: str, text: str) -> None:
        """A piece of a block's own text; a block that was never started starts with it."""
        if index is None or not text:
            return
        block = self._at.get(index) or self._put(index, Block({"type": field}, None))
        if block.call is None:
            block.add(field, text)

    def _stop_block(self, index: int | None, span: Span) -> list[Part]:
        block = None if index is None else self._at.get(index)
        if block is None or block.stopped:
            return []
        block.stopped = True
        return [] if block.call is None else self._close(block.call, span, cut=True)

    def _close_rest(self, span: Span) -> list[Part]:
        """The calls that waited for the stop reason. A block without its stop is no call."""
        half = _STOPS.get(self._reason) in (Stop.LENGTH, Stop.REFUSED)
        parts: list[Part] = []
        for block in self._blocks:
            call = block.call
            if call is not None and block.stopped and call.key not in self._closed:
                last = call is self._assembly.calls[-1]
                parts += self._close(call, span, cut=half and last)
        return parts

    def _close(self, call: OpenCall, span: Span, *, cut: bool) -> list[Part]:
        part = self._assembly.close(call, span, cut=cut)
        if part is None:
            return []
        self._closed[call.key] = part
        return [part]

    def _report(self, usage: JsonObject, span: Span) -> list[Part]:
        """The counts are cumulative: what a later report leaves out still stands."""
        if not usage:
            return []
        self._usage = self._usage | {name: usage[name] for name in usage if usage[name] is not None}
        return [
            UsageReported(
                Usage(
                    input=count_in(self._usage, "input_tokens"),
                    output=count_in(self._usage, "output_tokens"),
                    cached=count_in(self._usage, "cache_read_input_tokens"),
                    raw=self._usage,
                ),
                span,
            )
        ]

    def _stop(self) -> Stop:
        stop = _STOPS.get(self._reason, Stop.OTHER)
        if stop in (Stop.LENGTH, Stop.REFUSED):
            return stop
        if self._closed:
            return Stop.CALLS  # whatever the reason says: calls decide
        return Stop.END if stop is Stop.CALLS else stop

    def _stays(self, block: Block) -> bool:
        """Whether the block goes back: no call that has no result, no text that is refused."""
        if block.call is not None:
            return block.call.key in self._closed
        return says_something(block.native())


def _shown(fields: JsonObject, span: Span) -> list[Part]:
    """What a block says in its first event already."""
    match fields.get("type"):
        case "text" if text := text_in(fields, "text"):
            return [TextDelta(text, span)]
        case "thinking" if text := text_in(fields, "thinking"):
            return [ReasoningDelta(text, span)]
        case _:
            return []


def _body(request: Request) -> JsonObject:
    body: JsonObject = {
        "model": request.model,
        "max_tokens": request.max_output_tokens or _MAX_TOKENS,
        "messages": _messages(request),
        "stream": request.stream,
    }
    if request.system:
        body["system"] = [{"type": "text", "text": request.system, "cache_control": _CACHED}]
    if request.tools:
        tools = [_tool(tool, request.stream) for tool in request.tools]
        tools[-1]["cache_control"] = _CACHED
        body["tools"] = tools
        body["tool_choice"] = _choice(request.choice)
    if request.temperature is not None:
        body["temperature"] = request.temperature
    return body | request.extra


def _tool(tool: ToolSpec, stream: bool) -> JsonObject:
    told: JsonObject = {
        "name": tool.name,
        "description": tool.description,
        "input_schema": tool.parameters,
    }
    if stream:
        # Without it the server holds each argument back until it is whole.
        told["eager_input_streaming"] = True
    return told


def _choice(choice: ToolChoice) -> JsonObject:
    match choice:
        case OneTool(name=name):
            return {"type": "tool", "name": name}
        case Choose():
            return {"type": _CHOICES[choice]}


def _messages(request: Request) -> list[JsonObject]:
    messages: list[JsonObject] = []
    own = written_by(_ID, request.model, _count_calls)
    for turn in answered(request.history, own, WORDS_OF_64):
        match turn:
            case UserTurn(text=text):
                _say(messages, "user", [_text(text)])
            case Answered():
                _say(messages, "assistant", turn.turn.native if turn.own else _written(turn))
                _say(messages, "user", [_result(pair[0], pair[2]) for pair in turn.pairs])
    if messages and messages[-1]["role"] == "assistant":
        last = messages[-1]["content"]
        if last[-1].get("type") == "text":  # refused when it ends in white space
            last[-1] = last[-1] | {"text": last[-1]["text"].rstrip()}
    return messages


def _count_calls(native: tuple[JsonObject, ...]) -> int:
    return sum(block.get("type") == "tool_use" for block in native)


def _say(messages: list[JsonObject], role: str, blocks: Iterable[JsonObject]) -> None:
    """Add the blocks, to the last message when it is of the same role, but for empty texts."""
    said = [block for block in blocks if says_something(block)]
    if not said:
        return
    if messages and messages[-1]["role"] == role:
        messages[-1]["content"] += said
    else:
        messages.append({"role": role, "content": said})


def _written(turn: Answered) -> list[JsonObject]:
    """A turn of another model in our terms, texts and calls in their order."""
    ids = iter(turn.ids)
    return [
        _text(item)
        if isinstance(item, str)
        else {
            "type": "tool_use",
            "id": next(ids),
            "name": safe_name(item.name),
            "input": arguments(item),
        }
        for item in turn.turn.items
    ]


def _text(text: str) -> JsonObject:
    return {"type": "text", "text": text}


def _result(call_id: str, result: ToolResult) -> JsonObject:
    block: JsonObject = {
        "type": "tool_result",
        "tool_use_id": call_id,
        "content": result_text(result),
    }
    return block if result.ok else block | {"is_error": True}


DIALECT = Anthropic()
