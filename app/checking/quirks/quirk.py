"""What is a quirk? Something that servers do otherwise than the format's own, and how it shows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Generic, TypeVar

Stream = TypeVar("Stream")


@dataclass(frozen=True, slots=True)
class Quirk:
    """`number` is its place in its dialect's list, 0 where the list has none for it."""

    dialect: str
    number: int
    name: str


@dataclass(frozen=True, slots=True)
class Sign(Generic[Stream]):
    """How a quirk shows in one stream. Where it was seen, the `covers` go without saying: they
    are part of it."""

    quirk: Quirk
    shows: Callable[[Stream], bool]
    covers: frozenset[str] = field(default_factory=frozenset)
