"""What came of a call, and the words in which a model hears that nothing did.

The messages say what was wanted, what came and what to do; they are English, for the model. What
a person reads is the screen's business.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

from tools.arguments import ArgumentsError
from tools.call import BrokenCall, ErrorKind, ToolCall, ToolError, ToolResult
from tools.output import short_text
from tools.strange import StrangeError
from tools.tool import JsonValue, Tool

MESSAGE_BYTES = 8 * 1024
"""The most that a model hears of one error."""
PROBLEMS = 32
"""The most fields of one call that are told to be wrong."""


@dataclass(frozen=True, slots=True)
class Output:
    """What a tool returned, as JSON."""

    value: JsonValue


Outcome: TypeAlias = Output | ToolError

CANCELLED = ToolError(ErrorKind.CANCELLED, "The person stopped this turn: the call has no result.")


def result_of(call: ToolCall | BrokenCall, outcome: Outcome, seconds: float = 0.0) -> ToolResult:
    match outcome:
        case Output(value):
            return ToolResult(call.call_id, call.name, output=value, seconds=seconds)
        case ToolError(kind, message, problems):
            # A tool's own words, or a model's quoted in ours: as bounded as an output.
            error = ToolError(kind, short_text(message, MESSAGE_BYTES), problems[:PROBLEMS])
            return ToolResult(call.call_id, call.name, error=error, seconds=seconds)


def outcome_to_json(outcome: Outcome) -> str:
    """One line of ASCII JSON, for `outcome_from_json`."""
    match outcome:
        case Output(value):
            return json.dumps({"output": value})
        case ToolError(kind, message):
            return json.dumps({"kind": kind.value, "message": message})


def outcome_from_json(text: str) -> Outcome:
    """The outcome that `outcome_to_json` wrote."""
    stored = json.loads(text)
    if "output" in stored:
        return Output(stored["output"])
    return ToolError(ErrorKind(stored["kind"]), stored["message"])


def broken(call: BrokenCall) -> ToolError:
    message = (
        f"The arguments of {call.name} are not a JSON object ({call.reason}). Nothing was run; "
        "call it again with its arguments as one complete JSON object."
    )
    return ToolError(ErrorKind.BROKEN_CALL, message)


def unknown_tool(name: str, names: Iterable[str]) -> ToolError:
    message = f"There is no tool named {name}. The tools are: {', '.join(names) or 'none'}."
    return ToolError(ErrorKind.UNKNOWN_TOOL, message)


def invalid(tool: Tool, error: ArgumentsError) -> ToolError:
    message = (
        f"Invalid arguments for {tool.name}. {error}. Nothing was run; call it again with "
        "arguments that fit."
    )
    return ToolError(ErrorKind.INVALID_ARGUMENTS, message, error.problems)


def too_many(name: str, most: int) -> ToolError:
    message = (
        f"{name} was not run: one turn may hold {most} calls, and this one came after them. "
        "Ask for it again in a later turn if it is still needed."
    )
    return ToolError(ErrorKind.TOO_MANY_CALLS, message)


def not_allowed_here(tool: Tool) -> ToolError:
    """A write needs a person's permission and a ledger, and here is one of them missing."""
    message = f"{tool.name} changes things, and that is not permitted here. Nothing was changed."
    return ToolError(ErrorKind.NOT_ALLOWED, message)


def denied(tool: Tool, word: str) -> ToolError:
    message = f"The person did not allow {tool.name}. Nothing was changed."
    if word.strip():
        message += f" They say: {word.strip()}"
    return ToolError(ErrorKind.NOT_ALLOWED, message)


def failed(name: str, error: BaseException) -> ToolError:
    raised = error.__cause__ if isinstance(error, StrangeError) else error
    message = f"{name} failed unexpectedly ({type(raised).__name__}); it gave no result."
    return ToolError(ErrorKind.FAILED, message)


def timed_out(name: str, limit: float) -> ToolError:
    message = f"{name} took longer than {limit:g} seconds and was stopped."
    return ToolError(ErrorKind.TIMED_OUT, message)


def unknown_outcome(name: str) -> ToolError:
    message = (
        f"{name} was begun and then interrupted: whether it was done is not known, and it was not "
        "repeated. Look at how things are now before asking for it again."
    )
    return ToolError(ErrorKind.UNKNOWN_OUTCOME, message)


def another_call(name: str) -> ToolError:
    message = (
        f"{name} was not run: another call was already recorded at this place of the chat. "
        "Ask for it again in a new turn if it is still needed."
    )
    return ToolError(ErrorKind.FAILED, message)
