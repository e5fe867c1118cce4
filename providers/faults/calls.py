"""How do the calls of an answer come out wrong: their ids, their places, their arguments?

A call is found wherever it stands in an event, and in an answer that does not stream.
"""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator

from providers.faults.bodies import Change
from providers.faults.events import EventKind, WireEvent
from providers.faults.fault import Exchange
from tools.call import JsonObject

Bytes = AsyncGenerator[bytes, None]
Events = AsyncIterator[WireEvent]

_ID_NAMES = {"openai-responses": "call_id"}
_CALL_TYPES = {"openai-responses": "function_call", "anthropic": "tool_use"}
_CALL_MEMBERS = {"openai-chat": "tool_calls", "gemini": "functionCall"}


def calls_in(value: object, dialect: str) -> Iterator[JsonObject]:
    """The calls, or the pieces of calls, that stand anywhere in it."""
    if isinstance(value, list):
        for item in value:
            yield from calls_in(item, dialect)
    if not isinstance(value, dict):
        return
    if (wanted := _CALL_TYPES.get(dialect)) and value.get("type") == wanted:
        yield value
        return
    for name, inner in value.items():
        if name == _CALL_MEMBERS.get(dialect):
            found = inner if isinstance(inner, list) else [inner]
            yield from (call for call in found if isinstance(call, dict))
        else:
            yield from calls_in(inner, dialect)


def each_call(make: Callable[[str], Callable[[JsonObject], None]]) -> Change:
    """`make(dialect)` gives, for one answer, what happens to each call in it."""

    async def change(events: Events, exchange: Exchange) -> Bytes:
        edit = make(exchange.dialect)
        async for event in events:
            calls = list(calls_in(event.value, exchange.dialect))
            for call in calls:
                edit(call)
            yield event.having(event.value).data if calls and event.value else event.data

    return change


def without_id(dialect: str) -> Callable[[JsonObject], None]:
    """No call has an id."""
    return lambda call: _drop(call, _id_name(dialect))


def first_id(dialect: str) -> Callable[[JsonObject], None]:
    """All calls have the id of the first."""
    name = _id_name(dialect)
    first: list[object] = []

    def edit(call: JsonObject) -> None:
        if call.get(name):
            first.append(call[name])
            call[name] = first[0]

    return edit


def first_index(dialect: str) -> Callable[[JsonObject], None]:
    """All calls have the place of the first."""

    def edit(call: JsonObject) -> None:
        if "index" in call:
            call["index"] = 0

    return edit


def _id_name(dialect: str) -> str:
    return _ID_NAMES.get(dialect, "id")


def _drop(call: JsonObject, name: str) -> None:
    call.pop(name, None)


async def arguments_as_object(events: Events, exchange: Exchange) -> Bytes:
    """The arguments come at once, as an object instead of its text."""
    gather = {"openai-chat": _gather_chat, "anthropic": _gather_anthropic}
    changed = gather.get(exchange.dialect, _gather_responses)(events)
    async for data in changed:
        yield data


async def _gather_chat(events: Events) -> Bytes:
    held: WireEvent | None = None
    pieces: list[str] = []
    async for event in events:
        calls = list(calls_in(event.value, "openai-chat"))
        if held is not None and not (calls and event.kind is EventKind.ARGUMENTS):
            yield _with_object(held, pieces)
            held = None
        if not calls or event.value is None:
            yield event.data
        elif event.kind is EventKind.END:  # an answer in one piece
            for call in calls:
                call["function"]["arguments"] = json.loads(call["function"]["arguments"])
            yield event.having(event.value).data
        else:
            if held is None:
                held, pieces = event, []
            pieces.append(str((calls[0].get("function") or {}).get("arguments") or ""))


def _with_object(event: WireEvent, pieces: list[str]) -> bytes:
    value = event.value or {}
    for call in calls_in(value, "openai-chat"):
        call["function"]["arguments"] = json.loads("".join(pieces) or "{}")
    return event.having(value).data


async def _gather_anthropic(events: Events) -> Bytes:
    held: WireEvent | None = None
    pieces: list[str] = []
    async for event in events:
        value = event.value or {}
        kind = value.get("type")
        if held is not None and kind == "content_block_delta":
            pieces.append(str((value.get("delta") or {}).get("partial_json") or ""))
            continue
        if held is not None and kind == "content_block_stop":
            opening = held.value or {}
            opening["content_block"]["input"] = json.loads("".join(pieces) or "{}")
            yield held.having(opening).data
            held = None
        if kind == "content_block_start" and value["content_block"].get("type") == "tool_use":
            held, pieces = event, []
        else:
            yield event.data


async def _gather_responses(events: Events) -> Bytes:
    async for event in events:
        if event.kind is EventKind.ARGUMENTS:
            continue
        value = event.value
        if value is None:
            yield event.data
            continue
        holders = list(calls_in(value, "openai-responses"))
        if value.get("type") == "response.function_call_arguments.done":
            holders.append(value)
        for holder in holders:
            if text := holder.get("arguments"):
                holder["arguments"] = json.loads(text)
        yield event.having(value).data if holders else event.data
