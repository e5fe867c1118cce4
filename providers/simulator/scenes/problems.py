"""What is wrong in a scene's file, where, and what was wanted there?

In our terms and in no language: whoever shows a problem words it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

SHOWN = 40
"""Characters of a wrong value that are repeated."""


class Wanted(StrEnum):
    """What a place of the file should hold."""

    READABLE = "readable"
    TOML = "toml"
    KNOWN_KEY = "known_key"
    THERE = "there"
    TEXT = "text"
    NOT_EMPTY = "not_empty"
    NUMBER = "number"
    WHOLE_NUMBER = "whole_number"
    NUMBER_IN_RANGE = "number_in_range"
    YES_OR_NO = "yes_or_no"
    TABLE = "table"
    LIST = "list"
    JSON = "json"
    ONE_OF = "one_of"
    FAULT = "fault"
    ALL_LANGUAGES = "all_languages"
    OWN_NAME = "own_name"
    EARLIER_CALL = "earlier_call"
    CALLS_BEFORE_END = "calls_before_end"
    NO_CALLS_AT_END = "no_calls_at_end"
    WORDS_AT_END = "words_at_end"
    ARGUMENTS_OR_RAW = "arguments_or_raw"


OF_PYDANTIC: Mapping[str, Wanted] = {
    "extra_forbidden": Wanted.KNOWN_KEY,
    "missing": Wanted.THERE,
    "string_type": Wanted.TEXT,
    "string_too_short": Wanted.NOT_EMPTY,
    "too_short": Wanted.NOT_EMPTY,
    "float_type": Wanted.NUMBER,
    "int_type": Wanted.WHOLE_NUMBER,
    "finite_number": Wanted.NUMBER,
    "greater_than": Wanted.NUMBER_IN_RANGE,
    "greater_than_equal": Wanted.NUMBER_IN_RANGE,
    "less_than_equal": Wanted.NUMBER_IN_RANGE,
    "bool_type": Wanted.YES_OR_NO,
    "list_type": Wanted.LIST,
    "literal_error": Wanted.ONE_OF,
    "invalid-json-value": Wanted.JSON,
}
"""Pydantic's word for a mistake → ours; anything else was to be a table."""


@dataclass(frozen=True, slots=True)
class SceneProblem:
    """One mistake. `line` counts from 1, None for the file as a whole; `key` is a dotted path,
    "" for the whole; `got` is the start of what stood there, "" where nothing did."""

    line: int | None
    key: str
    wanted: Wanted
    got: str = ""
    choices: Sequence[str] = ()


class SceneError(Exception):
    """A scene that cannot be played. `name` is the file's, or the name that no scene has; then
    `known` holds those that there are, and `problems` is empty."""

    def __init__(
        self, name: str, problems: Sequence[SceneProblem] = (), known: Sequence[str] = ()
    ) -> None:
        places = ", ".join(f"line {one.line}: {one.key}: {one.wanted}" for one in problems)
        super().__init__(f"{name}: {places or 'no such scene'}")
        self.name = name
        self.problems = tuple(problems)
        self.known = tuple(known)


def shown(value: object) -> str:
    """The start of a wrong value."""
    text = str(value)
    return text if len(text) <= SHOWN else f"{text[: SHOWN - 1]}…"
