"""Fragments to calls, the same for every dialect.

A dialect says which call a fragment belongs to; an `Assembly` keeps the calls of one message in
their order and an `OpenCall` keeps one call's pieces. The pieces are joined and parsed once, when
the call closes: re-parsing the prefix at each fragment would cost the square of its length.
"""

from __future__ import annotations

from providers.dialects import NewId
from providers.json_text import mend, parse, whole_text
from providers.parts import (
    CallBroken,
    CallCompleted,
    CallFragment,
    CallNamed,
    CallStarted,
    Part,
    Span,
)
from tools.call import JsonObject, ToolCall

NOT_JSON = "the arguments are not valid JSON"
NOT_OBJECT = "the arguments are not a JSON object"
"""Why a call is broken, in words for the model."""


class OpenCall:
    """A call as far as it came. `given` holds arguments that came as an object, not as text."""

    __slots__ = ("_scanned", "call_id", "given", "key", "name", "pieces", "size")

    def __init__(self, key: int, name: str, call_id: str) -> None:
        self.key = key
        self.name = name
        self.call_id = call_id
        self.given: JsonObject | None = None
        self.pieces: list[str] = []
        self.size = 0
        self._scanned = _Nesting()

    def add(self, text: str, span: Span) -> CallFragment:
        """The next piece of the arguments' text."""
        self.pieces.append(text)
        self.size += len(text)
        return CallFragment(self.key, text, span)

    def give(self, arguments: JsonObject, text: str, span: Span) -> CallFragment:
        """The arguments as an object, as some servers send them; `text` shows them."""
        self.given = arguments
        return CallFragment(self.key, text, span)

    def rename(self, name: str, call_id: str, span: Span) -> CallNamed:
        """The name or the id grew, or came late; both are whole as known now."""
        self.name = mend(name)
        self.call_id = mend(call_id)
        return CallNamed(self.key, self.name, self.call_id, span)

    @property
    def raw(self) -> str:
        """The arguments' text as far as it came."""
        return whole_text(self.pieces)

    @property
    def empty(self) -> bool:
        """No arguments have come."""
        return self.given is None and not self.size

    @property
    def whole(self) -> bool:
        """The arguments are closed: nothing can follow them. Cheap to ask again and again."""
        return self.given is not None or self._scanned.closed(self.pieces)


class Assembly:
    """The calls of one message. `new_id` makes the ids that the wire does not give."""

    def __init__(self, provider: str, new_id: NewId) -> None:
        self.calls: list[OpenCall] = []
        self._provider = provider
        self._new_id = new_id

    def open(self, name: str, call_id: str, span: Span) -> tuple[OpenCall, CallStarted]:
        """A new call, after all others; "" for what is not known yet."""
        call = OpenCall(len(self.calls), mend(name), mend(call_id))
        self.calls.append(call)
        return call, CallStarted(call.key, call.name, call.call_id, span)

    def close(self, call: OpenCall, span: Span, *, cut: bool = False) -> Part | None:
        """What the call became. With `cut` the answer was ended by a limit and this call may be
        half: unless its arguments are whole it is neither a call nor a broken one, but None."""
        args, reason = _arguments(call)
        if cut and (reason or call.empty):
            return None
        if not call.call_id:
            call.call_id = self._new_id()
        if reason:
            return CallBroken(call.key, call.name, call.call_id, call.raw, reason, span)
        done = ToolCall(call.name, args, self._provider, call.call_id)
        return CallCompleted(call.key, done, span)


def is_whole(text: str) -> bool:
    """Whether the text closes the bracket that it opens with, so that nothing can follow."""
    return _Nesting().closed([text])


def _arguments(call: OpenCall) -> tuple[JsonObject, str]:
    """The parsed arguments, or the reason why they are unusable. Text wins over an object that
    was given before it; a call with neither has no arguments."""
    text = call.raw
    if not text or text.isspace():
        return call.given or {}, ""
    try:
        value = parse(text)
    except ValueError:
        return {}, NOT_JSON
    return (value, "") if isinstance(value, dict) else ({}, NOT_OBJECT)


class _Nesting:
    """Whether a growing JSON text has closed its outermost bracket; reads each piece once."""

    __slots__ = ("_depth", "_escaped", "_opened", "_quoted", "_read")

    def __init__(self) -> None:
        self._read = 0
        self._depth = 0
        self._opened = self._quoted = self._escaped = False

    def closed(self, pieces: list[str]) -> bool:
        while self._read < len(pieces):
            self._scan(pieces[self._read])
            self._read += 1
        return self._opened and self._depth <= 0

    def _scan(self, piece: str) -> None:
        for character in piece:
            if self._quoted:
                if self._escaped:
                    self._escaped = False
                elif character == "\\":
                    self._escaped = True
                elif character == '"':
                    self._quoted = False
            elif character == '"':
                self._quoted = True
            elif character in "{[":
                self._opened = True
                self._depth += 1
            elif character in "}]":
                self._depth -= 1
