"""How a turn is written anew for a model that did not write it, and how results are told.

The words that all dialects share; each puts them in its own envelope.
"""

from __future__ import annotations

import json
from typing import Any

from providers.history import AssistantTurn
from tools.call import AnyCall, BrokenCall, JsonObject, ToolCall, ToolError, ToolResult

UNREADABLE = "unreadable_arguments"
"""The one argument of a broken call that is written anew: the text that the model had sent."""


def replayable(turn: AssistantTurn, dialect: str, model: str) -> bool:
    """Whether the turn's own items go back unchanged: reasoning and signatures are bound to the
    model that wrote them. A turn that the person stopped has none."""
    return bool(turn.native) and turn.origin.dialect == dialect and turn.origin.model == model


def arguments_of(call: AnyCall) -> JsonObject:
    """The arguments as an object, which is all that a stranger's history accepts."""
    match call:
        case ToolCall(args=args):
            return args
        case BrokenCall(raw=raw):
            return {UNREADABLE: raw}


def result_text(result: ToolResult) -> str:
    """The result as one text: a text as it is, anything else as JSON."""
    if result.error is not None:
        return compact(result_object(result))
    return result.output if isinstance(result.output, str) else compact(result.output)


def result_object(result: ToolResult) -> JsonObject:
    """The result as `{"output": …}` or `{"error": {…}}`."""
    if result.error is None:
        return {"output": result.output}
    return {"error": _error_object(result.error)}


def compact(value: Any) -> str:
    """The value as JSON, in as few tokens as it takes."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _error_object(error: ToolError) -> JsonObject:
    told: JsonObject = {"kind": error.kind.value, "message": error.message}
    if error.problems:
        told["problems"] = [
            {"field": problem.field, "wanted": problem.wanted, "got": problem.got}
            for problem in error.problems
        ]
    return told
