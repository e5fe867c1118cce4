"""How does a server say no?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Refusal:
    """A refusal in a dialect's own words; `type` is Gemini's `status` and Anthropic's `type`.

    `details` are members that go into the error object as they are.
    """

    status: int
    message: str
    type: str
    code: str | None = None
    param: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    details: Mapping[str, object] = field(default_factory=dict)


class RefusedError(Exception):
    """Raised by the rules of a dialect for a request that the real server would refuse."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.message)
        self.refusal = refusal
