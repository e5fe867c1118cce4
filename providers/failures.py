"""The taxonomy of failures, and how a status, a body or an exception maps to it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class FailureKind(StrEnum):
    """What kept a provider from answering; the same words in every dialect."""

    AUTH = "auth"
    PERMISSION = "permission"
    NOT_FOUND = "not_found"
    QUOTA = "quota"
    RATE_LIMIT = "rate_limit"
    OVERLOADED = "overloaded"
    SERVER = "server"
    TIMEOUT = "timeout"
    NETWORK = "network"
    CUT = "cut"
    PROTOCOL = "protocol"
    TOO_LONG = "too_long"
    BLOCKED = "blocked"
    BAD_REQUEST = "bad_request"
    CANCELLED = "cancelled"


class When(StrEnum):
    """Whether the failure came before the answer began or inside it."""

    BEFORE = "before"
    INSIDE = "inside"


@dataclass(frozen=True, slots=True)
class Failure:
    """Why there is no whole answer. Everything but `kind` is for the diagnostics only.

    `transient` says whether the same request may be tried again; `wait` is how many seconds the
    provider asked us to wait first, None when it did not say. `code` and `message` are the
    provider's own words; `body` is the start of what it sent (at most 4,096 characters).
    """

    kind: FailureKind
    transient: bool
    when: When = When.BEFORE
    status: int | None = None
    code: str = ""
    message: str = ""
    request_id: str = ""
    wait: float | None = None
    body: str = ""
