"""The beginning of a JSON text, cut into runs that can be coloured while more is coming.

No parser: it never fails, and what is no JSON comes out as STRAY. It reads each character once,
whatever the sizes of the pieces: `JsonPrefix` keeps where it stands between two of them.
`Highlights` keeps the runs of both ends of a long text, so that a screen that shows a head and a
tail costs the same for a megabyte as for a line.
"""

from __future__ import annotations

import re
from collections import deque
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain


class Token(StrEnum):
    """What a run of characters is."""

    KEY = "key"
    STRING = "string"
    NUMBER = "number"
    LITERAL = "literal"
    PUNCTUATION = "punctuation"
    SPACE = "space"
    STRAY = "stray"


@dataclass(frozen=True, slots=True)
class Run:
    """Characters of one kind that stand together."""

    text: str
    token: Token


_IN_STRING = re.compile(r'(?:[^"\\]++|\\.)*+(?:"|\\$|$)', re.DOTALL)
_OUTSIDE = re.compile(
    r"""(?P<space>[ \t\r\n]+)
      | (?P<quote>")
      | (?P<number>[-+0-9][-+.0-9eE]*)
      | (?P<literal>[a-z]+)
      | (?P<punctuation>[{}\[\],:])
      | (?P<stray>[^ \t\r\n"{}\[\],:a-z0-9+-]+)""",
    re.VERBOSE,
)
_NUMBER_GOES_ON = re.compile(r"[-+.0-9eE]*")
_LITERALS = ("true", "false", "null")

JOINED = 256
"""The most characters of a run that was joined from several."""


class JsonPrefix:
    """Reads a JSON text piece by piece; `feed` gives the runs of each piece."""

    def __init__(self) -> None:
        self._objects: list[bool] = []
        self._key_next = False
        self._string: Token | None = None
        self._escaping = False
        self._in_number = False
        self._word = ""

    def feed(self, text: str) -> list[Run]:
        """The runs of `text`, which goes on where the piece before it ended."""
        runs: list[Run] = []
        at = 0
        while at < len(text):
            end, token = self._step(text, at)
            if end > at:
                runs.append(Run(text[at:end], token))
            at = end
        return runs

    def _step(self, text: str, at: int) -> tuple[int, Token]:
        if self._string is not None:
            return self._string_from(text, at, self._string)
        if self._in_number:
            self._in_number = False
            if end := _end_of(_NUMBER_GOES_ON, text, at):
                self._in_number = end == len(text)
                return end, Token.NUMBER
        found = _OUTSIDE.match(text, at)
        if found is None or found.lastgroup is None:  # the classes of _OUTSIDE cover everything
            return at + 1, Token.STRAY
        return self._take(found.lastgroup, text, at, found.end())

    def _take(self, kind: str, text: str, at: int, end: int) -> tuple[int, Token]:
        word, self._word = self._word, ""
        match kind:
            case "quote":
                self._string = Token.KEY if self._key_next else Token.STRING
                end, token = self._string_from(text, at + 1, self._string)
                return end, token
            case "punctuation":
                self._punctuate(text[at])
                return end, Token.PUNCTUATION
            case "number":
                self._in_number = end == len(text)
                return end, Token.NUMBER
            case "literal":
                word = (word + text[at:end])[:8]
                self._word = word if end == len(text) else ""
                known = any(literal.startswith(word) for literal in _LITERALS)
                return end, Token.LITERAL if known else Token.STRAY
            case _:
                return end, Token(kind)

    def _string_from(self, text: str, at: int, token: Token) -> tuple[int, Token]:
        if self._escaping and at < len(text):
            self._escaping = False
            at += 1
        end = _end_of(_IN_STRING, text, at)
        if end > at and text[end - 1] == "\\" and not _is_escaped(text, at, end):
            self._escaping = True
        elif end > at and text[end - 1] == '"' and not _is_escaped(text, at, end):
            self._string = None
            self._key_next = False
        return end, token

    def _punctuate(self, mark: str) -> None:
        match mark:
            case "{" | "[":
                self._objects.append(mark == "{")
                self._key_next = mark == "{"
            case "}" | "]":
                if self._objects:
                    self._objects.pop()
                self._key_next = False
            case ",":
                self._key_next = bool(self._objects) and self._objects[-1]
            case _:
                self._key_next = False


def _end_of(pattern: re.Pattern[str], text: str, at: int) -> int:
    found = pattern.match(text, at)
    return found.end() if found else at


def _is_escaped(text: str, start: int, end: int) -> bool:
    """Whether the last character before `end` stands behind an odd number of backslashes."""
    at = end - 1
    while at > start and text[at - 1] == "\\":
        at -= 1
    return (end - 1 - at) % 2 == 1


class Highlights:
    """The runs of the first and the last `limit` characters of a growing JSON text."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._prefix = JsonPrefix()
        self._head: deque[Run] = deque()
        self._head_size = 0
        self._tail: deque[Run] = deque()
        self._tail_size = 0
        self.characters = 0

    def feed(self, text: str) -> None:
        """Take the next piece of the text."""
        for run in self._prefix.feed(text):
            self.characters += len(run.text)
            self._add(run)

    def _add(self, run: Run) -> None:
        room = self._limit - self._head_size
        if room > 0:
            _append(self._head, Run(run.text[:room], run.token))
            self._head_size += min(len(run.text), room)
            run = Run(run.text[room:], run.token)
        if not run.text:
            return
        run = Run(run.text[-self._limit :], run.token)
        _append(self._tail, run)
        self._tail_size += len(run.text)
        while self._tail_size - len(self._tail[0].text) >= self._limit:
            self._tail_size -= len(self._tail.popleft().text)

    @property
    def hidden(self) -> int:
        """How many characters are kept neither with the head nor with the tail."""
        return self.characters - self._head_size - self._tail_size

    def first(self, characters: int) -> list[Run]:
        """The runs of the first `characters`, or of the head where that is shorter."""
        runs: list[Run] = []
        kept = self._head if self.hidden else chain(self._head, self._tail)
        for run in kept:
            if characters <= 0:
                break
            runs.append(Run(run.text[:characters], run.token))
            characters -= len(run.text)
        return runs

    def last(self, characters: int) -> list[Run]:
        """The runs of the last `characters`, or of the tail where that is shorter."""
        runs: list[Run] = []
        kept = chain(reversed(self._tail), () if self.hidden else reversed(self._head))
        for run in kept:
            if characters <= 0:
                break
            runs.append(Run(run.text[-characters:], run.token))
            characters -= len(run.text)
        runs.reverse()
        return runs


def _append(runs: deque[Run], run: Run) -> None:
    """Add a run, joined with the one before it while both are short: a string may come in pieces
    of a few characters, and each run costs something to draw."""
    if runs and runs[-1].token is run.token and len(runs[-1].text) + len(run.text) <= JOINED:
        run = Run(runs.pop().text + run.text, run.token)
    runs.append(run)
