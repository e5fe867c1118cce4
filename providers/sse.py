"""Bytes to server-sent events, by the WHATWG standard's rules; sans-IO.

The cuts between reads can fall anywhere. Lines are split on bytes, where no part of a character
looks like a line end, and decoded whole. What was scanned is never scanned again: a read without
a line end is only appended, so the cost is linear for reads of any size. One thing is left to the
caller: the standard throws an event away that no blank line closes; `end` hands it out.
"""

from __future__ import annotations

from typing import NamedTuple

from providers.parts import Span

_BOM = b"\xef\xbb\xbf"


class SseEvent(NamedTuple):
    """One event. `name` is "" without an `event:` line; `span` is the byte range of its lines,
    without the blank line that closes it."""

    name: str
    data: str
    span: Span


class SseReader:
    """Feed it the body's reads; it gives the events that each of them closed.

    `too_long` turns True when an event passes `event_limit` bytes: nothing is read from then on.
    `spoke` tells whether any line so far was of the format, `position` how many bytes came.
    """

    __slots__ = (
        "_after_cr",
        "_at",
        "_data",
        "_limit",
        "_line",
        "_name",
        "_room",
        "_start",
        "last_id",
        "retry",
        "spoke",
        "too_long",
    )

    def __init__(self, event_limit: int) -> None:
        self.too_long = False
        self.spoke = False
        self.last_id = ""
        self.retry: int | None = None
        self._limit = event_limit
        self._room = event_limit  # what the open line may still hold
        self._line = bytearray()  # the open line, as far as it came
        self._at = 0  # where the open line starts in the body
        self._start = 0  # where the open event starts in the body
        self._after_cr = False  # a line feed right now would belong to the line before
        self._name = ""
        self._data: list[bytes] = []

    @property
    def position(self) -> int:
        """How many bytes of the body have come."""
        return self._at + len(self._line)

    def feed(self, data: bytes) -> list[SseEvent]:
        """The events that these bytes closed."""
        if b"\n" in data or b"\r" in data or len(self._line) + len(data) > self._room:
            return self._read_lines(data)
        self._line += data
        return []

    def end(self) -> SseEvent | None:
        """The body has ended: the event with data that no blank line closed, if there is one."""
        if self._line and not self.too_long:
            rest = self._take(b"")
            self._read_field(rest)
            self._at += len(rest)
        if not self._data or self.too_long:
            return None
        return self._event(self._at)

    def _read_lines(self, data: bytes) -> list[SseEvent]:
        events: list[SseEvent] = []
        if self.too_long:
            return events
        lines = self._take(data).splitlines(keepends=True)
        if lines and lines[-1][-1] not in b"\r\n":
            self._line += lines.pop()
        at = self._at
        for line in lines:
            if line[0] in b"\r\n":
                if at - self._start > self._limit:
                    break
                if self._data:
                    events.append(self._event(at))
                self._name = ""
                self._start = at + len(line)
            elif line.startswith(b"data: "):
                self._data.append(line[6:].rstrip(b"\r\n"))
            else:
                self._read_field(line.rstrip(b"\r\n"))
            at += len(line)
        self._at = at
        self._room = self._limit - (at - self._start)
        if len(self._line) > self._room:
            self.too_long = True
            self._line.clear()
        return events

    def _take(self, data: bytes) -> bytes:
        """The open line and `data` after it; the open line is empty from now on."""
        if self._line:
            data = bytes(self._line) + data
            self._line.clear()
        elif self._after_cr and data.startswith(b"\n"):
            if self._start == self._at:
                self._start += 1
            self._at += 1
            data = data[1:]
        self._after_cr = data.endswith(b"\r")
        if self._at == 0 and data.startswith(_BOM):
            self._at = self._start = len(_BOM)
            data = data[len(_BOM) :]
        return data

    def _read_field(self, line: bytes) -> None:
        name, _, value = line.partition(b":")
        value = value.removeprefix(b" ")
        match name:
            case b"data":
                self._data.append(value)
            case b"event":
                self._name = value.decode("utf-8", "replace")
            case b"id":
                if b"\0" not in value:
                    self.last_id = value.decode("utf-8", "replace")
            case b"retry":
                # Python refuses to read numbers of thousands of digits.
                if value.isdigit() and len(value) < 20:
                    self.retry = int(value)
            case b"":  # a comment
                pass
            case _:
                return
        self.spoke = True

    def _event(self, end: int) -> SseEvent:
        data = self._data[0] if len(self._data) == 1 else b"\n".join(self._data)
        self._data.clear()
        self.spoke = True
        return SseEvent(self._name, data.decode("utf-8", "replace"), (self._start, end))
