"""The frame that every decoder has in common: from the body's bytes to one dialect's events.

It reads the events, parses their JSON and hands them to the dialect's own `EventReader`; it finds
out whether the body is an event stream at all or one whole JSON answer, and it keeps the ending
rule: the last part of `end()` is exactly one `Stopped` or `StreamFailed`, `feed()` gives neither.

How to write a dialect's reader: see `EventReader`. `StreamDecoder(reader, dialect, limit)` is
then the whole decoder.
"""

from __future__ import annotations

from enum import Enum, auto
from typing import Protocol

from providers.failures import Failure, cut, failure_of_event, protocol
from providers.half_characters import HalfCharacters
from providers.json_text import parse, parse_fast, parse_slowly
from providers.parts import Part, Span, StreamFailed
from providers.sse import SseEvent, SseReader
from tools.call import JsonObject

_DONE = "[DONE]"
_ORDINARY = frozenset(bytes([byte]) for byte in range(256)) - {b"\n", b"\r"}
"""The reads of one byte that end no line."""
_SHOWN = 4096
"""How much of a body that is no stream is kept for the diagnostics."""


class EventReader(Protocol):
    """What a dialect makes of its events. It must bear any JSON object (see `providers.shapes`)
    and never raise.

    Every method gives the parts that became known, each with the span it is handed. A failure
    that an event tells of (`failure_of_event`) is returned as a `StreamFailed`, last in the list:
    the frame keeps it for the end and shows no parts that come after. A reader never returns
    `Stopped` but from `finish`.
    """

    @property
    def finished(self) -> bool:
        """The terminal marker was read: nothing that matters can follow."""
        ...

    @property
    def complete(self) -> bool:
        """The body may end here: what the format demands at the end has come."""
        ...

    def read(self, event: JsonObject, span: Span) -> list[Part]:
        """One event. `event["type"]` is filled in from the `event:` line where data has none."""
        ...

    def read_done(self, span: Span) -> list[Part]:
        """The literal `[DONE]` was read."""
        ...

    def read_whole(self, answer: JsonObject, span: Span) -> list[Part]:
        """An answer that did not stream: the whole body. `complete` stays False if it is none."""
        ...

    def finish(self, span: Span) -> list[Part]:
        """The body has ended and `complete` is True: the last parts, `Stopped` as the last one."""
        ...


class _Shape(Enum):
    """What the body looks like so far."""

    UNKNOWN = auto()
    """No event yet: each read goes into the head as well, for the diagnostics."""
    STREAM = auto()
    JSON = auto()
    OTHER = auto()


class StreamDecoder:
    """Reads one response body with a dialect's reader. Never raises for what a server sends."""

    __slots__ = (
        "_dialect",
        "_failure",
        "_halves",
        "_head",
        "_limit",
        "_line",
        "_ordinary",
        "_reader",
        "_shape",
        "_sse",
    )

    def __init__(self, reader: EventReader, dialect: str, event_limit: int) -> None:
        self._reader = reader
        self._dialect = dialect
        self._limit = event_limit
        self._sse = SseReader(event_limit)
        self._shape = _Shape.UNKNOWN
        self._line = self._sse.line
        self._ordinary: frozenset[bytes] = frozenset()  # filled once this is a stream
        self._head = bytearray()
        self._failure: StreamFailed | None = None
        self._halves: HalfCharacters | None = None

    @property
    def finished(self) -> bool:
        """The format's end has been read, or a failure: nothing that matters can follow."""
        return (
            self._reader.finished
            or self._failure is not None
            or self._sse.too_long
            or (self._shape is _Shape.OTHER and len(self._head) >= _SHOWN)
        )

    @property
    def complete(self) -> bool:
        """What the format demands at the end has come, even if a failure came as well."""
        return self._reader.complete

    def feed(self, data: bytes) -> list[Part]:
        """The parts that became known with these bytes."""
        if data not in self._ordinary:
            return self._feed(data)
        # The worst way to be read, byte by byte, costs a look and an append for each of them.
        line = self._line
        line += data
        return [] if len(line) <= self._limit else self._feed(b"")

    def end(self) -> list[Part]:
        """The last parts, once the body has ended; the very last is Stopped or StreamFailed."""
        span = (self._sse.position, self._sse.position)
        match self._shape:
            case _Shape.JSON:
                span = (0, len(self._head))
                parts = self._end_json(span)
            case _Shape.OTHER:
                parts = self._fail(protocol("the body is no event stream", bytes(self._head)), span)
            case _:
                parts = self._end_stream()
        if self._failure is None and not self._reader.complete:
            self._fail(cut(), span)
        if self._halves is not None:
            parts += self._halves.rest()
        if self._failure is None:
            return parts + self._reader.finish(span)
        return [*parts, self._failure]

    def _feed(self, data: bytes) -> list[Part]:
        if not self._ordinary:
            return self._feed_unknown(data)
        events = self._sse.feed(data)
        return self._read_events(events) if events else []

    def _feed_unknown(self, data: bytes) -> list[Part]:
        if self._shape in (_Shape.JSON, _Shape.OTHER):
            self._hold(data)
            return []
        self._head += data
        start = bytes(self._head[:_SHOWN]).removeprefix(b"\xef\xbb\xbf").lstrip()[:1]
        if start in (b"{", b"[", b"<"):
            self._shape = _Shape.OTHER if start == b"<" else _Shape.JSON
            return []
        parts = self._read_events(events := self._sse.feed(data))
        if events or len(self._head) > _SHOWN:
            self._shape = _Shape.STREAM
            self._ordinary = _ORDINARY
        return parts

    def _hold(self, data: bytes) -> None:
        """Keep the next bytes of a body that is no event stream, as far as they can be of use."""
        most = self._limit if self._shape is _Shape.JSON else _SHOWN
        if self._shape is _Shape.OTHER or len(self._head) + len(data) <= most:
            self._head += data[: max(0, most - len(self._head))]
        else:
            self._fail(protocol("the answer is longer than the limit", bytes(self._head[:_SHOWN])))
            self._shape = _Shape.OTHER

    def _read_events(self, events: list[SseEvent]) -> list[Part]:
        parts: list[Part] = []
        for name, data, span in events:
            try:
                payload = parse_fast(data)
            except ValueError:
                parts += self._read_odd(name, data, span)
            else:
                parts += self._read_payload(name, payload, span)
        return parts

    def _read_odd(self, name: str, data: str, span: Span) -> list[Part]:
        """An event that the fast parser refused: most often it is no JSON at all."""
        try:
            payload = parse_slowly(data)
        except ValueError:
            return self._read_text(name, data.strip(), span)
        if self._halves is None:
            self._halves = HalfCharacters()
        return self._read_payload(name, payload, span)

    def _read_payload(self, name: str, payload: object, span: Span) -> list[Part]:
        if name == "error":
            return self._fail(failure_of_event(self._dialect, _error_object(payload)), span)
        if not isinstance(payload, dict):
            return self._read_values(payload, span)
        if name and "type" not in payload:
            payload["type"] = name
        return self._read_object(payload, span)

    def _read_object(self, event: JsonObject, span: Span) -> list[Part]:
        """One event. Gateways send errors in each other's shapes, and without an event's name:
        what the dialect makes nothing of is looked at once more."""
        parts = self._reader.read(event, span)
        if not parts and not self._reader.finished and _tells_of_an_error(event):
            return self._fail(failure_of_event(self._dialect, event), span)
        return self._told(parts)

    def _read_values(self, payload: object, span: Span) -> list[Part]:
        """Each object of a list as an event of its own; any other value says nothing to us."""
        parts: list[Part] = []
        for item in payload if isinstance(payload, list) else ():
            if isinstance(item, dict):
                parts += self._read_object(item, span)
        return parts

    def _read_text(self, name: str, text: str, span: Span) -> list[Part]:
        """An event whose data is no JSON."""
        if text == _DONE:
            return self._told(self._reader.read_done(span))
        if name == "error":
            return self._fail(failure_of_event(self._dialect, _error_object(text)), span)
        if not text:
            return []
        return self._fail(protocol("an event's data is no JSON", text[:_SHOWN]), span)

    def _end_stream(self) -> list[Part]:
        last = self._sse.end()
        if self._reader.finished:
            return []
        if self._sse.too_long:
            return self._fail(protocol(f"an event is longer than {self._limit} bytes"))
        if last is not None:
            return self._read_last(last)
        if self._shape is _Shape.UNKNOWN and self._head.strip() and not self._sse.spoke:
            return self._fail(protocol("the body is no event stream", bytes(self._head)))
        return []

    def _read_last(self, event: SseEvent) -> list[Part]:
        """Real servers leave the last blank line out: what is whole counts, the rest was cut."""
        _, data, span = event
        if data.strip() != _DONE:
            try:
                parse(data)
            except ValueError:
                return self._fail(cut("the body ended inside an event"), span)
        return self._read_events([event])

    def _end_json(self, span: Span) -> list[Part]:
        text = self._head.decode("utf-8", "replace").removeprefix("\ufeff")
        try:
            payload = parse(text)
        except ValueError:
            return self._fail(_half_json(text), span)
        if not isinstance(payload, dict):
            return self._read_values(payload, span)
        parts = self._told(self._reader.read_whole(payload, span))
        if self._failure is None and not self._reader.complete:
            self._fail(self._no_answer(payload, text), span)
        return parts

    def _no_answer(self, payload: JsonObject, text: str) -> Failure:
        if any(payload.get(name) for name in ("error", "errors", "message", "detail")):
            return failure_of_event(self._dialect, payload)
        return protocol("the JSON holds no answer", text[:_SHOWN])

    def _told(self, parts: list[Part]) -> list[Part]:
        """The parts that may be shown: none after a failure, which is kept for the end."""
        if self._failure is not None:
            return []
        if parts and isinstance(last := parts[-1], StreamFailed):
            self._failure = last
            parts = parts[:-1]
        return parts if self._halves is None else self._halves.mend(parts)

    def _fail(self, failure: Failure, span: Span = (0, 0)) -> list[Part]:
        """The first failure is the one that counts."""
        if self._failure is None:
            self._failure = StreamFailed(failure, span)
        return []


def _tells_of_an_error(event: JsonObject) -> bool:
    return bool(event.get("error") or event.get("errors")) or "error" in (
        event.get("type"),
        event.get("object"),
    )


def _error_object(payload: object) -> JsonObject:
    """The error in the data of an event named so; some servers send a list that holds it."""
    match payload:
        case dict() as error:
            return error
        case [dict() as error, *_]:
            return error
        case _:
            return {"error": {"message": str(payload)}}


def _half_json(text: str) -> Failure:
    """A body that starts like JSON and is none: cut, unless something whole is in front."""
    import json

    try:
        json.JSONDecoder().raw_decode(text.lstrip())
    except (ValueError, RecursionError):
        return cut("the body ended inside its JSON")
    return protocol("the body is more than one JSON value", text[:_SHOWN])
