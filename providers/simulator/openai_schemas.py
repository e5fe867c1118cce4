"""Which schemas of a tool's arguments do OpenAI's servers refuse, and with which words?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from providers.simulator.openai_words import refuse
from providers.simulator.reading import member, text
from tools.call import JsonObject

Context: TypeAlias = tuple[str, ...]
"""Where in a schema: the names on the way to it."""

_CODE = "invalid_function_parameters"


def check_schema(function: JsonObject, param: str) -> None:
    """Raises the refusal of a function whose parameters are no schema that OpenAI takes."""
    schema = function.get("parameters")
    if schema is None:
        return
    name = text(function.get("name"))
    kind = member(schema, "type")
    if kind != "object":
        got = f'"{kind}"' if isinstance(kind, str) else '"None"'
        _refuse(
            name, f"schema must be a JSON Schema of 'type: \"object\"', got 'type: {got}'.", param
        )
    for context, part in _parts(schema, ()):
        if trouble := _trouble(part, strict=function.get("strict") is True):
            _refuse(name, f"In context={context}, {trouble}", param)


def _refuse(name: str, trouble: str, param: str) -> None:
    refuse(f"Invalid schema for function '{name}': {trouble}", param, _CODE)


def _parts(schema: object, context: Context) -> Iterator[tuple[Context, JsonObject]]:
    """The schema and all inside it, the outermost first."""
    if not isinstance(schema, dict):
        return
    yield context, schema
    properties = schema.get("properties")
    for name, inner in properties.items() if isinstance(properties, dict) else ():
        yield from _parts(inner, (*context, "properties", name))
    yield from _parts(schema.get("items"), (*context, "items"))
    choices = schema.get("anyOf")
    for place, inner in enumerate(choices if isinstance(choices, list) else ()):
        yield from _parts(inner, (*context, "anyOf", str(place)))


def _trouble(schema: JsonObject, *, strict: bool) -> str:
    """What is wrong with this part by itself; "" for nothing."""
    match schema.get("type"):
        case "array" if "items" not in schema:
            return "array schema missing items."
        case "object" if not isinstance(schema.get("properties"), dict):
            return "object schema missing properties."
        case "object" if strict:
            return _not_strict(schema)
        case _:
            return "'default' is not permitted." if strict and "default" in schema else ""


def _not_strict(schema: JsonObject) -> str:
    if schema.get("additionalProperties") is not False:
        return "'additionalProperties' is required to be supplied and to be false."
    required = schema.get("required")
    known = required if isinstance(required, list) else []
    missing = next((name for name in schema["properties"] if name not in known), None)
    if missing is None:
        return ""
    return (
        "'required' is required to be supplied and to be an array including every key in "
        f"properties. Missing '{missing}'."
    )
