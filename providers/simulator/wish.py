"""What is a thing that the person wants and a tool can grant?"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Wish:
    """`subject` is the key of the sentence that answers it. With `reads`, so many of the files
    that the tool lists are wanted and not the list itself."""

    subject: str
    tool: str
    arguments: str
    reads: int = 0
