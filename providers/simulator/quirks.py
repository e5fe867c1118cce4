"""What do servers that call themselves OpenAI-compatible do otherwise than OpenAI's own?

Each quirk was seen on a real server, and is the name of a model in Chat Completions. It changes
the chunks of a right answer, so that a client meets one oddity at a time. Chunks are freshly made
for one answer: a quirk may change them in place.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby, zip_longest
from types import MappingProxyType
from typing import TypeAlias

from providers.simulator.frames import FrameKind
from providers.simulator.reading import member, objects
from tools.call import JsonObject


@dataclass(frozen=True, slots=True)
class Chunk:
    """One event of the stream; None stands for `[DONE]`."""

    kind: FrameKind
    value: JsonObject | None

    @property
    def calls(self) -> list[JsonObject]:
        """The fragments of calls in it."""
        return objects(member(self._delta, "tool_calls"))

    @property
    def finishes(self) -> bool:
        """Whether it says why the model stopped."""
        return bool(member(self._choice, "finish_reason"))

    @property
    def _choice(self) -> object:
        return next(iter(objects(member(self.value, "choices"))), None)

    @property
    def _delta(self) -> object:
        return member(self._choice, "delta")

    def having(self, delta: object, kind: FrameKind | None = None) -> Chunk:
        """The same chunk with another delta."""
        choice = {**(self._choice if isinstance(self._choice, dict) else {}), "delta": delta}
        return Chunk(kind or self.kind, {**(self.value or {}), "choices": [choice]})


Chunks: TypeAlias = Iterator[Chunk]


@dataclass(frozen=True, slots=True)
class Quirk:
    """`chunks` changes a stream; `call` does the same to a call of an answer without stream."""

    chunks: Callable[[Chunks], Chunks]
    call: Callable[[JsonObject], None] = lambda _: None


def _each(change: Callable[[JsonObject], None]) -> Quirk:
    """A quirk that shows on every fragment by itself."""

    def changed(chunks: Chunks) -> Chunks:
        for chunk in chunks:
            for call in chunk.calls:
                change(call)
            yield chunk

    return Quirk(changed, change)


def _each_whole(change: Callable[[JsonObject], None] = lambda _: None) -> Quirk:
    """A quirk of servers that send a call in one chunk."""

    def changed(chunks: Chunks) -> Chunks:
        return _each(change).chunks(_gathered(chunks))

    return Quirk(changed, change)


def _gathered(chunks: Chunks) -> Chunks:
    """Each call in one chunk."""
    for index, several in groupby(chunks, lambda chunk: [call["index"] for call in chunk.calls]):
        if not index:
            yield from several
            continue
        first, *others = several
        function = first.calls[0]["function"]
        function["arguments"] += "".join(
            call["function"]["arguments"] for chunk in others for call in chunk.calls
        )
        yield Chunk(FrameKind.ARGUMENTS, first.value)


def _without(name: str) -> Callable[[JsonObject], None]:
    def change(call: JsonObject) -> None:
        call.pop(name, None)

    return change


def _first_index(call: JsonObject) -> None:
    if "index" in call:
        call["index"] = 0


def _first_index_no_id(call: JsonObject) -> None:
    _first_index(call)
    call.pop("id", None)


def _id_becomes(value: str | None) -> Callable[[JsonObject], None]:
    def change(call: JsonObject) -> None:
        if "id" in call:
            call["id"] = value

    return change


def _odd_id(call: JsonObject) -> None:
    """Long, with a dot, a colon and a slash: other dialects refuse such an id."""
    if "id" in call:
        call["id"] = f"functions.{call['function']['name']}:0/{call['id']}"


def _object_arguments(call: JsonObject) -> None:
    call["function"]["arguments"] = json.loads(call["function"]["arguments"])


def _no_arguments(call: JsonObject) -> None:
    if call["function"]["arguments"] == "{}":
        call["function"]["arguments"] = None


def _repeated_id(chunks: Chunks) -> Chunks:
    """Id and name again on every fragment."""
    opened: dict[int, JsonObject] = {}
    for chunk in chunks:
        for call in chunk.calls:
            first = opened.setdefault(call["index"], call)
            call["id"] = first["id"]
            call["function"]["name"] = first["function"]["name"]
        yield chunk


def _call_twice(chunks: Chunks) -> Chunks:
    for chunk in _gathered(chunks):
        yield chunk
        if chunk.calls:
            yield chunk


def _late_id(chunks: Chunks) -> Chunks:
    """The id comes with the first piece of the arguments."""
    held: str | None = None
    for chunk in chunks:
        for call in chunk.calls:
            if "id" in call:
                held = call.pop("id")
            elif held is not None:
                call["id"], held = held, None
        yield chunk


def _cut_name(chunks: Chunks) -> Chunks:
    """The name in two pieces."""
    for chunk in chunks:
        name = chunk.calls[0]["function"].get("name") if chunk.calls else None
        if name is None:
            yield chunk
            continue
        half = len(name) // 2
        chunk.calls[0]["function"]["name"] = name[:half]
        yield chunk
        rest = {"index": chunk.calls[0]["index"], "function": {"name": name[half:]}}
        yield chunk.having({"tool_calls": [rest]})


def _interleaved(chunks: Chunks) -> Chunks:
    """Fragments of all calls by turns."""
    for calling, several in groupby(chunks, lambda chunk: bool(chunk.calls)):
        if not calling:
            yield from several
            continue
        by_index: dict[int, list[Chunk]] = {}
        for chunk in several:
            by_index.setdefault(chunk.calls[0]["index"], []).append(chunk)
        for turn in zip_longest(*by_index.values()):
            yield from (chunk for chunk in turn if chunk is not None)


def _without_reason(chunks: Chunks) -> Chunks:
    return (chunk for chunk in chunks if not chunk.finishes)


def _without_done(chunks: Chunks) -> Chunks:
    return (chunk for chunk in chunks if chunk.value is not None)


def _wrong_reason(chunks: Chunks) -> Chunks:
    """`stop` though there are calls, `tool_calls` though there are none."""
    called = False
    for chunk in chunks:
        called = called or bool(chunk.calls)
        if chunk.finishes and chunk.value:
            chunk.value["choices"][0]["finish_reason"] = "stop" if called else "tool_calls"
        yield chunk


def _calls_after_reason(chunks: Chunks) -> Chunks:
    """The calls come when all seems to be said."""
    held: list[Chunk] = []
    for chunk in chunks:
        if chunk.calls:
            held.append(chunk)
            continue
        yield chunk
        if chunk.finishes:
            yield from held


def _cut_at_length(chunks: Chunks) -> Chunks:
    """The limit is reached inside the arguments of the last call."""
    every = list(chunks)
    fragments = [place for place, chunk in enumerate(every) if chunk.calls]
    for place, chunk in enumerate(every):
        if fragments and fragments[-1] - 1 <= place <= fragments[-1]:
            continue
        if chunk.finishes and chunk.value:
            chunk.value["choices"][0]["finish_reason"] = "length"
        yield chunk


def _error_inside(chunks: Chunks) -> Chunks:
    """The provider behind the gateway fails in mid-stream, under the status 200."""
    every = list(chunks)
    yield from every[: len(every) // 2]
    error = {"code": 502, "message": "Provider disconnected"}
    failed = every[0].having({"content": ""})
    value = {**(failed.value or {}), "error": error}
    value["choices"][0]["finish_reason"] = "error"
    yield Chunk(FrameKind.NOTE, value)


_ODD: tuple[JsonObject, ...] = (
    {},
    {"choices": None},
    {"choices": [], "prompt_filter_results": [{"prompt_index": 0}]},
    {"x_unknown": {"a": [1]}},
)


def _odd_chunks(chunks: Chunks) -> Chunks:
    """Chunks that say nothing, as gateways send them, between those that do."""
    for place, chunk in enumerate(chunks):
        if chunk.value is not None and place < 2:
            rest = {name: part for name, part in chunk.value.items() if name != "choices"}
            for odd in _ODD:
                yield Chunk(FrameKind.NOTE, {**rest, **odd})
            yield chunk.having({}, FrameKind.NOTE)
            yield chunk.having(None, FrameKind.NOTE)
        yield chunk


def _typed_content(chunks: Chunks) -> Chunks:
    """Text and reasoning as lists of typed parts."""
    for chunk in chunks:
        delta = member(next(iter(objects(member(chunk.value, "choices"))), None), "delta") or {}
        match delta:
            case {"content": str(said)} if said:
                yield chunk.having({"content": [_text_part(said)]})
            case {"reasoning_content": str(thought)}:
                part = {"type": "thinking", "thinking": [_text_part(thought)]}
                yield chunk.having({"content": [part]})
            case _:
                yield chunk


def _text_part(said: str) -> JsonObject:
    return {"type": "text", "text": said}


QUIRKS: Mapping[str, Quirk] = MappingProxyType(
    {
        "quirk-no-index": _each(_without("index")),
        "quirk-index-0": _each(_first_index),
        "quirk-index-0-no-ids": _each_whole(_first_index_no_id),
        "quirk-repeated-id": Quirk(_repeated_id),
        "quirk-whole-calls": _each_whole(),
        "quirk-call-twice": Quirk(_call_twice),
        "quirk-no-ids": _each(_without("id")),
        "quirk-empty-ids": _each(_id_becomes("")),
        "quirk-null-ids": _each(_id_becomes(None)),
        "quirk-object-arguments": _each_whole(_object_arguments),
        "quirk-null-arguments": _each_whole(_no_arguments),
        "quirk-wrong-reason": Quirk(_wrong_reason),
        "quirk-no-reason": Quirk(_without_reason),
        "quirk-no-done": Quirk(_without_done),
        "quirk-cut-name": Quirk(_cut_name),
        "quirk-error-inside": Quirk(_error_inside),
        "quirk-odd-chunks": Quirk(_odd_chunks),
        "quirk-late-id": Quirk(_late_id),
        "quirk-odd-ids": _each(_odd_id),
        "quirk-interleaved": Quirk(_interleaved),
        "quirk-late-calls": Quirk(_calls_after_reason),
        "quirk-cut-at-length": Quirk(_cut_at_length),
        "quirk-typed-content": Quirk(_typed_content),
    }
)
"""Name of the model → what its server does."""

THINKING = frozenset({"quirk-typed-content"})
"""Those whose quirk shows in reasoning too."""

NO_QUIRK = Quirk(lambda chunks: chunks)
"""OpenAI's own server."""
