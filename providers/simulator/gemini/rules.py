"""Which requests does Gemini's server refuse, and with which words?

Calls are matched with their responses by place; where a call has an id, its response names it.
"""

from __future__ import annotations

import re
from typing import NoReturn

from providers.simulator.gemini.writer import call_signature
from providers.simulator.reading import objects, text
from providers.simulator.refusal import Refusal, RefusedError
from providers.simulator.seals import is_same_base64
from tools.call import JsonObject

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.:-]{0,127}")
_FOREIGN_SIGNATURE = "skip_thought_signature_validator"
"""Documented for calls that another model wrote."""


def refuse(message: str) -> NoReturn:
    """Raises what the server answers to an invalid request."""
    raise RefusedError(Refusal(400, message, "INVALID_ARGUMENT"))


def check(body: JsonObject, *, signed: bool) -> None:
    """Raises `RefusedError` for a body that breaks a rule; `signed`: signatures are demanded."""
    contents = objects(body.get("contents"))
    if not contents:
        refuse("* GenerateContentRequest.contents: contents is not specified\n")
    _check_tools(body)
    waiting: list[JsonObject] = []
    for place, content in enumerate(contents):
        where = f"contents[{place}]"
        parts = objects(content.get("parts"))
        _check_parts(content, parts, where)
        responses = _members(parts, "functionResponse")
        if responses and not waiting:
            refuse(
                "Please ensure that function response turn comes immediately after a function "
                "call turn."
            )
        if waiting:
            _match(waiting, responses)
        waiting = _members(parts, "functionCall")
        if waiting and place == 0:
            refuse(
                "Please ensure that function call turn comes immediately after a user turn or "
                "after a function response turn."
            )
        if waiting and signed:
            _check_signature(parts, place)
    if waiting:
        _match(waiting, [])


def _check_tools(body: JsonObject) -> None:
    names = set()
    for place, tool in enumerate(objects(body.get("tools"))):
        declared = objects(tool.get("functionDeclarations"))
        if not declared:
            refuse(
                f"* GenerateContentRequest.tools[{place}].tool_type: required one_of 'tool_type' "
                "must have one initialized field\n"
            )
        for at, declaration in enumerate(declared):
            where = f"tools[{place}].function_declarations[{at}]"
            _check_declaration(declaration, where)
            name = text(declaration.get("name"))
            if name in names:
                refuse(f"Duplicate function declaration found: {name}")
            names.add(name)
    calling = (body.get("toolConfig") or {}).get("functionCallingConfig") or {}
    if calling.get("mode") == "ANY" and not names:
        refuse("Function calling config is set without function_declarations.")
    unknown = [name for name in calling.get("allowedFunctionNames") or [] if name not in names]
    if unknown:
        refuse(
            "* GenerateContentRequest.tool_config.function_calling_config."
            f"allowed_function_names: {unknown[0]} is not declared in function_declarations\n"
        )


def _check_declaration(declaration: JsonObject, where: str) -> None:
    if not _NAME.fullmatch(text(declaration.get("name"))):
        refuse(
            f"* GenerateContentRequest.{where}.name: [FIELD_INVALID] Invalid function name. Must "
            "start with a letter or an underscore. Must be alphanumeric (a-z, A-Z, 0-9), "
            "underscores (_), dots (.), colons (:), or dashes (-), with a maximum length of "
            "128.\n"
        )
    parameters = declaration.get("parameters")
    for unknown in ("additionalProperties", "$ref", "$defs"):
        if isinstance(parameters, dict) and unknown in parameters:
            refuse(
                f'Invalid JSON payload received. Unknown name "{unknown}" at '
                f"'{where}.parameters': Cannot find field."
            )


def _check_parts(content: JsonObject, parts: list[JsonObject], where: str) -> None:
    if content.get("role", "user") not in ("user", "model"):
        refuse("Please use a valid role: user, model.")
    if not parts:
        refuse(f"* GenerateContentRequest.{where}.parts: contents.parts must not be empty.\n")
    for at, part in enumerate(parts):
        for name, member in (("functionCall", "args"), ("functionResponse", "response")):
            value = part.get(name)
            if not isinstance(value, dict):
                continue
            field = f"{'function_call' if member == 'args' else 'function_response'}"
            if not _NAME.fullmatch(text(value.get("name"))):
                refuse(
                    f"* GenerateContentRequest.{where}.parts[{at}].{field}.name: Name cannot be "
                    "empty or hold other characters.\n"
                )
            if not isinstance(value.get(member, {}), dict) or (
                member == "response" and member not in value
            ):
                refuse(
                    f"Invalid value at '{where}.parts[{at}].{field}.{member}' "
                    f'(type.googleapis.com/google.protobuf.Struct), "{value.get(member)}"'
                )


def _members(parts: list[JsonObject], name: str) -> list[JsonObject]:
    return [part[name] for part in parts if isinstance(part.get(name), dict)]


def _match(calls: list[JsonObject], responses: list[JsonObject]) -> None:
    asked = [(call.get("name"), call.get("id")) for call in calls]
    if asked != [(given.get("name"), given.get("id")) for given in responses]:
        refuse(
            "Please ensure that the number of function response parts is equal to the number of "
            "function call parts of the function call turn."
        )


def _check_signature(parts: list[JsonObject], place: int) -> None:
    """Google checks the turn under way only; we hold every turn to it."""
    first = next(part for part in parts if isinstance(part.get("functionCall"), dict))
    call, signature = first["functionCall"], text(first.get("thoughtSignature"))
    if not signature:
        refuse(
            "Function call is missing a thought_signature in functionCall parts. This is required "
            "for tools to work correctly, and missing thought_signature may lead to degraded "
            f"model performance. Additional data, function call `default_api:{call.get('name')}` "
            f", position {place + 1}. Please refer to "
            "https://ai.google.dev/gemini-api/docs/thought-signatures for more details."
        )
    ours = call_signature(text(call.get("name")))
    if signature != _FOREIGN_SIGNATURE and not is_same_base64(signature, ours):
        refuse("Corrupted thought signature.")
