"""How is a tool's result said in a sentence? It may be any JSON, or plain text."""

from __future__ import annotations

import json
import re
from decimal import Decimal

from providers.simulator.phrases import Phrases
from providers.simulator.reading import compact

_VALUES = ("value", "result", "text", "content", "output")
_LONGEST_NUMBER = 16
_LISTS = ("files", "matches", "entries", "results", "items", "lines")


def say_result(subject: str, result: str, phrases: Phrases) -> str:
    """The sentence of a subject with a result in it."""
    value = _value(_parsed(result), phrases)
    return phrases.say(subject, value=value) if value else phrases.say("nothing")


def _parsed(result: str) -> object:
    try:
        return json.loads(result)
    except ValueError:
        return result


def _value(value: object, phrases: Phrases) -> str:
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
        case dict():
            return _member(value, phrases)
    return compact(value)


def _member(value: dict[str, object], phrases: Phrases) -> str:
    """The telling member of an object, with its unit."""
    for name in (*_VALUES, *_LISTS):
        if name in value:
            unit = value.get("unit")
            said = _value(value[name], phrases)
            return f"{said} {unit}" if said and isinstance(unit, str) else said
    return compact(value)


def _line(item: object) -> str:
    """One entry of a list: a file, or a place where something was found."""
    match item:
        case {"path": str(path), "line": int(number), "text": str(text)}:
            return f"`{path}:{number}` {text.strip()}"
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
