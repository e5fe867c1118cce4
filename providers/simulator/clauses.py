"""Where does one request of a text end and the next begin?"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from providers.simulator.phrases import Phrases, plain

_QUOTED = re.compile(r"\"[^\"]*\"|“[^”]*”|«[^»]*»|(?<!\w)'[^']*'(?!\w)")
_FILE = re.compile(r"(?<![\w/.-])[\w-][\w/.-]*\.[A-Za-z]\w{0,5}\b")


@dataclass(frozen=True, slots=True)
class Clause:
    """One part of a text, as it was written and in plain words; where it begins and ends."""

    text: str
    start: int
    end: int

    @property
    def plain(self) -> str:
        return plain(self.text)

    @property
    def files(self) -> tuple[str, ...]:
        """The names of files in it."""
        return tuple(_FILE.findall(self.text))

    @property
    def quoted(self) -> str | None:
        """What stands in quotation marks."""
        found = _QUOTED.search(self.text)
        return found[0][1:-1] if found else None


def clauses(question: str, phrases: Phrases) -> Iterator[Clause]:
    """The parts of a question: at the words for "and then", and at commas, colons and ends of
    sentences that are followed by a space; not at a colon before figures ("my weight: 72 kg").
    What is quoted stays whole."""
    masked = _QUOTED.sub(lambda quoted: "\0" * len(quoted[0]), question)
    words = "|".join(re.escape(word) for word in sorted(phrases.hears["then"], key=len)[::-1])
    signs = r"[,;.!?]+(?=\s|$)|:+(?=\s+\D|\s*$)"
    between = re.compile(rf"(?:{signs}|(?<=\s)(?:{words})(?=\s))\s*", re.IGNORECASE)
    start = 0
    for found in between.finditer(masked):
        if question[start : found.start()].strip():
            yield Clause(question[start : found.start()].strip(), start, found.start())
        start = found.end()
    if question[start:].strip():
        yield Clause(question[start:].strip(), start, len(question))
