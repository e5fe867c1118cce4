"""What went over the wire, as a file: one exchange a line, in JSON.

Pure: text in, exchanges out, and back. Recording is for `recorder`, playing for `player`; what
may be kept at all is for `masking`.
"""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from binascii import Error as Base64Error
from collections.abc import Iterable, Sequence
from datetime import datetime
from enum import Enum
from typing import Literal, Self
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, JsonValue, ValidationError, model_validator

_ENDINGS = {
    "/responses": "openai-responses",
    "/chat/completions": "openai-chat",
    "/messages": "anthropic",
    ":streamGenerateContent": "gemini",
    ":generateContent": "gemini",
}


class CassetteError(ValueError):
    """A file that is no cassette; `line` counts from 1."""

    def __init__(self, line: int, problem: str) -> None:
        super().__init__(f"line {line}: {problem}")
        self.line = line
        self.problem = problem


class Ending(Enum):
    """How an exchange ended."""

    WHOLE = "whole"
    """The body came to its end; whether its format did is the decoder's to say."""
    CLOSED = "closed"
    """The client left."""
    FAILED = "failed"
    """The network did not bear it; `failure` says how."""


class _Recorded(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class Content(_Recorded):
    """Bytes, as text where they are UTF-8, so that a person can read the file."""

    text: str | None = None
    base64: str | None = None

    @model_validator(mode="after")
    def _is_one_of_both(self) -> Self:
        if (self.text is None) == (self.base64 is None):
            raise ValueError("either text or base64 is needed")
        if self.base64 is not None:
            try:
                b64decode(self.base64, validate=True)
            except Base64Error as error:
                raise ValueError(f"base64: {error}") from None
        return self

    @property
    def data(self) -> bytes:
        """The bytes."""
        if self.base64 is not None:
            return b64decode(self.base64)
        return (self.text or "").encode("utf-8", "surrogatepass")


class Read(Content):
    """One read of the body, `after` so many seconds from the request's start."""

    after: float


class RecordedRequest(_Recorded):
    """What was asked; `json_body` where the body is JSON, `raw` where it is something else."""

    method: str = "POST"
    url: str = ""
    headers: dict[str, str] = {}
    json_body: JsonValue = None
    raw: Content | None = None

    def asking(self, body: bytes) -> RecordedRequest:
        """The same request with this body."""
        if not body:
            return self
        try:
            value = json.loads(body)
            json.dumps(value, ensure_ascii=False).encode()  # half a character has no UTF-8
        except ValueError:
            return self.model_copy(update={"raw": Content.model_validate(content(body))})
        return self.model_copy(update={"json_body": value})


class RecordedResponse(_Recorded):
    """The head of the answer."""

    status: int
    headers: dict[str, str] = {}
    after: float = 0.0


class Exchange(_Recorded):
    """One request and what came of it; `response` None when nothing did.

    `dialect` is "" for an address that is none of ours, `failure` the kind in our terms.
    """

    vitral: Literal[1] = 1
    """The version of this format."""
    dialect: str = ""
    at: datetime | None = None
    request: RecordedRequest = RecordedRequest()
    response: RecordedResponse | None = None
    reads: tuple[Read, ...] = ()
    ending: Ending = Ending.WHOLE
    failure: str | None = None

    @property
    def body(self) -> bytes:
        """The whole body of the answer."""
        return b"".join(read.data for read in self.reads)


def content(data: bytes) -> dict[str, str]:
    """The members of a `Content` for these bytes."""
    try:
        return {"text": data.decode()}
    except UnicodeDecodeError:
        return {"base64": b64encode(data).decode()}


def dialect_of(url: str) -> str:
    """The dialect that is spoken at an address; "" for any other."""
    path = urlsplit(url).path.rstrip("/")
    return next((name for end, name in _ENDINGS.items() if path.endswith(end)), "")


def dump(exchange: Exchange) -> str:
    """One line of a cassette, without its line end."""
    return exchange.model_dump_json(exclude_none=True)


def load(lines: Iterable[str]) -> Sequence[Exchange]:
    """The exchanges of a cassette; raises CassetteError for a line that is none."""
    exchanges = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            exchanges.append(Exchange.model_validate_json(line))
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            place = ".".join(str(step) for step in first["loc"])
            raise CassetteError(number, f"{place}: {first['msg']}".lstrip(": ")) from None
    return exchanges


def made_from(body: bytes, dialect: str, seconds_per_event: float) -> Exchange:
    """A cassette's exchange from a body alone: an event a read, at an even pace."""
    reads = tuple(
        Read(after=round(place * seconds_per_event, 6), **content(event))
        for place, event in enumerate(_events(body), start=1)
    )
    streamed = not body.lstrip().startswith((b"{", b"["))
    kind = "text/event-stream" if streamed else "application/json"
    response = RecordedResponse(status=200, headers={"content-type": kind})
    return Exchange(dialect=dialect, response=response, reads=reads)


def _events(body: bytes) -> Iterable[bytes]:
    """The body in pieces that end where an event does."""
    lines = body.splitlines(keepends=True)
    piece: list[bytes] = []
    for line in lines:
        piece.append(line)
        if not line.strip():
            yield b"".join(piece)
            piece = []
    if piece:
        yield b"".join(piece)
