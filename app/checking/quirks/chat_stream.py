"""One streamed answer of Chat Completions, as the server wrote it.

The decoder reads through what is odd here, so the oddities are looked for before it: in the
chunks themselves and in the fragments of their calls.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from providers.dialects import EVENT_LIMIT
from providers.shapes import count_in, object_in, objects_in, text_in
from providers.sse import SseReader
from tools.call import JsonObject


@dataclass(frozen=True, slots=True)
class Fragment:
    """An entry of `tool_calls`. `late` when the finish reason had come before it."""

    entry: JsonObject
    late: bool

    @property
    def index(self) -> int | None:
        return count_in(self.entry, "index")

    @property
    def call_id(self) -> str:
        return text_in(self.entry, "id")

    @property
    def name(self) -> str:
        return text_in(object_in(self.entry, "function"), "name")

    @property
    def arguments(self) -> object:
        return object_in(self.entry, "function").get("arguments")

    @property
    def whole(self) -> bool:
        """Whether these arguments are a JSON object by themselves."""
        return isinstance(self.arguments, dict) or _is_object(self.arguments)


@dataclass(frozen=True, slots=True)
class ChatStream:
    """The chunks, the fragments in the order in which they came, and the same by call."""

    chunks: tuple[JsonObject, ...]
    done: bool
    fragments: tuple[Fragment, ...]
    calls: tuple[tuple[Fragment, ...], ...]

    @property
    def reasons(self) -> tuple[str, ...]:
        """The finish reasons."""
        said = (text_in(first_choice(chunk), "finish_reason") for chunk in self.chunks)
        return tuple(reason for reason in said if reason)

    @property
    def failed(self) -> bool:
        """Whether an error stands in it."""
        return any(chunk.get("error") for chunk in self.chunks)

    @property
    def ended(self) -> bool:
        """Whether it came to an end, by a word or by the mark, and not by a limit."""
        return (
            (self.done or bool(self.reasons)) and not self.failed and "length" not in self.reasons
        )


def first_choice(chunk: JsonObject) -> JsonObject:
    return next(iter(objects_in(chunk, "choices")), {})


def chat_stream(raw: bytes) -> ChatStream | None:
    """The stream in a body; None for a body that is no event stream."""
    chunks, done = [], False
    for data in _data(raw):
        done = done or data.strip() == "[DONE]"
        try:
            value = json.loads(data)
        except ValueError:
            continue
        if isinstance(value, dict):
            chunks.append(value)
    if not chunks:
        return None
    fragments = tuple(_fragments(chunks))
    return ChatStream(tuple(chunks), done, fragments, _by_call(fragments))


def _data(raw: bytes) -> Iterator[str]:
    reader = SseReader(EVENT_LIMIT)
    for _, data, _ in reader.feed(raw):
        yield data
    if (last := reader.end()) is not None:
        yield last[1]


def _fragments(chunks: Sequence[JsonObject]) -> Iterator[Fragment]:
    finished = False
    for chunk in chunks:
        choice = first_choice(chunk)
        entries = objects_in(object_in(choice, "delta"), "tool_calls")
        yield from (Fragment(entry, finished) for entry in entries)
        finished = finished or bool(choice.get("finish_reason"))


def _by_call(fragments: Sequence[Fragment]) -> tuple[tuple[Fragment, ...], ...]:
    """The fragments of each call. One with the id of an open call goes on with it; one without id
    goes on with the call at its index, or the last one, unless it is a whole call itself."""
    calls: list[list[Fragment]] = []
    for fragment in fragments:
        home = _home(fragment, calls)
        if home is None:
            calls.append([fragment])
        else:
            home.append(fragment)
    return tuple(tuple(call) for call in calls)


def _home(fragment: Fragment, calls: list[list[Fragment]]) -> list[Fragment] | None:
    newest_first = reversed(calls)
    if fragment.call_id:
        named = {other.call_id: call for call in calls for other in call if other.call_id}
        if fragment.call_id in named:
            return named[fragment.call_id]
        if fragment.name:
            return None
    elif fragment.name and fragment.whole:
        return None
    for call in newest_first:
        if fragment.index in (None, call[0].index):
            known = any(other.call_id for other in call)
            return None if fragment.call_id and known else call
    return None


def _is_object(text: object) -> bool:
    if not isinstance(text, str):
        return False
    try:
        return isinstance(json.loads(text), dict)
    except ValueError:
        return False
