"""A dialect of the tests' own, so that the connection is tested without any real format.

A body is lines: `text …` is a text, `end` is the format's end, `error …` a failure in the stream,
one JSON object `{"text": …}` a whole answer.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field

from providers.dialects import EVENT_LIMIT, Encoded, NewId
from providers.exchange import Handler, WireRequest, WireResponse
from providers.failures import Failure, FailureKind, When
from providers.history import UserTurn
from providers.parts import Part, Stop, Stopped, StreamFailed, TextDelta
from providers.provider import Provider, Received
from providers.refused_fields import RefusedFields
from providers.request import Request
from providers.secret import Secret
from providers.transport import Timeouts, Transport
from tools.call import JsonObject

CANARY = "sk-canary-0123456789abcdef"


@dataclass(slots=True)
class LinesDecoder:
    """Reads the lines described above."""

    complete: bool = False
    _rest: bytes = b""
    _error: str = ""

    def feed(self, data: bytes) -> list[Part]:
        *lines, self._rest = (self._rest + data).split(b"\n")
        return [part for line in lines if (part := self._line(line.decode())) is not None]

    def _line(self, line: str) -> Part | None:
        word, _, said = line.partition(" ")
        if word == "end":
            self.complete = True
        elif word == "error":
            self._error = said
        elif word == "text" and not self._error:
            return TextDelta(said)
        return None

    @property
    def finished(self) -> bool:
        return self.complete or bool(self._error)

    def end(self) -> list[Part]:
        if self._rest.startswith(b"{") and self._rest.endswith(b"}"):
            return [TextDelta(json.loads(self._rest)["text"]), Stopped(Stop.END, "whole")]
        if self._error:
            return [StreamFailed(Failure(FailureKind.OVERLOADED, True, When.INSIDE))]
        if self.complete:
            return [Stopped(Stop.END, "end")]
        return [StreamFailed(Failure(FailureKind.CUT, True, When.INSIDE))]


@dataclass(slots=True)
class Lines:
    """The dialect itself. `body` is what it sends."""

    id: str = "lines"
    envelope: str = "line"
    return_address: str = "line"
    body: JsonObject = field(default_factory=lambda: {"model": "m"})

    def encode(self, request: Request) -> Encoded:
        return Encoded("/v1/ask", {"x-version": "1"}, self.body)

    def authorize(self, key: str) -> tuple[str, str]:
        return ("authorization", f"Bearer {key}")

    def decoder(
        self, *, provider: str, new_id: NewId, event_limit: int = EVENT_LIMIT
    ) -> LinesDecoder:
        return LinesDecoder()


def provider_at(
    url: str,
    *,
    handler: Handler | None = None,
    silence: float = 5.0,
    key: Secret | None = None,
    body: JsonObject | None = None,
    refused: RefusedFields | None = None,
) -> Provider:
    """A provider that speaks lines."""
    return Provider(
        id="tests",
        title="Tests",
        dialect=Lines() if body is None else Lines(body=body),
        base_url=url,
        model="m",
        transport=Transport(handler=handler, timeouts=Timeouts(connect=5, silence=silence)),
        key=key,
        refused=refused or RefusedFields(),
    )


def answering(
    *reads: bytes,
    status: int = 200,
    content_type: str = "text/event-stream",
    seen: Callable[[WireRequest], None] = lambda _: None,
    **headers: str,
) -> Handler:
    """A handler that gives these reads to whoever asks."""

    async def handle(request: WireRequest) -> WireResponse:
        seen(request)

        async def body() -> AsyncIterator[bytes]:
            for data in reads:
                yield data

        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return WireResponse(status, {"content-type": content_type, **named}, body())

    return handle


async def heard(provider: Provider) -> list[Received]:
    """All that the provider says to a plain question."""
    request = Request(model=provider.model, history=(UserTurn("hello"),))
    return [received async for received in provider.stream(request)]


async def parts_heard(provider: Provider) -> list[Part]:
    """The parts of it."""
    return [part for received in await heard(provider) for part in received.parts]


async def failure_heard(provider: Provider) -> Failure:
    """The failure that it must end with."""
    *_, last = await parts_heard(provider)
    assert isinstance(last, StreamFailed)
    return last.failure
