"""Coloured lines as plain data, which a card is laid out in before any widget draws it.

A `Piece` is text with an `Ink`, the name of what it is (a key, an error, something secondary);
only the theme knows the colours. Text from outside enters through `outside` alone, which
makes it safe. Widths are terminal cells, so that double-width characters stay in place.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from rich.cells import cell_len, split_graphemes

from app.safe_text import safe
from app.tui.json_prefix import Run, Token


class Ink(StrEnum):
    """What a piece of text is; `ink_colour` gives its colour in a theme."""

    TEXT = "text"
    DIM = "dim"
    TITLE = "title"
    NAME = "name"
    VALUE = "value"
    KEY = "key"
    STRING = "string"
    NUMBER = "number"
    LITERAL = "literal"
    WAITING = "waiting"
    OK = "ok"
    FAILED = "failed"
    ADDRESS = "address"
    ACCENT = "accent"
    ADDED = "added"
    OPENAI = "openai"
    ANTHROPIC = "anthropic"
    GOOGLE = "google"


@dataclass(frozen=True, slots=True)
class Piece:
    """Safe text of one ink."""

    text: str
    ink: Ink = Ink.TEXT


Line: TypeAlias = tuple[Piece, ...]

PART = 4_096
"""Characters of a long text that are laid out at a time."""

_INK_OF_TOKEN = {
    Token.KEY: Ink.KEY,
    Token.STRING: Ink.STRING,
    Token.NUMBER: Ink.NUMBER,
    Token.LITERAL: Ink.LITERAL,
    Token.PUNCTUATION: Ink.DIM,
    Token.SPACE: Ink.TEXT,
    Token.STRAY: Ink.FAILED,
}


def outside(text: str, ink: Ink = Ink.TEXT, *, newlines: bool = False) -> Piece:
    """A piece of text that came from a model, a tool or a provider."""
    return Piece(safe(text, newlines=newlines), ink)


def coloured(runs: Iterable[Run]) -> list[Piece]:
    """Runs of JSON as pieces, line ends kept."""
    return [outside(run.text, _INK_OF_TOKEN[run.token], newlines=True) for run in runs]


def width_of(pieces: Iterable[Piece]) -> int:
    """The cells that the pieces take on one line."""
    return sum(cell_len(piece.text) for piece in pieces)


def clip(pieces: Iterable[Piece], width: int) -> Line:
    """One line of at most `width` cells; what does not fit ends in `…`."""
    line = tuple(pieces)
    if width_of(line) <= width:
        return line
    kept: list[Piece] = []
    room = max(width - 1, 0)
    for piece in line:
        text, rest = _split(piece.text, room)
        kept.append(Piece(text, piece.ink))
        room -= cell_len(text)
        if rest:
            kept.append(Piece("…" if width > 0 else "", piece.ink))
            break
    return tuple(kept)


def titled(title: str, note: str, width: int) -> list[Line]:
    """A title and a dim note beside it, or below it where one line has no room for both."""
    line = (Piece(title, Ink.TITLE), Piece(f"  {note}", Ink.DIM))
    if width_of(line) <= width:
        return [line]
    return [clip(line[:1], width), *fold([Piece(note, Ink.DIM)], width, words=True)]


def shorten(text: str, width: int) -> str:
    """`text` in at most `width` cells, its end kept: `toolu_01A…k9`. For names and ids."""
    if cell_len(text) <= width:
        return text
    end = min(2, max(width - 2, 0))
    head, _ = _split(text, max(width - 1 - end, 0))
    tail = text[len(text) - end :]
    return f"{head}…{tail}" if cell_len(head) + 1 + cell_len(tail) <= width else f"{head}…"


def fold(pieces: Iterable[Piece], width: int, *, words: bool = False) -> list[Line]:
    """Lines of at most `width` cells, broken at line ends and wherever a line is full; with
    `words`, at the last space of a full line where that leaves it more than half full."""
    width = max(width, 2)  # a double-width character must fit
    lines: list[Line] = []
    line: list[Piece] = []
    room = width
    for piece, ends_line in _lines_of(pieces):
        text = piece.text
        while text:
            taken, text = _split(text, room)
            if text and words and (space := taken.rfind(" ")) > len(taken) // 2:
                taken, text = taken[:space], taken[space + 1 :] + text
            if taken:
                line.append(Piece(taken, piece.ink))
                room -= cell_len(taken)
            if text:
                lines.append(tuple(line))
                line, room = [], width
        if ends_line:
            lines.append(tuple(line))
            line, room = [], width
    lines.append(tuple(line))
    return lines


def _lines_of(pieces: Iterable[Piece]) -> Iterator[tuple[Piece, bool]]:
    for piece in pieces:
        *whole, last = piece.text.split("\n")
        for text in whole:
            *parts, end = _short(text)
            yield from ((Piece(part, piece.ink), False) for part in parts)
            yield Piece(end, piece.ink), True
        yield from ((Piece(part, piece.ink), False) for part in _short(last))


def _short(text: str) -> list[str]:
    """`text` in parts, so that filling line after line from it never copies a megabyte."""
    return [text[at : at + PART] for at in range(0, len(text), PART)] or [""]


def _split(text: str, cells: int) -> tuple[str, str]:
    """The longest beginning of `text` that fits in `cells`, and the rest."""
    if text.isascii():
        return text[:cells], text[cells:]
    # A character takes no cell at times, but never more than a few of them stand together.
    near = text[: cells * 4 + 16]
    if cell_len(near) <= cells and len(near) == len(text):
        return text, ""
    spans, _ = split_graphemes(near)
    used = 0
    for start, _end, size in spans:
        if used + size > cells:
            return text[:start], text[start:]
        used += size
    return near, text[len(near) :]
