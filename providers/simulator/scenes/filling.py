"""How do results get into a scene's texts and arguments? `{height.value}` is one's place.

Nothing is evaluated: a placeholder is the name of a call and the way into its result. What comes
from a result is not looked through for placeholders again. `{{` and `}}` are braces.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import TypeAlias

from pydantic import JsonValue

from providers.simulator.answers import parsed_result, said_value
from providers.simulator.phrases import Phrases

Results: TypeAlias = Mapping[str, str]
"""The name of a call → its result, as the client wrote it."""

_PLACE = re.compile(r"\{\{|\}\}|\{([A-Za-z_][\w-]*(?:\.[\w-]+)*)\}")


class MissingValueError(LookupError):
    """A result does not hold what a placeholder names."""


def placeholders(value: JsonValue) -> Iterator[str]:
    """The placeholders of a text, or of all texts in a value, without their braces."""
    match value:
        case str():
            yield from (found[1] for found in _PLACE.finditer(value) if found[1])
        case list():
            for item in value:
                yield from placeholders(item)
        case dict():
            for item in value.values():
                yield from placeholders(item)
        case _:
            pass


def filled_text(text: str, results: Results, phrases: Phrases) -> str:
    """The text with its results, said as the language says them. Raises MissingValueError."""

    def said(found: re.Match[str]) -> str:
        if found[1] is None:
            return found[0][0]
        value = said_value(_value(found[1], results), phrases)
        if not value:
            raise MissingValueError(found[1])
        return value

    return _PLACE.sub(said, text)


def filled_value(value: JsonValue, results: Results) -> JsonValue:
    """Arguments with their results. A text that is a placeholder and nothing else becomes the
    value itself. Raises MissingValueError."""
    match value:
        case str():
            whole = _PLACE.fullmatch(value)
            if whole and whole[1]:
                return _value(whole[1], results)
            return _PLACE.sub(lambda found: _written(found, results), value)
        case list():
            return [filled_value(item, results) for item in value]
        case dict():
            return {key: filled_value(item, results) for key, item in value.items()}
        case _:
            return value


def _written(found: re.Match[str], results: Results) -> str:
    if found[1] is None:
        return found[0][0]
    value = _value(found[1], results)
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _value(place: str, results: Results) -> JsonValue:
    """What a placeholder names."""
    name, *steps = place.split(".")
    if name not in results:
        raise MissingValueError(place)
    value = parsed_result(results[name])
    for step in steps:
        match value:
            case dict() if step in value:
                value = value[step]
            case list() if step.isdecimal() and int(step) < len(value):
                value = value[int(step)]
            case _:
                raise MissingValueError(place)
    return value
