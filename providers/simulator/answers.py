"""How is a tool's result said in a sentence? It may be any JSON, or plain text."""

from __future__ import annotations

import json
import re
from decimal import Decimal

from pydantic import JsonValue

from providers.simulator.phrases import Phrases
from providers.simulator.reading import compact, member
from providers.simulator.reading import text as text_of

_VALUES = ("value", "result", "text", "content", "output", "saved", "order", "name")
_LONGEST_NUMBER = 16
_LISTS = ("files", "matches", "orders", "entries", "results", "items", "lines")


def say_result(subject: str, result: str, phrases: Phrases) -> str:
    """The sentence of a subject with a result in it."""
    parsed = parsed_result(result)
    value = said_value(parsed, phrases)
    name = text_of(member(parsed, "path"))
    return phrases.say(subject, value=value, name=name) if value else phrases.say("nothing")


def parsed_result(result: str) -> JsonValue:
    """A result as JSON; as a text where it is none."""
    try:
        value: JsonValue = json.loads(result)
    except ValueError:
        return result
    return value


def said_value(value: object, phrases: Phrases) -> str:
    """What a result is worth in a sentence; "" when that is nothing."""
    match value:
        case None:
            return ""
        case bool():
            return compact(value)
        case int() | float():
            return f"{value:.15g}".replace(".", phrases.decimal)
        case str():
            return _number_here(value, phrases)
        case list():
            return "\n".join(f"- {_line(item)}" for item in value)
        case {"id": int(), "item": str(), "status": str()}:
            return _line(value)
        case dict():
            return _member(value, phrases)
    return compact(value)


def _member(value: dict[str, object], phrases: Phrases) -> str:
    """The telling member of an object, with its unit."""
    for name in (*_VALUES, *_LISTS):
        if name in value:
            unit = value.get("unit")
            said = said_value(value[name], phrases)
            return f"{said} {unit}" if said and isinstance(unit, str) else said
    return compact(value)


def _line(item: object) -> str:
    """One entry of a list: a file, or a place where something was found."""
    match item:
        case {"path": str(path), "line": int(number), "text": str(text)}:
            return f"`{path}:{number}` {text.strip()}"
        case {"id": int(number), "item": str(thing), "status": str(status)}:
            return f"{number} · {thing} · {status}"
        case {"path": str(path)} | {"name": str(path)}:
            return f"`{path}`"
        case str():
            return f"`{item}`"
    return compact(item)


def _number_here(text: str, phrases: Phrases) -> str:
    """A text; if it is a decimal and nothing else, in the language's own writing and not long."""
    if not re.fullmatch(r"-?\d+\.\d+", text):
        return text
    if len(text) > _LONGEST_NUMBER:
        text = f"≈ {Decimal(text):.10g}"
    return text.replace(".", phrases.decimal)
