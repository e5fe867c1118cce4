"""How does the Responses server write an answer: as events, and as one object?

An item's own id (`fc_…`, `msg_…`, `rs_…`) is never the call's id (`call_…`), as on the real wire.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from providers.simulator.frames import Frame, FrameKind, named_event
from providers.simulator.reply import Ask, Delivery
from providers.simulator.seals import encrypt
from tools.call import JsonObject

_CREATED = 1767225600
_HEX = 24
_TOO_LONG = {"reason": "max_output_tokens"}


@dataclass(slots=True)
class Writer:
    """Writes one response. Events carry the place of their item and a number that rises."""

    delivery: Delivery
    _number: int = 0
    _items: list[JsonObject] = field(default_factory=list)

    def frames(self) -> Iterator[Frame]:
        """The events, in their order."""
        response_id = self.delivery.dice.id("resp_", _HEX)
        begun = self._response(response_id, "in_progress")
        yield self._event(FrameKind.NOTE, "response.created", response=begun)
        yield self._event(FrameKind.NOTE, "response.in_progress", response=begun)
        if self.delivery.reply.reasoning:
            yield from self._reasoning(self.delivery.reply.reasoning)
        for item in self.delivery.reply.items:
            yield from self._call(item) if isinstance(item, Ask) else self._message(item)
        ended = self._response(response_id, self._status)
        yield self._event(FrameKind.END, f"response.{self._status}", response=ended)

    def whole(self) -> JsonObject:
        """The object that a request without `stream` gets."""
        if self.delivery.reply.reasoning:
            self._items.append(self._reasoning_item(self.delivery.reply.reasoning))
        for item in self.delivery.reply.items:
            made = self._call_item(item) if isinstance(item, Ask) else self._message_item(item)
            self._items.append(made)
        return self._response(self.delivery.dice.id("resp_", _HEX), self._status)

    @property
    def _status(self) -> str:
        return "incomplete" if self.delivery.reply.cut else "completed"

    def _reasoning(self, said: str) -> Iterator[Frame]:
        item = self._reasoning_item(said)
        at = self._place(item)
        yield self._added({**item, "summary": [], "encrypted_content": ""})
        at["summary_index"] = 0
        prefix = "response.reasoning_summary"
        empty = {"type": "summary_text", "text": ""}
        yield self._event(FrameKind.NOTE, f"{prefix}_part.added", **at, part=empty)
        for piece in self.delivery.dice.words(said):
            yield self._event(FrameKind.TEXT, f"{prefix}_text.delta", **at, delta=piece)
        yield self._event(FrameKind.NOTE, f"{prefix}_text.done", **at, text=said)
        part = item["summary"][0]
        yield self._event(FrameKind.NOTE, f"{prefix}_part.done", **at, part=part)
        yield self._done(item)

    def _message(self, said: str) -> Iterator[Frame]:
        item = self._message_item(said)
        at = self._place(item)
        yield self._added({**item, "status": "in_progress", "content": []})
        at["content_index"] = 0
        part = item["content"][0]
        empty = {**part, "text": ""}
        yield self._event(FrameKind.NOTE, "response.content_part.added", **at, part=empty)
        for piece in self.delivery.dice.words(said):
            yield self._event(
                FrameKind.TEXT, "response.output_text.delta", **at, delta=piece, logprobs=[]
            )
        yield self._event(FrameKind.NOTE, "response.output_text.done", **at, text=said, logprobs=[])
        yield self._event(FrameKind.NOTE, "response.content_part.done", **at, part=part)
        yield self._done(item)

    def _call(self, ask: Ask) -> Iterator[Frame]:
        item = self._call_item(ask)
        at = self._place(item)
        yield self._added({**item, "status": "in_progress", "arguments": ""})
        prefix = "response.function_call_arguments"
        for piece in self.delivery.dice.crumbs(ask.arguments):
            yield self._event(FrameKind.ARGUMENTS, f"{prefix}.delta", **at, delta=piece)
        yield self._event(FrameKind.NOTE, f"{prefix}.done", **at, arguments=ask.arguments)
        yield self._done(item)

    def _added(self, item: JsonObject) -> Frame:
        place = len(self._items)
        return self._event(
            FrameKind.NOTE, "response.output_item.added", output_index=place, item=item
        )

    def _done(self, item: JsonObject) -> Frame:
        place = len(self._items)
        self._items.append(item)
        return self._event(
            FrameKind.NOTE, "response.output_item.done", output_index=place, item=item
        )

    def _place(self, item: JsonObject) -> JsonObject:
        return {"item_id": item["id"], "output_index": len(self._items)}

    def _event(self, kind: FrameKind, name: str, **members: object) -> Frame:
        frame = named_event(kind, name, {"type": name, "sequence_number": self._number, **members})
        self._number += 1
        return frame

    def _reasoning_item(self, said: str) -> JsonObject:
        return {
            "id": self.delivery.dice.id("rs_", _HEX),
            "type": "reasoning",
            "summary": [{"type": "summary_text", "text": said}],
            "encrypted_content": encrypt(said),
        }

    def _message_item(self, said: str) -> JsonObject:
        return {
            "id": self.delivery.dice.id("msg_", _HEX),
            "type": "message",
            "status": "completed",
            "role": "assistant",
            "content": [{"type": "output_text", "text": said, "annotations": [], "logprobs": []}],
        }

    def _call_item(self, ask: Ask) -> JsonObject:
        return {
            "id": self.delivery.dice.id("fc_", _HEX),
            "type": "function_call",
            "status": "incomplete" if ask.cut else "completed",
            "call_id": self.delivery.call_id("call_", 24),
            "name": ask.name,
            "arguments": ask.arguments,
        }

    def _response(self, response_id: str, status: str) -> JsonObject:
        tokens = self.delivery.tokens
        usage = {
            "input_tokens": tokens.input,
            "input_tokens_details": {"cached_tokens": 0},
            "output_tokens": tokens.output,
            "output_tokens_details": {"reasoning_tokens": tokens.reasoning},
            "total_tokens": tokens.total,
        }
        return {
            "id": response_id,
            "object": "response",
            "created_at": _CREATED,
            "status": status,
            "error": None,
            "incomplete_details": _TOO_LONG if status == "incomplete" else None,
            "model": self.delivery.model.name,
            "output": list(self._items),
            "parallel_tool_calls": True,
            "store": False,
            "usage": None if status == "in_progress" else usage,
        }
