"""How a tool's result is told to a model, the same in every dialect."""

from __future__ import annotations

from providers.json_text import written
from tools.call import JsonObject, ToolError, ToolResult


def result_text(result: ToolResult) -> str:
    """The result as one text: a text output as it is, everything else as JSON."""
    if result.error is not None:
        return json_line({"error": error_object(result.error)})
    return result.output if isinstance(result.output, str) else json_line(result.output)


def error_object(error: ToolError) -> JsonObject:
    """The error with the fields that a model needs to mend its call."""
    told: JsonObject = {"kind": error.kind.value, "message": error.message}
    if error.problems:
        told["problems"] = [
            {"field": problem.field, "wanted": problem.wanted, "got": problem.got}
            for problem in error.problems
        ]
    return told


def json_line(value: object) -> str:
    """The value as JSON without line breaks, in the characters that it holds."""
    return written(value)
