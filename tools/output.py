"""How what a tool returned becomes a result's output: plain JSON, and not too much of it."""

from __future__ import annotations

import json
from typing import cast

from tools.tool import OUTPUT_BYTES, JsonValue

CUT = "[cut: the result had {size} bytes and {limit} is the most; ask for less at a time]"


def as_json(output: object, limit: int = OUTPUT_BYTES) -> JsonValue:
    """The output as plain JSON values that share nothing with the tool, cut with a note if it has
    more than `limit` bytes.

    A text that is too long keeps its start; any other value becomes the start of its JSON text.
    Half surrogates, which no provider takes, become `?`. Raises TypeError or ValueError for what
    is no JSON.
    """
    text = json.dumps(output, ensure_ascii=False, allow_nan=False)
    data = text.encode("utf-8", "replace")
    if len(data) <= limit:
        return cast(JsonValue, json.loads(data))
    whole = output.encode("utf-8", "replace") if isinstance(output, str) else data
    return _start(whole, size=len(data), limit=limit)


def short_text(text: str, limit: int) -> str:
    """A text that can be written anywhere, cut with a note if it has more than `limit` bytes."""
    data = text.encode("utf-8", "replace")
    return data.decode() if len(data) <= limit else _start(data, size=len(data), limit=limit)


def _start(data: bytes, size: int, limit: int) -> str:
    """As much of the start as leaves room for the note, whatever JSON has to escape in it."""
    note = CUT.format(size=size, limit=limit)
    room = limit - len(note) - len('"\\n"')
    kept = data[: max(room, 0)].decode("utf-8", "ignore")
    while kept and (over := _size(kept) - room) > 0:
        kept = kept[: -max(over // 6, 1)]
    return f"{kept}\n{note}"


def _size(text: str) -> int:
    return len(json.dumps(text, ensure_ascii=False).encode()) - 2
