"""On which line of a TOML text does each value stand?

The text must be one that `tomllib` has read: only then is this scanner, which skips over values
without reading them, right. `tomllib` and Pydantic say what is wrong; this says where.
"""

from __future__ import annotations

import re
import tomllib
from bisect import bisect_right
from collections.abc import Mapping
from typing import TypeAlias

Path: TypeAlias = tuple[str | int, ...]
"""Keys and places in lists, from the outside in."""

_BLANK = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_ONE_KEY = r"""(?:[A-Za-z0-9_-]+|"(?:\\.|[^"\\])*"|'[^']*')"""
_KEY = re.compile(rf"{_ONE_KEY}(?:[ \t]*\.[ \t]*{_ONE_KEY})*")
_GAP = re.compile(r"[ \t]*")
_PLAIN = re.compile(
    r'''"""(?:\\.|[^\\])*?""""{0,2}|"(?:\\.|[^"\\])*"'''
    r"""|'{3}.*?'{3}'{0,2}|'[^']*'"""
    r"""|\d{4}-\d\d-\d\d\ \d\d:[^\s,\]}#]+|[^\s,\]}#]+""",
    re.DOTALL,
)
"""A value that holds no others: the four kinds of text, a date with a space, all the rest."""


def lines_of(text: str) -> Mapping[Path, int]:
    """The path of every table, key and element of a list → the line, from 1, that it begins on."""
    scanner = _Scanner(text)
    scanner.document()
    return scanner.lines


class _Scanner:
    """Goes through the text once, from `at` on."""

    def __init__(self, text: str) -> None:
        self.lines: dict[Path, int] = {}
        self._text = text
        self._at = 0
        self._starts = [0, *(found.end() for found in re.finditer("\n", text))]
        self._counts: dict[Path, int] = {}

    def document(self) -> None:
        table: Path = ()
        self._skip(_BLANK)
        while self._at < len(self._text):
            if self._next("[["):
                table = self._header(2)
            elif self._next("["):
                table = self._header(1)
            else:
                self._setting(table)
            self._skip(_BLANK)

    def _header(self, brackets: int) -> Path:
        """The path of the table that a line opens; `[[x]]` opens another one of several."""
        line = self._line
        self._at += brackets
        self._skip(_GAP)
        *outer, last = self._key()
        path: Path = ()
        for step in outer:
            path = self._newest((*path, step))
            self.lines.setdefault(path, line)
        path = (*path, last)
        self.lines.setdefault(path, line)
        if brackets == 2:
            self._counts[path] = self._counts.get(path, 0) + 1
            path = self._newest(path)
        self.lines.setdefault(path, line)
        self._skip(_GAP)
        self._at += brackets
        return path

    def _newest(self, path: Path) -> Path:
        """Of several tables of one name, the one that was opened last."""
        count = self._counts.get(path)
        return path if count is None else (*path, count - 1)

    def _setting(self, table: Path) -> None:
        """`key = value`, in a table of its own or an inline one."""
        line = self._line
        path = table
        for step in self._key():
            path = (*path, step)
            self.lines.setdefault(path, line)
        self._skip(_GAP)
        self._at += len("=")
        self._skip(_GAP)
        self._value(path)

    def _value(self, path: Path) -> None:
        if self._next("["):
            self._list(path)
        elif self._next("{"):
            self._inline(path)
        else:
            self._skip(_PLAIN)

    def _list(self, path: Path) -> None:
        self._at += len("[")
        self._skip(_BLANK)
        place = 0
        while not self._next("]"):
            self.lines[(*path, place)] = self._line
            self._value((*path, place))
            place += 1
            self._skip_comma()
        self._at += len("]")

    def _inline(self, path: Path) -> None:
        self._at += len("{")
        self._skip(_BLANK)
        while not self._next("}"):
            self._setting(path)
            self._skip_comma()
        self._at += len("}")

    def _skip_comma(self) -> None:
        self._skip(_BLANK)
        if self._next(","):
            self._at += len(",")
            self._skip(_BLANK)

    def _key(self) -> list[str]:
        """The steps of a dotted key, as `tomllib` reads them."""
        found = _KEY.match(self._text, self._at)
        assert found is not None, "tomllib has read this text"
        self._at = found.end()
        steps: list[str] = []
        inner: object = tomllib.loads(f"{found[0]} = 0")
        while isinstance(inner, dict):
            ((step, inner),) = inner.items()
            steps.append(step)
        return steps

    def _next(self, sign: str) -> bool:
        return self._text.startswith(sign, self._at)

    def _skip(self, pattern: re.Pattern[str]) -> None:
        found = pattern.match(self._text, self._at)
        assert found is not None, "tomllib has read this text"
        self._at = found.end()

    @property
    def _line(self) -> int:
        return bisect_right(self._starts, self._at)
