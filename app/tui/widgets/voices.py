"""The same call and its result as three providers would write them, one below the other.

Nothing is written by hand here: each dialect encodes the call as it would for a request, and the
items are taken out of that.
"""

from __future__ import annotations

import json
from dataclasses import dataclass

from app.call_views import CallView
from app.messages import Messages
from app.tui.ink import Ink, Line, Piece, clip, coloured, outside, titled
from app.tui.json_prefix import JsonPrefix
from providers.dialects import dialect
from providers.history import AssistantTurn, Origin, ToolTurn, UserTurn
from providers.request import Request
from tools.call import JsonObject, ToolCall, ToolResult

FIELD_CELLS = 12
SHOWN_CHARACTERS = 400


@dataclass(frozen=True, slots=True)
class Voice:
    """A provider's way of writing. `call` and `result` are the paths of the items in a body."""

    title: str
    dialect: str
    ink: Ink
    call: tuple[str | int, ...]
    result: tuple[str | int, ...]


VOICES = (
    Voice("OpenAI", "openai-responses", Ink.OPENAI, ("input", 1), ("input", 2)),
    Voice(
        "Anthropic",
        "anthropic",
        Ink.ANTHROPIC,
        ("messages", 1, "content", 0),
        ("messages", 2, "content", 0),
    ),
    Voice(
        "Google",
        "gemini",
        Ink.GOOGLE,
        ("contents", 1, "parts", 0, "functionCall"),
        ("contents", 2, "parts", 0, "functionResponse"),
    ),
)


def voices_lines(view: CallView, messages: Messages, width: int) -> list[Line]:
    """A heading, then for each voice the call and its result, field by field."""
    title = messages("panel.voices")
    if not isinstance(view.call, ToolCall):
        note = "panel.command_not_yet" if not view.torn else "panel.command_never"
        return titled(title, messages(note), width)
    lines = titled(title, messages("panel.voices_note"), width)
    for voice in VOICES:
        call, result = written(voice, view.call, view.result)
        lines += [(), clip([Piece(voice.title, voice.ink)], width)]
        lines += _item_lines(call, width, "  ")
        if view.result is not None:
            lines += _item_lines(result, width, "↩ ")
    return lines


def written(
    voice: Voice, call: ToolCall, result: ToolResult | None
) -> tuple[JsonObject, JsonObject]:
    """The call and its result as this voice writes them; an empty result while there is none."""
    origin = Origin(call.provider, voice.dialect, "any")
    answer = ToolResult(call.call_id, call.name, result.output if result else None)
    if result is not None and result.error is not None:
        answer = ToolResult(call.call_id, call.name, error=result.error)
    history = (UserTurn("?"), AssistantTurn((call,), origin), ToolTurn((answer,)))
    body = dialect(voice.dialect).encode(Request("any", history)).body
    return _item(body, voice.call), _item(body, voice.result)


def _item(body: object, path: tuple[str | int, ...]) -> JsonObject:
    for step in path:
        match body, step:
            case dict(), str():
                body = body.get(step)
            case list(), int():
                body = body[step]
    return body if isinstance(body, dict) else {}


def _item_lines(item: JsonObject, width: int, mark: str) -> list[Line]:
    """The item's fields, `mark` at the first, with the kind of the values that differ."""
    lines: list[Line] = []
    for name, value in item.items():
        text = json.dumps(value, ensure_ascii=False, default=str)[:SHOWN_CHARACTERS]
        label = Piece(f"{'  ' if lines else mark}{name:<{FIELD_CELLS}}", Ink.DIM)
        kind = _kind(name, value)
        room = width - len(kind) - (2 if kind else 0)
        shown = clip([label, *coloured(JsonPrefix().feed(text))], room)
        lines.append((*shown, outside(f"  {kind}" if kind else "", Ink.WAITING)))
    return lines


def _kind(name: str, value: object) -> str:
    if name not in ("arguments", "input", "args", "output", "content", "response"):
        return ""
    return "object" if isinstance(value, dict) else "string" if isinstance(value, str) else "list"
