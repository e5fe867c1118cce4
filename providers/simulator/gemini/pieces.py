"""How does Vertex stream the arguments of one call? As pieces that each set the value at a path.

A text comes in several pieces and is closed by an empty one; the call is closed by an empty
`functionCall`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from providers.simulator.dice import Dice
from tools.call import JsonObject

_PLAIN_NAME = re.compile(r"\w+")


def call_pieces(call: JsonObject, dice: Dice) -> Iterator[JsonObject]:
    """The `functionCall`s that together say what `call`, whole, says."""
    yield {name: value for name, value in call.items() if name != "args"} | {"willContinue": True}
    for piece in _pieces(call["args"], "$", dice):
        yield {"partialArgs": [piece], "willContinue": True}
    yield {}


def _pieces(value: object, path: str, dice: Dice) -> Iterator[JsonObject]:
    match value:
        case dict():
            for name, inner in value.items():
                step = f".{name}" if _PLAIN_NAME.fullmatch(name) else f"[{json.dumps(name)}]"
                yield from _pieces(inner, path + step, dice)
        case list():
            for place, inner in enumerate(value):
                yield from _pieces(inner, f"{path}[{place}]", dice)
        case str():
            for crumb in dice.crumbs(value):
                yield {"jsonPath": path, "stringValue": crumb, "willContinue": True}
            yield {"jsonPath": path, "stringValue": ""}
        case bool():
            yield {"jsonPath": path, "boolValue": value}
        case None:
            yield {"jsonPath": path, "nullValue": "NULL_VALUE"}
        case _:
            yield {"jsonPath": path, "numberValue": value}
