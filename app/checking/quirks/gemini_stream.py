"""One streamed answer of Gemini, as the server wrote it: the parts of its events."""

from __future__ import annotations

import json
from dataclasses import dataclass

from providers.dialects import EVENT_LIMIT
from providers.shapes import object_in, objects_in
from providers.sse import SseReader
from tools.call import JsonObject


@dataclass(frozen=True, slots=True)
class GeminiStream:
    """The events, and the calls in them; those that only go on with a call are in `pieces`."""

    events: tuple[JsonObject, ...]
    calls: tuple[JsonObject, ...]
    pieces: tuple[JsonObject, ...]


def gemini_stream(raw: bytes) -> GeminiStream | None:
    """The stream in a body; None for a body that is no event stream."""
    reader = SseReader(EVENT_LIMIT)
    found = reader.feed(raw)
    if (last := reader.end()) is not None:
        found = [*found, last]
    events = []
    for _, data, _ in found:
        try:
            value = json.loads(data)
        except ValueError:
            continue
        if isinstance(value, dict):
            events.append(value)
    if not events:
        return None
    calls = [
        part["functionCall"]
        for event in events
        for candidate in objects_in(event, "candidates")
        for part in objects_in(object_in(candidate, "content"), "parts")
        if isinstance(part.get("functionCall"), dict)
    ]
    return GeminiStream(
        tuple(events),
        tuple(call for call in calls if call.get("name")),
        tuple(call for call in calls if "partialArgs" in call or "willContinue" in call),
    )
