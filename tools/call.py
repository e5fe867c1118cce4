"""The vocabulary that everything shares: what a model asks for and what it is told.

A `ToolCall` is the one command that every provider's envelope becomes; a `ToolResult` is the
answer to one call. Providers make the first, `tools.dispatch` makes the second.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any, TypeAlias

JsonObject: TypeAlias = dict[str, Any]
"""A parsed JSON object. The values come from outside: check before use."""


@dataclass(frozen=True, slots=True)
class ToolCall:
    """Run `name` with `args`, and send the answer back to `call_id`."""

    name: str
    args: JsonObject
    provider: str
    call_id: str


@dataclass(frozen=True, slots=True)
class BrokenCall:
    """A finished call that cannot be used: `raw` is no JSON object. Answered, never run."""

    name: str
    raw: str
    reason: str
    provider: str
    call_id: str


AnyCall: TypeAlias = ToolCall | BrokenCall


class ErrorKind(StrEnum):
    """Why a call has no output."""

    UNKNOWN_TOOL = "unknown_tool"
    INVALID_ARGUMENTS = "invalid_arguments"
    BROKEN_CALL = "broken_call"
    NOT_ALLOWED = "not_allowed"
    FAILED = "failed"
    TIMED_OUT = "timed_out"
    CANCELLED = "cancelled"
    TOO_MANY_CALLS = "too_many_calls"
    UNKNOWN_OUTCOME = "unknown_outcome"
    """A write was begun, and nobody knows whether it was done."""


@dataclass(frozen=True, slots=True)
class FieldProblem:
    """One argument that does not fit. `field` is a dotted path; the others are words."""

    field: str
    wanted: str
    got: str


@dataclass(frozen=True, slots=True)
class ToolError:
    """What went wrong with one call. `message` is written for the model, in English."""

    kind: ErrorKind
    message: str
    problems: tuple[FieldProblem, ...] = ()


@dataclass(frozen=True, slots=True)
class ToolResult:
    """The answer to the call `call_id`: a JSON `output`, or an `error`; never both."""

    call_id: str
    name: str
    output: Any = None
    error: ToolError | None = None
    seconds: float = 0.0

    @property
    def ok(self) -> bool:
        return self.error is None
