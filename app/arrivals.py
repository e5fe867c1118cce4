"""Text and bytes that arrive piece by piece: adding is cheap, and so is reading either end.

A call may come in a hundred thousand fragments and is drawn thirty times a second: nothing here
joins what it already has when the next piece comes.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import islice

from providers.parts import Span


class WireLog:
    """The body of one attempt as far as it has come; events are cut out of it by their span."""

    def __init__(self) -> None:
        self._body = bytearray()

    def add(self, data: bytes) -> None:
        self._body += data

    def cut(self, span: Span) -> str:
        """The text of the bytes in `span`; what is no UTF-8 shows as U+FFFD."""
        return self._body[span[0] : span[1]].decode("utf-8", errors="replace")

    def __len__(self) -> int:
        return len(self._body)


@dataclass(slots=True)
class GrowingText:
    """Text in the pieces in which it came: adding is constant, both ends can be read alone."""

    pieces: list[str] = field(default_factory=list)
    characters: int = 0
    bytes: int = 0

    def add(self, piece: str) -> None:
        self.pieces.append(piece)
        self.characters += len(piece)
        # One half of a surrogate pair may stand alone in a fragment: it has a size all the same.
        self.bytes += len(piece.encode("utf-8", errors="surrogatepass"))

    def head(self, limit: int) -> str:
        """The first `limit` characters."""
        return _gather(self.pieces, limit)[:limit]

    def tail(self, limit: int) -> str:
        """The last `limit` characters."""
        if limit <= 0:
            return ""
        size, start = 0, len(self.pieces)
        while start and size < limit:
            start -= 1
            size += len(self.pieces[start])
        return "".join(islice(self.pieces, start, None))[-limit:]

    def __str__(self) -> str:
        return "".join(self.pieces)


def _gather(pieces: Iterable[str], limit: int) -> str:
    taken: list[str] = []
    size = 0
    for piece in pieces:
        if size >= limit:
            break
        taken.append(piece)
        size += len(piece)
    return "".join(taken)
