"""What the agent tells while it works on one message: all that a screen or a command reads.

Order for a message: `MessageStarted`, then for each round `RoundStarted`, for each attempt
`AttemptStarted`, any number of `Received`, and either `Withdrawn` + `Waiting` (another attempt
follows) or `AnswerEnded`; with calls, `CallRunning` and `CallAnswered` for each; then one `Done`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from providers.failures import Failure
from providers.history import AssistantTurn, Origin
from providers.parts import Part, Usage
from tools.call import ToolResult


@dataclass(frozen=True, slots=True)
class MessageStarted:
    """A message of the person's is on its way."""

    text: str


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


@dataclass(frozen=True, slots=True)
class Done:
    """The message is over. With FAILED, `failure` says why and `reference` names the record in
    the diagnostics (four characters such as `K7Q2`)."""

    ending: Ending
    failure: Failure | None = None
    reference: str = ""


Event: TypeAlias = (
    MessageStarted
    | RoundStarted
    | AttemptStarted
    | Received
    | Silent
    | Withdrawn
    | Waiting
    | AnswerEnded
    | CallRunning
    | CallAnswered
    | Done
)
