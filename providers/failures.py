"""The taxonomy of failures, and how a status, a body or an event maps to it.

One table of codes and one of statuses, whatever the dialect: gateways answer in each other's
words. What an error body looks like is read by `error_bodies`; exceptions of the network are the
transport's to name.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from json import dumps
from typing import TypeAlias

from providers.error_bodies import ErrorBody, read_error_payload, read_error_text
from tools.call import JsonObject

BODY_LIMIT = 4096
"""The most characters of a body that a failure keeps."""


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


Headers: TypeAlias = Mapping[str, str]
_Codes: TypeAlias = Mapping[FailureKind, tuple[str, ...]]

TRANSIENT = frozenset(
    {
        FailureKind.RATE_LIMIT,
        FailureKind.OVERLOADED,
        FailureKind.SERVER,
        FailureKind.TIMEOUT,
        FailureKind.NETWORK,
        FailureKind.CUT,
    }
)
"""The kinds that pass by themselves, unless the provider says otherwise."""

_KIND_OF_STATUS: Mapping[int, FailureKind] = {
    401: FailureKind.AUTH,
    402: FailureKind.QUOTA,
    403: FailureKind.PERMISSION,
    404: FailureKind.NOT_FOUND,
    408: FailureKind.TIMEOUT,
    413: FailureKind.TOO_LONG,
    429: FailureKind.RATE_LIMIT,
    503: FailureKind.OVERLOADED,
    504: FailureKind.TIMEOUT,
    529: FailureKind.OVERLOADED,
}

_KIND_OF_HUNDRED: Mapping[int, FailureKind] = {
    # A redirect is not followed with a key: the address that was set is not the service's.
    3: FailureKind.NOT_FOUND,
    4: FailureKind.BAD_REQUEST,
    5: FailureKind.SERVER,
}

# Codes say more than the status: OpenAI sends `model_not_found` as 400, Gemini a wrong key as
# 400, and an empty account is 429 like a short burst. The first row that matches wins.
_TELLING_CODES: _Codes = {
    FailureKind.QUOTA: (
        "insufficient_quota",
        "billing_error",
        "billing_hard_limit_reached",
        "insufficient_credits",
        "insufficient_balance",
    ),
    FailureKind.TOO_LONG: (
        "context_length_exceeded",
        "model_context_window_exceeded",
        "exceed_context_size_error",
        "request_too_large",
    ),
    FailureKind.BLOCKED: (
        "content_filter",
        "content_policy_violation",
        "responsibleaipolicyviolation",
        "invalid_prompt",
    ),
    FailureKind.AUTH: (
        "invalid_api_key",
        "api_key_invalid",
        "authentication_error",
        "unauthenticated",
    ),
    FailureKind.PERMISSION: (
        "permission_error",
        "permission_denied",
        "unsupported_country_region_territory",
    ),
    FailureKind.NOT_FOUND: (
        "model_not_found",
        "not_found_error",
        "not_found",
        "deploymentnotfound",
    ),
    FailureKind.RATE_LIMIT: (
        "rate_limit_error",
        "rate_limit_exceeded",
        "too_many_requests",
        "resource_exhausted",
    ),
    FailureKind.OVERLOADED: (
        "overloaded_error",
        "unavailable",
        "engine_overloaded",
        "server_is_overloaded",
        "service_unavailable_error",
        "service_unavailable",
        "slow_down",
    ),
    FailureKind.TIMEOUT: ("timeout_error", "request_timeout", "deadline_exceeded"),
}

# These are said of nearly anything, so they count only where there is no status to go by.
_VAGUE_CODES: _Codes = {
    FailureKind.BAD_REQUEST: ("invalid_request_error", "invalid_argument"),
    FailureKind.SERVER: ("api_error", "server_error", "internal", "internal_server_error"),
}

_TOO_LONG_WORDS = (
    "prompt is too long",
    "maximum context length",
    "context window",
    "available context size",
    "input token count",
)
_QUOTA_WORDS = ("credit balance is too low",)
_REQUEST_IDS = ("x-request-id", "request-id", "x-goog-request-id", "cf-ray")


def failure_of_response(
    dialect: str, status: int, headers: Headers, body: bytes, now: datetime | None = None
) -> Failure:
    """The failure in an HTTP answer that is no stream. `now` (aware) makes a `Retry-After` date
    a number of seconds; without it such a date is not used."""
    text = body.decode("utf-8", "replace").removeprefix("\ufeff")
    error = read_error_text(text)
    sent = {name.lower(): value for name, value in headers.items()}
    kind = _kind(status, error)
    wait = _wait(sent, now)
    return Failure(
        kind=kind,
        transient=_transient(kind, status, sent),
        status=status,
        code=error.code,
        message=error.message or f"HTTP {status} from a server that speaks {dialect}",
        request_id=next((sent[name] for name in _REQUEST_IDS if name in sent), error.request_id),
        wait=error.wait if wait is None else wait,
        body=text[:BODY_LIMIT],
    )


def failure_of_event(dialect: str, payload: JsonObject) -> Failure:
    """The failure that an event inside a 200 stream (or a 200 JSON body) tells of."""
    from providers.json_text import mend

    error = read_error_payload(payload)
    kind = _kind(error.status, error)
    return Failure(
        kind=kind,
        transient=kind in TRANSIENT,
        when=When.INSIDE,
        status=error.status,
        code=mend(error.code),
        message=mend(error.message) or f"an error without a message in a stream of {dialect}",
        request_id=mend(error.request_id),
        wait=error.wait,
        body=mend(dumps(payload, ensure_ascii=False))[:BODY_LIMIT],
    )


def cut(message: str = "the body ended before the format's end") -> Failure:
    """The stream ended and its format's end had not come."""
    return Failure(FailureKind.CUT, transient=True, when=When.INSIDE, message=message)


def protocol(message: str, body: str | bytes = "") -> Failure:
    """What came is not what the format says; `body` is the start of it."""
    text = body[: BODY_LIMIT * 4].decode("utf-8", "replace") if isinstance(body, bytes) else body
    return Failure(
        FailureKind.PROTOCOL,
        transient=False,
        when=When.INSIDE,
        message=message,
        body=text[:BODY_LIMIT],
    )


def blocked(code: str, message: str = "") -> Failure:
    """The provider refused the prompt, in its own word `code`, before any answer."""
    return Failure(
        FailureKind.BLOCKED, transient=False, when=When.INSIDE, code=code, message=message
    )


def _kind(status: int | None, error: ErrorBody) -> FailureKind:
    message = error.message.lower()
    if error.daily_quota or any(words in message for words in _QUOTA_WORDS):
        return FailureKind.QUOTA
    if (telling := _kind_of_codes(_TELLING_CODES, error)) is not None:
        return telling
    if status in (400, 413, 422, None) and any(words in message for words in _TOO_LONG_WORDS):
        return FailureKind.TOO_LONG
    for known in (status, error.status):
        if known is not None and (kind := _kind_of_status(known)) is not None:
            return kind
    vague = _kind_of_codes(_VAGUE_CODES, error)
    if vague is not None:
        return vague
    # A 200 without a word of an error is a page of something else; an event is the server's.
    return FailureKind.SERVER if status is None else FailureKind.PROTOCOL


def _kind_of_codes(table: _Codes, error: ErrorBody) -> FailureKind | None:
    return next((kind for kind, codes in table.items() if error.codes.intersection(codes)), None)


def _kind_of_status(status: int) -> FailureKind | None:
    return _KIND_OF_STATUS.get(status, _KIND_OF_HUNDRED.get(status // 100))


def _transient(kind: FailureKind, status: int, headers: Headers) -> bool:
    match headers.get("x-should-retry", "").strip().lower():
        case "true":
            return True
        case "false":
            return False
        case _:
            # 409 is a lock that another request holds, so it passes although it is a 4xx.
            return kind in TRANSIENT or status == 409


def _wait(headers: Headers, now: datetime | None) -> float | None:
    """The seconds that the headers ask for, the finest unit first."""
    milliseconds = _number(headers.get("retry-after-ms", ""))
    if milliseconds is not None:
        return milliseconds / 1000
    asked = headers.get("retry-after", "")
    seconds = _number(asked)
    return _seconds_until(asked, now) if seconds is None else seconds


def _number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return max(0.0, value) if math.isfinite(value) else None


def _seconds_until(date: str, now: datetime | None) -> float | None:
    from datetime import UTC
    from email.utils import parsedate_to_datetime

    if now is None or not date:
        return None
    try:
        then = parsedate_to_datetime(date)
        aware = then if then.tzinfo is not None else then.replace(tzinfo=UTC)
        return max(0.0, (aware - now).total_seconds())
    except (ValueError, OverflowError):
        return None
