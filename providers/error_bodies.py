"""What an error body says: its codes, its message and the wait it asks for.

Bodies come from providers, gateways, frameworks and proxies, whole or cut in the middle, as JSON
or not; whatever comes, an `ErrorBody` is made of it. What the codes mean is for `failures`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

_CODE_FIELDS = ("code", "type", "status", "reason")
_MESSAGE_FIELDS = ("message", "msg", "detail", "error", "error_description")
_WRAPPERS = ("response", "error", "errors", "detail")
_MAX_DEPTH = 4
_CUT_CODE = re.compile(r'"(?:code|type|status|reason)"\s*:\s*"([^"\\]+)"')
_CUT_STATUS = re.compile(r'"(?:code|status)"\s*:\s*(\d{3})\b')
_CUT_MESSAGE = re.compile(r'"(?:message|msg|detail)"\s*:\s*"((?:[^"\\]|\\.)*)')
_SECONDS = re.compile(r"(\d+(?:\.\d+)?)s")


@dataclass(frozen=True, slots=True)
class ErrorBody:
    """The codes in lower case (the most telling one, as it came, is `code`), the message, the
    status that the body itself names, the provider's request id, and the wait in seconds."""

    codes: frozenset[str] = frozenset()
    code: str = ""
    message: str = ""
    status: int | None = None
    request_id: str = ""
    wait: float | None = None
    daily_quota: bool = False


def read_error_text(text: str) -> ErrorBody:
    """The error in a body of any shape; a body that is no JSON is searched for its fields."""
    from providers.json_text import parse

    try:
        payload = parse(text)
    except ValueError:
        return _of_text(text)
    return read_error_payload(payload)


def read_error_payload(payload: Any) -> ErrorBody:
    """The error in a parsed body or event: an object, a list that holds one, or a text."""
    levels = list(_levels(payload, _MAX_DEPTH))
    if not levels:
        return ErrorBody(message=payload if isinstance(payload, str) else "")
    details = [detail for level in levels for detail in _objects(level.get("details"))]
    codes = [word for level in levels for word in _codes(level)]
    reasons = [word for detail in details for word in _codes(detail)]
    return ErrorBody(
        codes=frozenset(word.lower() for word in codes + reasons),
        code=next(iter(reasons + codes), ""),
        message=next(filter(None, map(_message, levels)), ""),
        status=next(filter(None, map(_status, levels)), None),
        request_id=next(filter(None, map(_request_id, levels)), ""),
        wait=next((wait for detail in details if (wait := _retry_delay(detail)) is not None), None),
        daily_quota=any(_names_a_day(detail) for detail in details),
    )


def _levels(payload: Any, depth: int) -> Iterator[dict[str, Any]]:
    """The objects that may hold the error's fields, the innermost first."""
    for found in _objects(payload):
        if depth > 0:
            for wrapper in _WRAPPERS:
                yield from _levels(found.get(wrapper), depth - 1)
        yield found


def _objects(value: Any) -> list[dict[str, Any]]:
    values = value if isinstance(value, list) else [value]
    return [item for item in values if isinstance(item, dict)]


def _codes(level: dict[str, Any]) -> list[str]:
    words = [level.get(name) for name in _CODE_FIELDS]
    # "error" is the type of the event itself, in two dialects; it says nothing of the cause.
    return [word for word in words if isinstance(word, str) and word and word != "error"]


def _message(level: dict[str, Any]) -> str:
    words = (level.get(name) for name in _MESSAGE_FIELDS)
    return next((word for word in words if isinstance(word, str) and word), "")


def _status(level: dict[str, Any]) -> int | None:
    for name in ("code", "status", "status_code"):
        value = level.get(name)
        if isinstance(value, str) and value.isdecimal() and len(value) == 3:
            value = int(value)
        if isinstance(value, int) and 400 <= value <= 599:
            return value
    return None


def _request_id(level: dict[str, Any]) -> str:
    value = level.get("request_id")
    return value if isinstance(value, str) else ""


def _retry_delay(detail: dict[str, Any]) -> float | None:
    """Gemini's `google.rpc.RetryInfo`: `{"retryDelay": "27s"}`."""
    delay = detail.get("retryDelay")
    found = _SECONDS.fullmatch(delay) if isinstance(delay, str) else None
    seconds = float(found.group(1)) if found else math.inf
    return seconds if math.isfinite(seconds) else None


def _names_a_day(detail: dict[str, Any]) -> bool:
    """Gemini's `google.rpc.QuotaFailure`, when the quota is one for a whole day."""
    return any(
        "perday" in quota.lower()
        for violation in _objects(detail.get("violations"))
        if isinstance(quota := violation.get("quotaId"), str)
    )


def _of_text(text: str) -> ErrorBody:
    codes = [word for word in _CUT_CODE.findall(text) if word != "error"]
    status = _CUT_STATUS.search(text)
    message = _CUT_MESSAGE.search(text)
    return ErrorBody(
        codes=frozenset(word.lower() for word in codes),
        code=next(iter(codes), ""),
        message=message.group(1) if message else "",
        status=int(status.group(1)) if status else None,
    )
