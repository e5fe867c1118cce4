"""The settings' TOML file: read with its mistakes named, written with its comments kept.

A file with mistakes does not keep the app from starting: what is right in it counts, and each
mistake is a `SettingsProblem`.
"""

from __future__ import annotations

import json
import os
import re
import tomllib
from collections.abc import Iterator, Mapping, MutableMapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import TypeAlias

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from app.messages import Messages
from app.settings import Settings
from providers.secret import hide_secrets
from tools.call import JsonObject

Value: TypeAlias = str | bool | int | float
KeyPath: TypeAlias = tuple[str, ...]

SHOWN = 40
"""Characters of a wrong value that are repeated to the person."""


class Wanted(StrEnum):
    """What a place of the file should hold; `settings.wanted.<value>` says it in words."""

    TOML = "toml"
    READABLE = "readable"
    KNOWN_KEY = "known_key"
    TEXT = "text"
    NUMBER = "number"
    NUMBER_IN_RANGE = "number_in_range"
    YES_OR_NO = "yes_or_no"
    TABLE = "table"
    ONE_OF = "one_of"
    LIST = "list"


_WANTED: Mapping[str, Wanted] = {
    "extra_forbidden": Wanted.KNOWN_KEY,
    "string_type": Wanted.TEXT,
    "float_type": Wanted.NUMBER,
    "finite_number": Wanted.NUMBER,
    "greater_than": Wanted.NUMBER_IN_RANGE,
    "greater_than_equal": Wanted.NUMBER_IN_RANGE,
    "less_than_equal": Wanted.NUMBER_IN_RANGE,
    "bool_type": Wanted.YES_OR_NO,
    "literal_error": Wanted.ONE_OF,
    "one_of": Wanted.ONE_OF,
    "list_type": Wanted.LIST,
}
"""Pydantic's word for a mistake → ours; anything else was to be a table."""


@dataclass(frozen=True, slots=True)
class SettingsProblem:
    """One mistake. `line` counts from 1, None where no line is to blame; `key` is a dotted path,
    "" for the whole file; `got` is the start of what stood there, where that may be shown."""

    line: int | None
    key: str
    wanted: Wanted
    got: str = ""
    choices: tuple[str, ...] = ()

    def describe(self, texts: Messages) -> str:
        """The mistake in one sentence. `key` and `got` are the person's own text: not yet safe."""
        where = texts("settings.line", line=self.line) if self.line else texts("settings.file")
        wanted = texts(f"settings.wanted.{self.wanted}", choices=", ".join(self.choices))
        place = f"{where}, {self.key}" if self.key else where
        sentence = "settings.wrong_value" if self.got else "settings.wrong"
        return texts(sentence, place=place, wanted=wanted, got=self.got)


@dataclass(frozen=True, slots=True)
class Loaded:
    """The settings that hold, and what was wrong in the file."""

    settings: Settings = field(default_factory=Settings)
    problems: tuple[SettingsProblem, ...] = ()


class SettingsUnwritable(Exception):  # noqa: N818 - what it is
    """The file cannot be changed: it is not to be written, or is no TOML that we could keep."""


def load_settings(path: Path) -> Loaded:
    """The settings of a file; one that is not there is an empty one. Raises nothing."""
    try:
        text = path.read_text("utf-8-sig")
    except FileNotFoundError:
        return Loaded()
    except (OSError, UnicodeDecodeError) as error:
        return Loaded(problems=(SettingsProblem(None, "", Wanted.READABLE, type(error).__name__),))
    return read_settings(text)


def read_settings(text: str) -> Loaded:
    """The settings in a file's text."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        return Loaded(problems=(_not_toml(text, error),))
    except RecursionError:  # brackets in brackets, by the thousand
        return Loaded(problems=(SettingsProblem(None, "", Wanted.TOML),))
    problems: list[SettingsProblem] = []
    while True:
        try:
            return Loaded(Settings.model_validate(data), tuple(problems))
        except ValidationError as error:
            # Without what is wrong the rest is judged again: each turn leaves less of it.
            for detail in error.errors(include_url=False):
                path = tuple(str(step) for step in detail["loc"])
                problems.append(_problem(text, path, detail))
                _remove(data, path)


def change_settings(path: Path, changes: Mapping[str, Value | None]) -> None:
    """Set keys (dotted paths) in the file and leave all else as it stands; None takes a key out.

    The file is replaced in one step, so that a crash leaves the old one or the new one. Raises
    SettingsUnwritable.
    """
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    real = path.resolve()  # a link, as people who share their settings have, stays one
    try:
        text = real.read_text("utf-8-sig") if real.exists() else ""
        document = tomlkit.parse(text)
        for key, value in changes.items():
            _change(document, tuple(key.split(".")), value)
        _replace(real, tomlkit.dumps(document))
    except (OSError, UnicodeDecodeError, TOMLKitError, RecursionError) as error:
        raise SettingsUnwritable(f"{path}: {error}") from error


def _change(table: MutableMapping[str, object], path: KeyPath, value: Value | None) -> None:
    import tomlkit

    *parents, name = path
    for parent in parents:
        if not isinstance(table.get(parent), MutableMapping):
            if value is None:
                return
            table[parent] = tomlkit.table()
        inner = table[parent]
        assert isinstance(inner, MutableMapping)
        table = inner
    if value is None:
        table.pop(name, None)
    else:
        table[name] = value


def _replace(path: Path, text: str) -> None:
    import tempfile

    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=".settings-", suffix=".toml")
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8", newline="") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _problem(text: str, path: KeyPath, detail: ErrorDetails) -> SettingsProblem:
    wanted = _WANTED.get(detail["type"], Wanted.TABLE)
    context = detail.get("ctx", {})
    expected = re.findall(r"'([^']*)'", str(context.get("expected", "")))
    choices = context.get("choices") or filter(None, expected)
    # An unknown key or a header may well be a credential in the wrong place: never repeated.
    private = wanted is Wanted.KNOWN_KEY or "headers" in path
    got = "" if private else _shown(detail["input"])
    return SettingsProblem(line_of(text, path), ".".join(path), wanted, got, tuple(choices))


def _shown(value: object) -> str:
    text = hide_secrets(json.dumps(value, ensure_ascii=False, default=str))
    return text if len(text) <= SHOWN else text[: SHOWN - 1] + "…"


def _not_toml(text: str, error: tomllib.TOMLDecodeError) -> SettingsProblem:
    found = re.search(r"\(at line (\d+)", str(error))
    line = int(found[1]) if found else len(text.splitlines())
    return SettingsProblem(line, "", Wanted.TOML)


def _remove(data: JsonObject, path: KeyPath) -> None:
    """Take the wrong value out; if it is no longer there by itself, its whole table."""
    table = data
    for step in path[:-1]:
        if not isinstance(inner := table.get(step), dict):
            break
        table = inner
    if table.pop(path[-1], None) is None:
        data.pop(path[0], None)


def line_of(text: str, path: KeyPath) -> int | None:
    """The line that sets `path` or begins it, else that of the nearest table around it."""
    best, depth = None, 0
    for number, here in _keys(text):
        shared = min(len(path), len(here))
        if path[:shared] == here[:shared] and shared > depth:
            best, depth = number, shared
    return best


def _keys(text: str) -> Iterator[tuple[int, KeyPath]]:
    """Each line that names a table or sets a key, with the whole path of it."""
    table: KeyPath = ()
    for number, line in enumerate(text.splitlines(), start=1):
        if header := re.match(r"\s*\[+([^\[\]]+)\]+\s*(#.*)?$", line):
            table = _steps(header[1])
            yield number, table
        elif setting := re.match(r"""\s*((?:[\w.\- ]|"[^"]*"|'[^']*')+?)\s*=""", line):
            yield number, table + _steps(setting[1])


def _steps(key: str) -> KeyPath:
    found = re.findall(r"""\"([^"]*)\"|'([^']*)'|([\w\-]+)""", key)
    return tuple(double or single or bare for double, single, bare in found)
