"""Bytes to server-sent events, by the WHATWG standard's rules; sans-IO.

The cuts between reads can fall anywhere. Lines are split on bytes, where no part of a character
looks like a line end, and decoded whole. What was scanned is never scanned again: a read without
a line end is only appended, so the cost is linear for reads of any size. One thing is left to the
caller: the standard throws an event away that no blank line closes; `end` hands it out.
"""

from __future__ import annotations

from typing import TypeAlias

from providers.parts import Span

_BOM = b"\xef\xbb\xbf"
_LF, _CR = 10, 13
"""The line ends, as numbers: to look for b"\\n" in bytes takes Python four times as long."""


SseEvent: TypeAlias = tuple[str, str, Span]
"""An event's name ("" without an `event:` line), its data, and the byte range of its lines,
without the blank line that closes it. A plain tuple: there is one for every few characters."""


class SseReader:
    """Feed it the body's reads; it gives the events that each of them closed.

    `too_long` turns True when an event passes `event_limit` bytes: nothing is read from then on.
    `spoke` tells whether any line so far was of the format, `position` how many bytes came.
    `line` is the open line as far as it came: who is in a hurry may append a read without a line
    end to it instead of feeding it, as long as it stays shorter than the limit.
    """

    __slots__ = (
        "_after_cr",
        "_at",
        "_data",
        "_limit",
        "_name",
        "_named",
        "_start",
        "last_id",
        "line",
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
        self.line = bytearray()
        self._at = 0  # where the open line starts in the body
        self._start = 0  # where the open event starts in the body
        self._after_cr = False  # a line feed right now would belong to the line before
        self._name = ""
        self._named = (b"", "")  # the last line with a name: the next event often has the same
        self._data: list[bytes | bytearray] = []

    @property
    def position(self) -> int:
        """How many bytes of the body have come."""
        return self._at + len(self.line)

    def feed(self, data: bytes) -> list[SseEvent]:
        """The events that these bytes closed."""
        if data == b"\n" and self._at and not self._after_cr and not self.too_long:
            return self._end_line()
        if _LF in data or _CR in data:
            return self._read_lines(data)
        self.line += data
        return [] if len(self.line) <= self._limit else self._read_lines(b"")

    def end(self) -> SseEvent | None:
        """The body has ended: the event with data that no blank line closed, if there is one."""
        if self.line and not self.too_long:
            rest = self._take(b"")
            self._read_field(rest)
            self._at += len(rest)
            if self._at - self._start > self._limit:
                self._give_up()
        if not self._data or self.too_long:
            return None
        return self._event(self._at)

    def _read_lines(self, data: bytes) -> list[SseEvent]:
        events: list[SseEvent] = []
        if self.too_long:
            self.line.clear()
            return events
        lines = self._take(data).splitlines(True)
        if lines and lines[-1][-1] not in b"\r\n":
            self.line += lines.pop()
        at = self._at
        for line in lines:
            if line[0] in b"\r\n":
                if at - self._start > self._limit:
                    break
                self._end_event(at, at + len(line), events)
            elif line.startswith(b"data: "):
                self._data.append(line[6:].rstrip(b"\r\n"))
            else:
                self._read_field(line.rstrip(b"\r\n"))
            at += len(line)
        self._at = at
        if self.position - self._start > self._limit:
            self._give_up()
        return events

    def _end_line(self) -> list[SseEvent]:
        """The same for a read of a single line feed: streams read byte by byte are full of them."""
        events: list[SseEvent] = []
        line = self.line
        at = self._at
        self._at += len(line) + 1
        if not line:
            self._end_event(at, self._at, events)
            return events
        if line.startswith(b"data: "):
            self._data.append(line[6:])
        else:
            self._read_field(bytes(line))
        line.clear()
        if self._at - self._start > self._limit:
            self._give_up()
        return events

    def _end_event(self, end: int, after: int, events: list[SseEvent]) -> None:
        """A blank line: the event ends before it, the next one starts after it."""
        if self._data:
            events.append(self._event(end))
        self._name = ""
        self._start = after

    def _take(self, data: bytes) -> bytes:
        """The open line and `data` after it; the open line is empty from now on."""
        if self.line:
            data = bytes(self.line) + data
            self.line.clear()
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
        if line == self._named[0]:
            self._name = self._named[1]
            return
        name, _, value = line.partition(b":")
        value = value.removeprefix(b" ")
        match name:
            case b"data":
                self._data.append(value)
            case b"event":
                self._name = value.decode("utf-8", "replace")
                self._named = (line, self._name)
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

    def _give_up(self) -> None:
        self.too_long = True
        self.line.clear()

    def _event(self, end: int) -> SseEvent:
        data = self._data[0] if len(self._data) == 1 else b"\n".join(self._data)
        self._data.clear()
        self.spoke = True
        return self._name, data.decode("utf-8", "replace"), (self._start, end)
