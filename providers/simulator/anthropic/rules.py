"""Which requests does Anthropic's server refuse, and with which words?

The results stand at the start of the message after their calls. The real server takes them in any
order; we hold to the calls' order, with the words it has for a missing result.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NoReturn

from providers.simulator.anthropic.reader import Message, merged
from providers.simulator.reading import member, objects, text
from providers.simulator.refusal import Refusal, RefusedError
from providers.simulator.seals import is_seal
from tools.call import JsonObject

_ID = re.compile(r"[a-zA-Z0-9_-]+")
_NAME = re.compile(r"[a-zA-Z0-9_-]{1,128}")


def refuse(message: str) -> NoReturn:
    """Raises what the server answers to an invalid request."""
    raise RefusedError(Refusal(400, message, "invalid_request_error"))


def check(body: JsonObject, headers: Mapping[str, str]) -> None:
    """Raises `RefusedError` for a request that breaks a rule."""
    if "anthropic-version" not in headers:
        refuse("anthropic-version: header is required")
    for name in ("model", "max_tokens", "messages"):
        if name not in body:
            refuse(f"{name}: Field required")
    if not isinstance(body["max_tokens"], int) or body["max_tokens"] < 1:
        refuse("max_tokens: Input should be greater than or equal to 1")
    _check_thinking(body)
    _check_tools(body)
    _check_roles(body["messages"])
    walk = _Walk()
    messages = merged(body["messages"])
    for place, message in enumerate(messages):
        walk.step(place, message, last=place == len(messages) - 1)
    walk.end(len(messages))


def _check_thinking(body: JsonObject) -> None:
    thinking = body.get("thinking")
    if member(thinking, "type") != "enabled":
        return
    budget = member(thinking, "budget_tokens")
    if not isinstance(budget, int) or budget < 1024:
        refuse("thinking.enabled.budget_tokens: Input should be greater than or equal to 1024")
    if budget >= body["max_tokens"]:
        refuse("`max_tokens` must be greater than `thinking.budget_tokens`.")
    if member(body.get("tool_choice"), "type") in ("any", "tool"):
        refuse("Thinking may not be enabled when tool_choice forces tool use.")


def _check_tools(body: JsonObject) -> None:
    names: list[str] = []
    for place, tool in enumerate(objects(body.get("tools"))):
        name = text(tool.get("name"))
        if not _NAME.fullmatch(name):
            refuse(
                f"tools.{place}.custom.name: String should match pattern '^[a-zA-Z0-9_-]{{1,128}}$'"
            )
        if "input_schema" not in tool:
            refuse(f"tools.{place}.custom.input_schema: Field required")
        if member(tool["input_schema"], "type") != "object":
            refuse(f"tools.{place}.custom.input_schema.type: Input should be 'object'")
        if not _is_schema(tool["input_schema"]):
            refuse(
                f"tools.{place}.custom.input_schema: JSON schema is invalid. It must match JSON "
                "Schema draft 2020-12 (https://json-schema.org/draft/2020-12). Learn more about "
                "tool use at https://docs.claude.com/en/docs/tool-use."
            )
        names.append(name)
    if len(set(names)) != len(names):
        refuse("tools: Tool names must be unique.")
    choice = body.get("tool_choice")
    if choice is not None and not names:
        refuse("tool_choice: `tool_choice` may only be specified while providing `tools`.")
    wanted = text(member(choice, "name"))
    if wanted and wanted not in names:
        refuse(f"Tool '{wanted}' not found in provided tools")


def _is_schema(schema: JsonObject) -> bool:
    """Whether what a client gets wrong most is right: the two members that every schema has."""
    required = schema.get("required", [])
    names = isinstance(required, list) and all(isinstance(name, str) for name in required)
    return names and isinstance(schema.get("properties", {}), dict)


def _check_roles(messages: object) -> None:
    if not isinstance(messages, list) or not messages:
        refuse("messages: at least one message is required")
    for message in objects(messages):
        role = message.get("role")
        if role == "system":
            refuse(
                'messages: Unexpected role "system". The Messages API accepts a top-level '
                '`system` parameter, not "system" as an input message role.'
            )
        if role not in ("user", "assistant"):
            refuse(f'messages: Unexpected role "{role}". Allowed roles are "user" or "assistant"')
    if messages[0].get("role") != "user":
        refuse('messages: first message must use the "user" role')


@dataclass(slots=True)
class _Walk:
    """Goes through the messages and remembers which calls wait for their result."""

    waiting: list[str] = field(default_factory=list)
    call_ids: set[str] = field(default_factory=set)

    def step(self, place: int, message: Message, *, last: bool) -> None:
        if not message.blocks and not (last and message.role == "assistant"):
            refuse(
                f"messages.{place}: all messages must have non-empty content except for the "
                "optional final assistant message"
            )
        if message.role == "user":
            self._take_results(place, message.blocks)
        for at, block in enumerate(message.blocks):
            self._check_block(f"messages.{place}.content.{at}", message.role, block)
        if last and message.role == "assistant":
            said = text(message.blocks[-1].get("text")) if message.blocks else ""
            if said != said.rstrip():
                refuse("messages: final assistant content cannot end with trailing whitespace")

    def end(self, place: int) -> None:
        if self.waiting:
            _refuse_unanswered(place - 1, self.waiting)

    def _take_results(self, place: int, blocks: list[JsonObject]) -> None:
        waiting, self.waiting = self.waiting, []
        given: list[str] = []
        for at, block in enumerate(blocks):
            if block.get("type") != "tool_result":
                continue
            call_id = text(block.get("tool_use_id"))
            if call_id in given:
                refuse(
                    f"messages.{place}.content.{at}: each tool_use must have a single result. "
                    f"Found multiple `tool_result` blocks with id: {call_id}"
                )
            if call_id not in waiting:
                refuse(
                    f"messages.{place}.content.{at}: unexpected `tool_use_id` found in "
                    f"`tool_result` blocks: {call_id}. Each `tool_result` block must have a "
                    "corresponding `tool_use` block in the previous message."
                )
            # A result after a text counts as none, as on the real server.
            if at == len(given):
                given.append(call_id)
        if given != waiting:
            missing = [
                call for i, call in enumerate(waiting) if i >= len(given) or given[i] != call
            ]
            _refuse_unanswered(place - 1, missing)

    def _check_block(self, where: str, role: str, block: JsonObject) -> None:
        match block.get("type"):
            case "text":
                if not text(block.get("text")):
                    refuse("messages: text content blocks must be non-empty")
                if not text(block.get("text")).strip():
                    refuse("messages: text content blocks must contain non-whitespace text")
            case "tool_use" if role == "assistant":
                self._take_call(where, block)
            case "tool_result" if role == "user":
                if not isinstance(block.get("content", ""), str | list):
                    refuse(f"{where}.tool_result.content: Input should be a valid string or list")
            case "thinking" if role == "assistant":
                if not is_seal(text(block.get("signature")), text(block.get("thinking"))):
                    refuse(f"{where}: Invalid `signature` in `thinking` block")
            case "redacted_thinking" if role == "assistant":
                refuse(f"{where}: Invalid `data` in `redacted_thinking` block")
            case kind:
                refuse(
                    f"{where}: Input tag '{kind}' found using 'type' does not match any of "
                    "the expected tags for the role"
                )

    def _take_call(self, where: str, block: JsonObject) -> None:
        call_id = block.get("id")
        if not isinstance(call_id, str):
            refuse(f"{where}.tool_use.id: Field required")
        if not _ID.fullmatch(call_id):
            refuse(f"{where}.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'")
        if call_id in self.call_ids:
            refuse(f"{where}: `tool_use` ids must be unique")
        if not _NAME.fullmatch(text(block.get("name"))):
            refuse(f"{where}.tool_use.name: String should match pattern '^[a-zA-Z0-9_-]{{1,128}}$'")
        if not isinstance(block.get("input"), dict):
            refuse(f"{where}.tool_use.input: Input should be a valid dictionary")
        self.call_ids.add(call_id)
        self.waiting.append(call_id)


def _refuse_unanswered(place: int, call_ids: list[str]) -> None:
    refuse(
        f"messages.{place}: `tool_use` ids were found without `tool_result` blocks immediately "
        f"after: {', '.join(call_ids)}. Each `tool_use` block must have a corresponding "
        "`tool_result` block in the next message."
    )
