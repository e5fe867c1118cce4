"""Sizes, times and counts as a person of each language writes them."""

from __future__ import annotations

from app.messages import Messages


def count_text(number: int, messages: Messages) -> str:
    """`2,318` or `2.318`."""
    return f"{number:,}".replace(",", messages("figures.group"))


def decimal_text(number: float, messages: Messages, digits: int = 1) -> str:
    """`3.1` or `3,1`."""
    return f"{number:.{digits}f}".replace(".", messages("figures.point"))


def size_text(size: int, messages: Messages) -> str:
    """Bytes as `41 B`, `1.2 kB` or `3.4 MB`."""
    if size < 1_000:
        return f"{size} B"
    if size < 1_000_000:
        return f"{decimal_text(size / 1_000, messages)} kB"
    return f"{decimal_text(size / 1_000_000, messages)} MB"


def seconds_text(seconds: float, messages: Messages) -> str:
    """A time as `2 ms`, `3.1 s` or `2 min 5 s`."""
    if seconds < 1:
        return f"{round(seconds * 1_000)} ms"
    if seconds < 60:
        return f"{decimal_text(seconds, messages)} s"
    return f"{int(seconds // 60)} min {int(seconds % 60)} s"
