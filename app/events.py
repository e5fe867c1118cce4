"""What the agent tells while it works on one message: all that a screen or a command reads.

Order for a message: `MessageStarted`, then for each round `RoundStarted`, for each attempt
`AttemptStarted`, any number of `Received`, and either `Withdrawn` + `Waiting` (another attempt
follows) or `AnswerEnded`; with calls, for each of them `PermissionAsked` and `PermissionSettled`
(a write), `CallRunning` if it runs, and `CallAnswered`; then one `Done`. A message that goes on
where the program died begins with `Resumed` instead of `MessageStarted`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from providers.failures import Failure
from providers.history import AssistantTurn, Origin
from providers.parts import Part, Usage
from providers.request import ToolChoice
from tools.call import ToolResult
from tools.permission import Change


@dataclass(frozen=True, slots=True)
class MessageStarted:
    """A message of the person's is on its way."""

    text: str


@dataclass(frozen=True, slots=True)
class Resumed:
    """A message goes on in its round `number`, which was not over when the program ended: `turn`
    had come, and `results` (place of the call → result) stand. The other calls run now."""

    number: int
    turn: AssistantTurn
    results: Mapping[int, ToolResult]


@dataclass(frozen=True, slots=True)
class RoundStarted:
    """Round `number` (from 1) of a message: one request, its answer and the calls' results."""

    number: int
    origin: Origin
    envelope: str
    return_address: str


@dataclass(frozen=True, slots=True)
class AttemptStarted:
    """Attempt `number` (from 1) of at most `limit` for this round."""

    number: int
    limit: int


@dataclass(frozen=True, slots=True)
class Received:
    """One read of the body and the parts that it completed. `data` joins to the whole body, so a
    part's span points into all data of this attempt."""

    data: bytes
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Silent:
    """Nothing has come for `seconds` (told once when it passes ten, then each further second)."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Withdrawn:
    """What this attempt had shown no longer stands: its text and its calls, which did not run.
    `usage` is what it cost all the same, where the provider said so."""

    failure: Failure
    usage: Usage | None = None


@dataclass(frozen=True, slots=True)
class Waiting:
    """`seconds` are left until attempt `attempt` of `limit`; told at least once a second."""

    seconds: float
    attempt: int
    limit: int
    failure: Failure


@dataclass(frozen=True, slots=True)
class AnswerEnded:
    """The round's answer is whole: its calls are about to run."""

    turn: AssistantTurn
    usage: Usage | None = None


@dataclass(frozen=True, slots=True)
class ChoiceIgnored:
    """The answer does not do what the tool choice asked of the model: no call where there had to
    be one, another tool than the one named, or a call where there was to be none."""

    choice: ToolChoice


class Ground(StrEnum):
    """On what ground a write may run, or may not."""

    ONCE = "once"
    """The person said yes, this time."""
    ALWAYS = "always"
    """The person said yes for this tool in this chat, now or earlier."""
    SETTINGS = "settings"
    """The settings allow the tool."""
    COMMAND_LINE = "command_line"
    """`--approve` names the tool."""
    DENIED = "denied"
    """The person, the settings or `--approve` said no, or nobody could be asked."""


@dataclass(frozen=True, slots=True)
class PermissionAsked:
    """The call at `place` waits for the person's answer: it would make this `change`."""

    place: int
    change: Change


@dataclass(frozen=True, slots=True)
class PermissionSettled:
    """It is decided whether the write at `place` may run."""

    place: int
    ground: Ground


@dataclass(frozen=True, slots=True)
class CallOverdue:
    """The write at `place` takes longer than its limit, and goes on: it is never cut."""

    place: int


@dataclass(frozen=True, slots=True)
class CallRunning:
    """The call at `place` (from 0) of the round's calls begins to run."""

    place: int


@dataclass(frozen=True, slots=True)
class CallAnswered:
    """The call at `place` has its result."""

    place: int
    result: ToolResult


class Ending(StrEnum):
    """How a message ended. Each value but ANSWERED is the key of a local sentence."""

    ANSWERED = "answered"
    FAILED = "failed"
    STOPPED = "stopped"
    TOO_MANY_ROUNDS = "too_many_rounds"
    CORRECTION_FAILED = "correction_failed"
    REPEATED_CALL = "repeated_call"
    NOT_KEPT = "not_kept"
    """The chat could not be stored, so nothing was asked or run any further."""


@dataclass(frozen=True, slots=True)
class Done:
    """The message is over. With FAILED, `failure` says why and `reference` names the record in
    the diagnostics (four characters such as `K7Q2`)."""

    ending: Ending
    failure: Failure | None = None
    reference: str = ""


Event: TypeAlias = (
    MessageStarted
    | Resumed
    | RoundStarted
    | AttemptStarted
    | Received
    | Silent
    | Withdrawn
    | Waiting
    | AnswerEnded
    | ChoiceIgnored
    | PermissionAsked
    | PermissionSettled
    | CallOverdue
    | CallRunning
    | CallAnswered
    | Done
)
