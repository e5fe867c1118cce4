"""One call's arguments from Gemini's `partialArgs`: pieces that each set the value at a path.

Beside the object it writes the same as growing JSON text, which is what a person watches. Pieces
come in the order of a document; should one come out of order, the object is still right and only
the text repeats a key.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from itertools import pairwise
from math import isfinite
from typing import Any, TypeAlias

from providers.json_text import mend, whole_text
from tools.call import JsonObject

Step: TypeAlias = str | int
Path: TypeAlias = tuple[Step, ...]

MAX_STEPS = 64
"""The most steps of a path: enough for any schema, too few to exhaust a stack."""

_STEP = re.compile(
    r"\.(?P<name>[^.\[\]]+)"
    r"|\[(?P<index>\d{1,9})\]"
    r"|\['(?P<single>(?:\\.|[^'\\])*)'\]"
    r'|\["(?P<double>(?:\\.|[^"\\])*)"\]',
    re.DOTALL,
)
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_ABOUT_THE_PIECE = frozenset({"jsonPath", "willContinue"})


@dataclass(slots=True)
class PartialArguments:
    """Feed it the pieces with `add`, then `close` it: `arguments` is whole only then.

    `problem` says why the call cannot be used, and is empty if it can.
    """

    arguments: JsonObject = field(default_factory=dict)
    problem: str = ""
    _text: list[str] = field(default_factory=list)
    _path: Path = ()
    _pieces: list[str] = field(default_factory=list)
    """The pieces of the text at `_path`, joined once it is whole; empty while it is no text."""

    @property
    def raw(self) -> str:
        """The JSON text so far; whole after `close`."""
        return "".join(self._text)

    def add(self, piece: object) -> str:
        """Take one piece; gives what the JSON text grows by."""
        written = len(self._text)
        try:
            path, values = _read(piece)
            for value in values:
                self._take(path, value)
        except ValueError as error:
            self.problem = self.problem or str(error)
        return "".join(self._text[written:])

    def close(self) -> str:
        """The call is whole; gives what closes the JSON text."""
        written = len(self._text)
        try:
            self._settle()
        except ValueError as error:
            self.problem = self.problem or str(error)
        self._text.append(self._closing(0) + "}" if self._path else "{}")
        return "".join(self._text[written:])

    def _take(self, path: Path, value: object) -> None:
        if isinstance(value, str) and self._pieces and path == self._path:
            self._pieces.append(value)
            self._text.append(_inside_quotes(value))
            return
        self._settle()
        shared = _shared_containers(self._path, path)
        self._text.append(f"{self._closing(shared)}," if self._path else "{")
        self._text.append(_opening(path, shared))
        self._path = path
        if isinstance(value, str):
            self._pieces = [value]
            self._text.append(f'"{_inside_quotes(value)}')
        else:
            _put(self.arguments, path, value)
            self._text.append(json.dumps(value))

    def _settle(self) -> None:
        """The text that was growing has all its pieces."""
        if self._pieces:
            pieces, self._pieces = self._pieces, []
            self._text.append('"')
            _put(self.arguments, self._path, whole_text(pieces))

    def _closing(self, shared: int) -> str:
        """What ends the containers of the last value but for the outermost `shared` + 1."""
        inner = reversed(self._path[shared + 1 :])
        return "".join("]" if isinstance(step, int) else "}" for step in inner)


def _read(piece: object) -> tuple[Path, list[object]]:
    """The path and the value (none, when the piece only says that more will come)."""
    fields = piece if isinstance(piece, dict) else {}
    path = _path(fields.get("jsonPath"))
    named = {name: value for name, value in fields.items() if name not in _ABOUT_THE_PIECE}
    return path, [_value(name, value) for name, value in named.items()]


def _path(text: object) -> Path:
    """The steps of `$.items[0].id`: names as texts, places as numbers."""
    if not isinstance(text, str) or not text.startswith("$"):
        raise ValueError(f"no path to a value: {text!r:.80}")
    steps: list[Step] = []
    at = 1
    while at < len(text) and len(steps) <= MAX_STEPS:
        found = _STEP.match(text, at)
        if found is None:
            raise ValueError(f"no path to a value: {text!r:.80}")
        steps.append(_step(found))
        at = found.end()
    if not steps or len(steps) > MAX_STEPS or isinstance(steps[0], int):
        raise ValueError(f"no path into an object: {text!r:.80}")
    return tuple(steps)


def _step(found: re.Match[str]) -> Step:
    name, index, single, double = found.group("name", "index", "single", "double")
    if index is not None:
        return int(index)
    return mend(name if name is not None else _ESCAPED.sub(r"\1", single or double or ""))


def _value(name: str, value: object) -> object:
    match name, value:
        case "stringValue", str():
            return value
        case "boolValue", bool():
            return value
        case "numberValue", bool():
            pass
        case "numberValue", int():
            return value
        case "numberValue", float() if isfinite(value):
            return value
        case "nullValue", _:
            return None
    raise ValueError(f"no value that we know: {name}")


def _put(root: JsonObject, path: Path, value: object) -> None:
    """Set the value, making the objects and lists on the way. A text grows what stands there."""
    holder: Any = root
    for step, following in pairwise(path):
        holder = _child(holder, step, [] if isinstance(following, int) else {})
    last = path[-1]
    before = _child(holder, last, None)
    joins = isinstance(before, str) and isinstance(value, str)
    holder[last] = before + value if joins else value


def _child(holder: Any, step: Step, new: object) -> Any:
    """What stands at the step, `new` if nothing did."""
    match holder, step:
        case dict(), str():
            return holder.setdefault(step, new)
        case list(), int() if step < len(holder):
            return holder[step]
        case list(), int() if step == len(holder):
            holder.append(new)
            return new
    raise ValueError(f"the path does not fit what came before, at {step!r:.80}")


def _shared_containers(last: Path, path: Path) -> int:
    """How many containers below the outermost hold both values."""
    same = 0
    while same < min(len(last), len(path)) - 1 and last[same] == path[same]:
        same += 1
    return same


def _opening(path: Path, shared: int) -> str:
    """The names and brackets from the container number `shared` down to the value."""
    written: list[str] = []
    for depth, step in enumerate(path[shared:], start=shared):
        if depth > shared:
            written.append("[" if isinstance(step, int) else "{")
        if isinstance(step, str):
            written.append(f"{json.dumps(step, ensure_ascii=False)}:")
    return "".join(written)


def _inside_quotes(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)[1:-1]
