"""Which requests does OpenAI's Responses server refuse, and with which words?

Each call needs its output: after it, before anything else that is said, in the calls' order. The
real server is laxer about the order; we hold to it, with the words it has for a missing output.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

from providers.simulator.openai_schemas import check_schema
from providers.simulator.openai_words import (
    check_id,
    check_limit,
    check_name,
    refuse,
    refuse_missing,
    refuse_type,
)
from providers.simulator.reading import member, objects, text
from providers.simulator.seals import can_decrypt
from tools.call import JsonObject

_USER_PARTS = ("input_text", "input_image", "input_file")
_LEAST_TOKENS = 16
_MODEL_PARTS = ("output_text", "refusal")


def check(body: JsonObject) -> None:
    """Raises `RefusedError` for a body that breaks a rule."""
    for name in ("model", "input"):
        if name not in body:
            refuse_missing(name)
    check_limit(body.get("max_output_tokens"), "max_output_tokens", _LEAST_TOKENS)
    _check_tools(body)
    items = body["input"]
    if isinstance(items, str):
        return
    if not isinstance(items, list):
        refuse_type("input", "one of a string or array of objects", items)
    walk = _Walk()
    for place, item in enumerate(items):
        if not isinstance(item, dict):
            refuse_type(f"input[{place}]", "an object", item)
        walk.step(item, f"input[{place}]")
    walk.end()


def _check_tools(body: JsonObject) -> None:
    names = set()
    for place, tool in enumerate(objects(body.get("tools"))):
        if tool.get("type") == "function":
            names.add(check_name(tool.get("name"), f"tools[{place}].name"))
            check_schema(tool, f"tools[{place}].parameters")
    choice = body.get("tool_choice")
    if choice == "required" and not names:
        refuse("Tool choice 'required' must be specified with 'tools' parameter.", "tool_choice")
    wanted = text(member(choice, "name"))
    if wanted and wanted not in names:
        refuse(f"Tool choice 'function' '{wanted}' not found in 'tools' parameter.", "tool_choice")


@dataclass(slots=True)
class _Walk:
    """Goes through the input items and remembers what is still owed."""

    open_calls: deque[str] = field(default_factory=deque)
    answering: bool = False
    reasoning: str = ""
    item_ids: set[str] = field(default_factory=set)

    def step(self, item: JsonObject, where: str) -> None:
        self._check_item_id(item)
        match item.get("type", "message"):
            case "reasoning":
                self._settle()
                self._check_reasoning(item, where)
                return
            case "function_call":
                self._take_call(item, where)
            case "function_call_output":
                self._take_output(item, where)
            case "message":
                self._take_message(item, where)
            case "item_reference":
                self._settle()
            case other:
                refuse(
                    f"Invalid value: '{other}'. Supported values are: 'function_call', "
                    "'function_call_output', 'item_reference', 'message', and 'reasoning'.",
                    where,
                    "invalid_value",
                )
        self.reasoning = ""

    def end(self) -> None:
        self._refuse_bare_reasoning()
        if self.open_calls:
            refuse(f"No tool output found for function call {self.open_calls[0]}.", "input")

    def _settle(self) -> None:
        """What begins anew may do so only once the outputs that were begun are all there."""
        if self.answering and self.open_calls:
            refuse(f"No tool output found for function call {self.open_calls[0]}.", "input")
        self.answering = False

    def _take_call(self, item: JsonObject, where: str) -> None:
        self._settle()
        call_id = check_id(item.get("call_id"), f"{where}.call_id")
        check_name(item.get("name"), f"{where}.name")
        if not isinstance(item.get("arguments"), str):
            refuse_type(f"{where}.arguments", "a string", item.get("arguments"))
        self.open_calls.append(call_id)

    def _take_output(self, item: JsonObject, where: str) -> None:
        self._refuse_bare_reasoning()
        call_id = check_id(item.get("call_id"), f"{where}.call_id")
        if not isinstance(item.get("output"), str | list):
            refuse_type(
                f"{where}.output", "one of a string or array of objects", item.get("output")
            )
        if call_id not in self.open_calls:
            refuse(f"No tool call found for function call output with call_id {call_id}.", "input")
        if call_id != self.open_calls[0]:
            refuse(f"No tool output found for function call {self.open_calls[0]}.", "input")
        self.open_calls.popleft()
        self.answering = True

    def _take_message(self, item: JsonObject, where: str) -> None:
        role = item.get("role")
        if role == "assistant":
            self._settle()
            _check_parts(item.get("content"), where, _MODEL_PARTS)
            return
        self._refuse_bare_reasoning()
        if self.open_calls:
            refuse(f"No tool output found for function call {self.open_calls[0]}.", "input")
        self.answering = False
        if role not in ("user", "system", "developer"):
            refuse(
                f"Invalid value: '{role}'. Supported values are: 'assistant', 'system', "
                "'developer', and 'user'.",
                f"{where}.role",
                "invalid_value",
            )
        _check_parts(item.get("content"), where, _USER_PARTS)

    def _check_reasoning(self, item: JsonObject, where: str) -> None:
        if not isinstance(item.get("summary"), list):
            refuse_missing(f"{where}.summary")
        token = item.get("encrypted_content")
        if isinstance(token, str) and not can_decrypt(token):
            refuse(
                f"The encrypted content {token[:8]}... could not be verified. Reason: Encrypted "
                "content could not be decrypted or parsed.",
                code="invalid_encrypted_content",
            )
        self.reasoning = text(item.get("id")) or "rs_"

    def _refuse_bare_reasoning(self) -> None:
        if self.reasoning:
            refuse(
                f"Item '{self.reasoning}' of type 'reasoning' was provided without its required "
                "following item.",
                "input",
            )

    def _check_item_id(self, item: JsonObject) -> None:
        item_id = text(item.get("id"))
        if item_id and item_id in self.item_ids:
            refuse(
                f"Duplicate item found with id {item_id}. Remove duplicate items from your input "
                "and try again.",
                "input",
            )
        self.item_ids.add(item_id)


def _check_parts(content: object, where: str, allowed: tuple[str, ...]) -> None:
    if content is None:
        refuse_missing(f"{where}.content")
    for place, part in enumerate(objects(content)):
        if part.get("type") not in allowed:
            names = " and ".join(f"'{name}'" for name in allowed)
            param = f"{where}.content[{place}]"
            message = f"Invalid value: '{part.get('type')}'. Supported values are: {names}."
            refuse(message, param, "invalid_value")
