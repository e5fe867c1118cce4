"""With which words does the server of each dialect refuse?

One row for each refusal. OpenAI's two dialects share their words; the wire facts are those of the
services' own documentation and of recorded errors.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from email.utils import format_datetime

from providers.exchange import WireResponse
from providers.faults.bodies import at_once
from providers.faults.events import to_json
from providers.faults.fault import Exchange, Strike
from tools.call import JsonObject

_REQUEST_IDS: Mapping[str, str] = {"anthropic": "request-id", "gemini": "x-goog-request-id"}
_USUAL_REQUEST_ID = "x-request-id"
_GOOGLE = "type.googleapis.com/google.rpc"


@dataclass(frozen=True, slots=True)
class Words:
    """One family's words. `type` is Gemini's `status`; `code` only OpenAI has. A status of its
    own replaces the row's. `details` are Gemini's."""

    type: str
    message: str
    code: str | None = None
    status: int | None = None
    details: tuple[JsonObject, ...] = ()


Headers = Callable[[datetime], Mapping[str, str]]
"""Headers may name a time, so they are made when the answer is."""


def no_headers(_: datetime) -> Mapping[str, str]:
    """A refusal that says nothing more in its headers."""
    return {}


def plainly(**headers: str) -> Headers:
    """The same headers at any time; `_` in a name stands for `-`."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return lambda _: named


def retry_at(seconds: int) -> Headers:
    """`Retry-After` as a date, so many seconds from now."""

    def headers(now: datetime) -> Mapping[str, str]:
        return {"retry-after": format_datetime(now + timedelta(seconds=seconds), usegmt=True)}

    return headers


@dataclass(frozen=True, slots=True)
class Refusal:
    """A status with each family's words for it."""

    status: int
    openai: Words
    anthropic: Words
    gemini: Words
    headers: Headers = field(default=no_headers)

    def words(self, dialect: str) -> Words:
        match dialect:
            case "anthropic":
                return self.anthropic
            case "gemini":
                return self.gemini
            case _:
                return self.openai

    def status_in(self, dialect: str) -> int:
        return self.words(dialect).status or self.status

    def body(self, dialect: str) -> JsonObject:
        """The error object, which is also what a stream says when it breaks off."""
        said = self.words(dialect)
        match dialect:
            case "anthropic":
                return {"type": "error", "error": {"type": said.type, "message": said.message}}
            case "gemini":
                error: JsonObject = {"code": self.status_in(dialect), "message": said.message}
                error["status"] = said.type
                return {"error": error | ({"details": list(said.details)} if said.details else {})}
            case _:
                error = {"message": said.message, "type": said.type, "param": None}
                return {"error": {**error, "code": said.code}}


def refusing(refusal: Refusal) -> Strike:
    """The server refuses, before it has said anything."""

    async def strike(exchange: Exchange) -> WireResponse:
        return refused(refusal, exchange)

    return strike


def refused(refusal: Refusal, exchange: Exchange, status: int | None = None) -> WireResponse:
    """The refusal as a response, under its own status or another one."""
    headers = {
        "content-type": "application/json",
        _REQUEST_IDS.get(exchange.dialect, _USUAL_REQUEST_ID): request_id(exchange),
        **refusal.headers(exchange.now()),
    }
    body = to_json(refusal.body(exchange.dialect))
    return WireResponse(status or refusal.status_in(exchange.dialect), headers, at_once(body))


def request_id(exchange: Exchange) -> str:
    """An id as services give to each request."""
    return f"req_{exchange.chance.getrandbits(96):024x}"


def retry_info(seconds: float) -> JsonObject:
    """Gemini's way to ask for a wait."""
    return {"@type": f"{_GOOGLE}.RetryInfo", "retryDelay": f"{seconds:g}s"}


def quota_of_a_day() -> JsonObject:
    """Gemini's way to say that waiting will not help today."""
    return {
        "@type": f"{_GOOGLE}.QuotaFailure",
        "violations": [
            {
                "quotaMetric": "generativelanguage.googleapis.com/generate_requests",
                "quotaId": "GenerateRequestsPerDayPerProjectPerModel",
                "quotaValue": "50",
            }
        ],
    }
