"""What holds the chat screen's widgets beside and above one another."""

from __future__ import annotations

from textual.containers import Horizontal, Vertical


class Body(Horizontal):
    """The chat and the panel beside it. Draws nothing itself, and so costs nothing at a frame."""

    BLANK = True


class Column(Vertical):
    """Transcript, strip and composer, one under the other; blank as well."""

    BLANK = True
