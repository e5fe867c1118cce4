"""How a Pydantic model becomes a JSON Schema that every provider accepts.

Providers and local servers differ in what they refuse, so the small form has only what all of
them take: references are inlined, titles and defaults go, `const` is an `enum` of one, a tuple is
a list of fixed length, null is left out where the argument may be left out anyway. What a keyword
said and no longer may say is put in words at the end of the description: the model still hears
it, and the arguments are checked against the full Pydantic model in any case.

The strict form (OpenAI's and Anthropic's `strict: true`) also names every property as required,
makes the optional ones nullable, and closes each object.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import cache
from typing import TypeAlias

from pydantic import BaseModel
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import core_schema

from tools.call import JsonObject

Definitions: TypeAlias = Mapping[str, JsonObject]

IN_WORDS: Mapping[str, str] = {
    "minimum": "at least {}",
    "exclusiveMinimum": "more than {}",
    "maximum": "at most {}",
    "exclusiveMaximum": "less than {}",
    "multipleOf": "a multiple of {}",
    "minLength": "length at least {}",
    "maxLength": "length at most {}",
    "pattern": "matching {}",
    "format": "format {}",
    "minItems": "at least {} items",
    "maxItems": "at most {} items",
    "default": "default {}",
}
"""Keyword → how a description says it."""

LOOSE = ("minimum", "maximum", "minItems", "maxItems")
"""The bounds that every provider takes outside its strict mode; the strict ones refuse some."""

NULL: JsonObject = {"type": "null"}
SCALARS = ("string", "number", "integer", "boolean")


@cache
def parameters_of(model: type[BaseModel]) -> JsonObject:
    """The small schema of a model, made once. Raises TypeError for a model that holds itself."""
    schema = model.model_json_schema(schema_generator=_Generator)
    definitions = schema.pop("$defs", {})
    schema.pop("description", None)  # the tool's own description stands beside the schema
    return _small(schema, definitions, ())


@cache
def strict_parameters_of(model: type[BaseModel]) -> JsonObject | None:
    """The strict schema of a model; None where it has a free-form part, which no strict mode
    can promise."""
    try:
        return _strict(parameters_of(model))
    except _FreeFormError:
        return None


class _Generator(GenerateJsonSchema):
    def decimal_schema(self, schema: core_schema.DecimalSchema) -> JsonSchemaValue:
        """A number only: Pydantic would also offer a string, which we refuse in arguments."""
        json_schema: JsonSchemaValue = {"type": "number"}
        self.update_with_validations(json_schema, schema, self.ValidationsMapping.numeric)
        return json_schema


class _FreeFormError(Exception):
    """A part of the schema takes keys or types that it does not name."""


def _small(node: JsonObject, definitions: Definitions, trail: tuple[str, ...]) -> JsonObject:
    """One node of the schema, small. `trail` holds the definitions that it stands in."""
    if "$ref" in node:
        name = node["$ref"].removeprefix("#/$defs/")
        if name in trail:
            message = f"{name} holds itself: such arguments have no finite schema"
            raise TypeError(message)
        beside = {key: value for key, value in node.items() if key != "$ref"}
        return _small({**definitions[name], **beside}, definitions, (*trail, name))
    options = node.get("anyOf") or node.get("oneOf")
    if options:
        shape = _choice([_small(option, definitions, trail) for option in options])
    else:
        shape = _plain(node, definitions, trail)
    return _described(shape, node, (key for key in IN_WORDS if key in node and key not in shape))


def _choice(options: list[JsonObject]) -> JsonObject:
    some = [option for option in options if option != NULL]
    shape = dict(some[0]) if len(some) == 1 else {"anyOf": some}
    return _nullable(shape) if NULL in options else shape


def _nullable(shape: JsonObject) -> JsonObject:
    """The same, or null: a list of types where that says it, else one more choice."""
    if shape.get("type") in SCALARS:
        known = {"enum": [*shape["enum"], None]} if "enum" in shape else {}
        return {**shape, "type": [shape["type"], "null"], **known}
    if "anyOf" in shape:
        return {**shape, "anyOf": [*shape["anyOf"], NULL]}
    return {"anyOf": [shape, NULL]}


def _plain(node: JsonObject, definitions: Definitions, trail: tuple[str, ...]) -> JsonObject:
    """A node that is no choice: its type and what belongs to that type."""
    shape: JsonObject = {key: node[key] for key in ("type", "enum", *LOOSE) if key in node}
    if "const" in node:
        shape["enum"] = [node["const"]]
    if node.get("type") == "integer":
        if "exclusiveMinimum" in node:
            shape["minimum"] = node["exclusiveMinimum"] + 1
        if "exclusiveMaximum" in node:
            shape["maximum"] = node["exclusiveMaximum"] - 1
    if node.get("type") == "array":
        shape["items"] = _items(node, definitions, trail)
    if node.get("type") == "object":
        shape.update(_members(node, definitions, trail))
    return shape


def _items(node: JsonObject, definitions: Definitions, trail: tuple[str, ...]) -> JsonObject:
    """What a list holds. A tuple becomes a list of any of its kinds; its length stays fixed."""
    kinds: list[JsonObject] = []
    for kind in node.get("prefixItems", [node.get("items", {})]):
        small = _small(kind, definitions, trail)
        if small not in kinds:
            kinds.append(small)
    return kinds[0] if len(kinds) == 1 else {"anyOf": kinds}


def _members(node: JsonObject, definitions: Definitions, trail: tuple[str, ...]) -> JsonObject:
    """`properties`, `required` and, for a map, `additionalProperties`."""
    required = node.get("required", [])
    properties = {
        name: _small(value if name in required else _without_null(value), definitions, trail)
        for name, value in node.get("properties", {}).items()
    }
    members: JsonObject = {"properties": properties}
    if required:
        members["required"] = list(required)
    rest = node.get("additionalProperties")
    if isinstance(rest, dict):
        members["additionalProperties"] = _small(rest, definitions, trail)
    elif rest is True:
        members["additionalProperties"] = True
    return members


def _without_null(node: JsonObject) -> JsonObject:
    if "anyOf" not in node:
        return node
    return {**node, "anyOf": [option for option in node["anyOf"] if option != NULL]}


def _described(shape: JsonObject, node: JsonObject, keywords: Iterable[str]) -> JsonObject:
    """The shape with its description: the node's own, then the keywords of the node in words."""
    integer = shape.get("type") == "integer"
    words = [
        IN_WORDS[key].format(_written(node[key]))
        for key in keywords
        if node[key] is not None and not (integer and key.startswith("exclusive"))
    ]
    own = node.get("description") or shape.get("description", "")
    hint = f"({', '.join(words)})" if words else ""
    description = " ".join(text for text in (own, hint) if text)
    return {**shape, "description": description} if description else shape


def _written(value: object) -> str:
    return value if isinstance(value, str) and value else json.dumps(value, ensure_ascii=False)


def _strict(node: JsonObject) -> JsonObject:
    """A small node in the strict form; raises _FreeFormError."""
    if "anyOf" in node:
        return {**node, "anyOf": [_strict(option) for option in node["anyOf"]]}
    if "type" not in node:
        raise _FreeFormError
    shape = {key: value for key, value in node.items() if key not in LOOSE}
    if node["type"] == "array":
        shape["items"] = _strict(node["items"])
    if node["type"] == "object":
        if node.get("additionalProperties"):
            raise _FreeFormError
        required = node.get("required", [])
        shape["properties"] = {
            name: _strict(value) if name in required else _nullable(_strict(value))
            for name, value in node["properties"].items()
        }
        shape["required"] = list(node["properties"])
        shape["additionalProperties"] = False
    return _described(shape, node, (key for key in LOOSE if key in node))
