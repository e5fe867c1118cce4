"""What is one event on the wire, and how is it framed?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum, auto

import pydantic_core


class FrameKind(Enum):
    """What a frame carries: pace and faults go by it."""

    NOTE = auto()
    """Framework: openings, closings, pings, usage."""
    TEXT = auto()
    """A fragment of text or reasoning."""
    ARGUMENTS = auto()
    """A fragment of a call's arguments."""
    END = auto()
    """Without this one the format calls the stream cut."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One event, as bytes."""

    kind: FrameKind
    data: bytes


def to_json(value: object) -> bytes:
    """Compact JSON in UTF-8: characters stay themselves, so that a cut may fall inside one."""
    return pydantic_core.to_json(value)


def named_event(kind: FrameKind, name: str, value: object) -> Frame:
    """An event with a name and data."""
    return Frame(kind, b"event: " + name.encode() + b"\ndata: " + to_json(value) + b"\n\n")


def plain_event(kind: FrameKind, data: bytes, line_end: bytes = b"\n") -> Frame:
    """An event with data alone."""
    return Frame(kind, b"data: " + data + line_end * 2)


def as_array(frames: Iterable[Frame]) -> Iterator[Frame]:
    """Plain events as one JSON array, the way Gemini streams when it is not asked for events."""
    opening = b"["
    for frame in frames:
        yield Frame(frame.kind, opening + frame.data.removeprefix(b"data: ").rstrip())
        opening = b",\r\n"
    yield Frame(FrameKind.END, b"]")
