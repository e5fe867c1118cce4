"""What a provider's stream says, in our terms.

A decoder turns bytes into these parts; the agent and the screen read nothing else. Every stream
ends with exactly one `Stopped` or one `StreamFailed`, and it is the last part. Calls are
candidates until `Stopped` has come: only then may they run.

`span` on each part is the half-open byte range, in the response body, of the wire event that the
part came from, so that the wire view can show it.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from providers.failures import Failure
from tools.call import JsonObject, ToolCall

Span: TypeAlias = tuple[int, int]
NOWHERE: Span = (0, 0)
"""The span of a part that no wire event gave, such as a connection that failed."""


class Stop(StrEnum):
    """Why the model stopped. The provider's own word stands beside it in `Stopped.raw`."""

    END = "end"
    CALLS = "calls"
    LENGTH = "length"
    REFUSED = "refused"
    FILTERED = "filtered"
    PAUSED = "paused"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens as the provider counts them; None where it does not say. `raw` is its own object."""

    input: int | None = None
    output: int | None = None
    cached: int | None = None
    reasoning: int | None = None
    raw: JsonObject | None = None


@dataclass(frozen=True, slots=True)
class TextDelta:
    """A piece of the visible answer (a refusal's text too)."""

    text: str
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class ReasoningDelta:
    """A piece of the model's reasoning: shown apart, never part of the answer."""

    text: str
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class CallStarted:
    """A call begins. `key` rises with the call's place in the turn; `call_id` may be "" yet."""

    key: int
    name: str
    call_id: str
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class CallNamed:
    """The name or the id of an open call grew or came late; both are whole as known now."""

    key: int
    name: str
    call_id: str
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class CallFragment:
    """A piece of the arguments' JSON text, as it came."""

    key: int
    text: str
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class CallCompleted:
    """The call is whole. Still only a candidate until `Stopped`."""

    key: int
    call: ToolCall
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class CallBroken:
    """The call is finished and unusable: `raw` is no JSON object. Answered, never run."""

    key: int
    name: str
    call_id: str
    raw: str
    reason: str
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class UsageReported:
    """The counts so far: each report replaces the one before."""

    usage: Usage
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class Restarted:
    """The message starts over: everything before this part is withdrawn."""

    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class Stopped:
    """The stream ended as its format says.

    `native` holds the provider's own items of the turn, whole and in order, as a replay to the
    same provider needs them (Responses: output items; Chat: one assistant message; Anthropic:
    content blocks; Gemini: parts). Opaque to everyone but the dialect that made them.
    """

    stop: Stop
    raw: str
    native: tuple[JsonObject, ...] = ()
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class StreamFailed:
    """The stream did not give a whole answer: none of its calls may run."""

    failure: Failure
    span: Span = NOWHERE


Part: TypeAlias = (
    TextDelta
    | ReasoningDelta
    | CallStarted
    | CallNamed
    | CallFragment
    | CallCompleted
    | CallBroken
    | UsageReported
    | Restarted
    | Stopped
    | StreamFailed
)
