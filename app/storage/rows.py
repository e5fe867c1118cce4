"""What the store gives back: chats and turns with what is known about them."""

from __future__ import annotations

from dataclasses import dataclass

from app.events import Done, Ending
from providers.failures import Failure, FailureKind
from providers.history import Turn
from providers.parts import Span

CallSpans = tuple[tuple[Span, ...], ...]
"""For each call of a turn, in order, the byte ranges of the wire events that it came from."""


@dataclass(frozen=True, slots=True)
class Note:
    """How a message ended, when it ended without an answer. `reference` is the diagnostics'."""

    ending: Ending
    reference: str = ""
    kind: FailureKind | None = None

    @property
    def done(self) -> Done:
        """The end as it was told then; of a failure, what the person was told."""
        failure = Failure(self.kind, transient=False) if self.kind else None
        return Done(self.ending, failure, self.reference)


@dataclass(frozen=True, slots=True)
class StoredTurn:
    """A turn, when it was kept (seconds since 1970), and the note that stands after it.

    `id` is None for a turn that was never stored: results that stand in, after a crash, for those
    that are missing. `known` are then the places of the results that were kept.
    """

    id: int | None
    turn: Turn
    time: float
    note: Note | None = None
    known: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class ChatSummary:
    """A chat as it stands in a list. The times are seconds since 1970; `turns` counts as the
    panel of calls does, by what the person sent."""

    id: int
    title: str
    started: float
    changed: float
    turns: int


@dataclass(frozen=True, slots=True)
class Wire:
    """The response body that an assistant turn came from."""

    body: bytes
    spans: CallSpans
