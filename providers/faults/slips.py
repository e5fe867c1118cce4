"""How does a model write the arguments of its first call wrong, in each dialect's envelope?

The slip is a function from the text, as it comes, to the text that goes out.
"""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from dataclasses import dataclass, field

from providers.faults.bodies import Change
from providers.faults.calls import calls_in
from providers.faults.events import WireEvent
from providers.faults.fault import Exchange
from tools.call import JsonObject

Bytes = AsyncGenerator[bytes, None]

Slip = Callable[[str], str]
"""Takes the next piece of the arguments; gives what becomes of it."""

NewSlip = Callable[[], Slip]


@dataclass(slots=True)
class Unquoting:
    """Takes the quotation marks off the first text that is a value; if there is none, the last
    brace goes missing."""

    _depth: int = 0
    _value: bool = False
    _quoted: bool = False
    _escaped: bool = False
    _inside: bool = False
    _done: bool = False

    def __call__(self, piece: str) -> str:
        return "".join(character for character in piece if self._stays(character))

    def _stays(self, character: str) -> bool:
        if self._done:
            return True
        if self._quoted:
            return self._in_quotes(character)
        match character:
            case '"':
                self._quoted, self._inside = True, self._value
                return not self._value
            case "{" | "[":
                self._depth += 1
            case "}" | "]":
                self._depth -= 1
                self._done = self._depth == 0
                return not self._done
        if not character.isspace():
            self._value = character == ":"
        return True

    def _in_quotes(self, character: str) -> bool:
        if self._escaped:
            self._escaped = False
        elif character == "\\":
            self._escaped = True
        elif character == '"':
            self._quoted, self._done = False, self._inside
            return not self._inside
        return True


@dataclass(slots=True)
class Truncating:
    """Lets only the first characters pass, and never the end of an object."""

    left: int
    _over: bool = False

    def __call__(self, piece: str) -> str:
        kept = ""
        for character in piece:
            self._over = self._over or character == "}" or not self.left
            if self._over:
                break
            kept += character
            self.left -= 1
        return kept


def slipping(make: Callable[[Exchange], NewSlip]) -> Change:
    """The first call of an answer, with a slip in its arguments."""

    async def change(events: AsyncIterator[WireEvent], exchange: Exchange) -> Bytes:
        first = _FirstCall(exchange.dialect, make(exchange))
        async for event in events:
            touched = event.value is not None and first.spoil(event.value)
            yield event.having(event.value or {}).data if touched else event.data

    return change


@dataclass(slots=True)
class _FirstCall:
    """Finds the first call again in each event that tells of it."""

    dialect: str
    new_slip: NewSlip
    _slip: Slip = field(init=False)
    _place: object = None

    def __post_init__(self) -> None:
        self._slip = self.new_slip()

    def spoil(self, value: JsonObject) -> bool:
        """Whether something of it was changed."""
        match self.dialect:
            case "openai-chat":
                return self._chat(value)
            case "anthropic":
                return self._anthropic(value)
            case "gemini":
                return self._gemini(value)
            case _:
                return self._responses(value)

    def _is_first(self, place: object) -> bool:
        if self._place is None:
            self._place = place
        return self._place == place

    def _chat(self, value: JsonObject) -> bool:
        touched = False
        for number, call in enumerate(calls_in(value, "openai-chat")):
            function = call.get("function") or {}
            if function.get("arguments") and self._is_first(call.get("index", number)):
                function["arguments"] = self._slip(function["arguments"])
                touched = True
        return touched

    def _anthropic(self, value: JsonObject) -> bool:
        delta = value.get("delta") or {}
        if delta.get("partial_json") and self._is_first(value.get("index")):
            delta["partial_json"] = self._slip(delta["partial_json"])
            return True
        for block in calls_in(value, "anthropic"):
            if block.get("input") and self._is_first(block.get("id")):
                # A whole answer has no other way to hold what is no JSON.
                block["input"] = {"INVALID_JSON": self._slip(json.dumps(block["input"]))}
                return True
        return False

    def _gemini(self, value: JsonObject) -> bool:
        for call in calls_in(value, "gemini"):
            if self._place is None:
                self._place = call
                # Google sends an object; what is no JSON comes as text, as from some gateways.
                text = json.dumps(call.get("args") or {}, ensure_ascii=False)
                call["args"] = self._slip(text)
                return True
        return False

    def _responses(self, value: JsonObject) -> bool:
        if value.get("type") == "response.function_call_arguments.delta":
            if not self._is_first(value.get("item_id")):
                return False
            value["delta"] = self._slip(str(value.get("delta")))
            return True
        holders = list(calls_in(value, "openai-responses"))
        if value.get("type") == "response.function_call_arguments.done":
            holders.append(value)
        touched = False
        for holder in holders:
            text = holder.get("arguments")
            if text and self._is_first(holder.get("item_id") or holder.get("id")):
                holder["arguments"] = self.new_slip()(text)
                touched = True
        return touched
