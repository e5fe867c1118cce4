"""How does Anthropic's server write an answer: as events, and as one object?"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass

from providers.simulator.frames import Frame, FrameKind, named_event
from providers.simulator.reply import Ask, Delivery
from providers.simulator.seals import seal
from tools.call import JsonObject


@dataclass(frozen=True, slots=True)
class Writer:
    """Writes one message. Each block has its index; a ping comes after the first is opened."""

    delivery: Delivery

    def frames(self) -> Iterator[Frame]:
        """The events, in their order."""
        opening = {**self._message(), "content": [], "stop_reason": None, "stop_sequence": None}
        opening["usage"] = self._usage(output=1)
        yield self._event(FrameKind.NOTE, "message_start", message=opening)
        for index, block in enumerate(self._blocks()):
            yield from self._block(index, block)
            if index == 0:
                yield self._event(FrameKind.NOTE, "ping")
        yield self._event(
            FrameKind.NOTE,
            "message_delta",
            delta={"stop_reason": self._stop_reason(), "stop_sequence": None},
            usage=self._usage(),
        )
        yield self._event(FrameKind.END, "message_stop")

    def whole(self) -> JsonObject:
        """The object that a request without `stream` gets."""
        blocks = []
        for block in self._blocks():
            if isinstance(block, Ask):
                made = {} if block.cut else _input(block.arguments)
                blocks.append({**self._tool_use(block), "input": made})
            else:
                blocks.append(block)
        return {
            **self._message(),
            "content": blocks,
            "stop_reason": self._stop_reason(),
            "stop_sequence": None,
            "usage": self._usage(),
        }

    def _blocks(self) -> Iterator[JsonObject | Ask]:
        """The finished blocks; a call stays as it is, because its arguments may be no JSON."""
        reasoning = self.delivery.reply.reasoning
        if reasoning:
            yield {"type": "thinking", "thinking": reasoning, "signature": seal(reasoning)}
        for item in self.delivery.reply.items:
            yield item if isinstance(item, Ask) else {"type": "text", "text": item}

    def _block(self, index: int, block: JsonObject | Ask) -> Iterator[Frame]:
        match block:
            case Ask():
                opened, deltas = self._tool_use(block), self._argument_deltas(block)
            case {"type": "thinking"}:
                opened, deltas = {**block, "thinking": "", "signature": ""}, self._thoughts(block)
            case _:
                opened, deltas = {**block, "text": ""}, self._text_deltas(block)
        yield self._event(FrameKind.NOTE, "content_block_start", index=index, content_block=opened)
        for kind, delta in deltas:
            yield self._event(kind, "content_block_delta", index=index, delta=delta)
        yield self._event(FrameKind.NOTE, "content_block_stop", index=index)

    def _text_deltas(self, block: JsonObject) -> Iterator[tuple[FrameKind, JsonObject]]:
        for piece in self.delivery.dice.words(block["text"]):
            yield FrameKind.TEXT, {"type": "text_delta", "text": piece}

    def _thoughts(self, block: JsonObject) -> Iterator[tuple[FrameKind, JsonObject]]:
        for piece in self.delivery.dice.words(block["thinking"]):
            yield FrameKind.TEXT, {"type": "thinking_delta", "thinking": piece}
        yield FrameKind.NOTE, {"type": "signature_delta", "signature": block["signature"]}

    def _argument_deltas(self, ask: Ask) -> Iterator[tuple[FrameKind, JsonObject]]:
        """The first piece is always empty; a call without arguments has no other."""
        yield FrameKind.NOTE, {"type": "input_json_delta", "partial_json": ""}
        if ask.arguments == "{}":
            return
        for piece in self.delivery.dice.crumbs(ask.arguments):
            yield FrameKind.ARGUMENTS, {"type": "input_json_delta", "partial_json": piece}

    def _tool_use(self, ask: Ask) -> JsonObject:
        call_id = self.delivery.call_id("toolu_01", 22)
        return {"type": "tool_use", "id": call_id, "name": ask.name, "input": {}}

    def _message(self) -> JsonObject:
        return {
            "id": self.delivery.dice.id("msg_01", 22),
            "type": "message",
            "role": "assistant",
            "model": self.delivery.model.name,
        }

    def _event(self, kind: FrameKind, name: str, **members: object) -> Frame:
        return named_event(kind, name, {"type": name, **members})

    def _stop_reason(self) -> str:
        if self.delivery.reply.cut:
            return "max_tokens"
        return "tool_use" if self.delivery.reply.calls else "end_turn"

    def _usage(self, output: int | None = None) -> JsonObject:
        tokens = self.delivery.tokens
        return {
            "input_tokens": tokens.input,
            "cache_creation_input_tokens": 0,
            "cache_read_input_tokens": 0,
            "output_tokens": tokens.output if output is None else output,
        }


def _input(arguments: str) -> JsonObject:
    """The arguments as an object; a whole answer has no other way to hold them."""
    try:
        value = json.loads(arguments)
    except ValueError:
        return {"INVALID_JSON": arguments}
    return value if isinstance(value, dict) else {"INVALID_JSON": arguments}
