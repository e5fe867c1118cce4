"""What confuses a model in a list of tools: names that say the same, descriptions that say
nothing, schemas that are too large.

Words are compared by what they mean in this field: `search_code` and `find_in_files` share no
word, and yet no model can tell which of them to call.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations

from tools.cost import tokens_estimate
from tools.tool import Tool

ALIKE = 0.75
"""From this share of common meanings on, two names or two descriptions are too alike."""

FEWEST_WORDS = 4
"""A description with fewer words than this has no purpose in it."""

LARGEST_SCHEMA = 1_000
"""Tokens of a schema above which it is worth a thought."""

_SAME = (
    ("search", "find", "look", "lookup", "query", "seek", "grep", "locate"),
    ("read", "get", "fetch", "load", "open", "retrieve", "show"),
    ("write", "save", "store", "put", "record"),
    ("delete", "remove", "erase", "drop"),
    ("create", "make", "add", "new", "insert", "plan"),
    ("update", "change", "set", "edit", "modify", "move"),
    ("list", "enumerate", "all"),
    ("send", "ship", "deliver", "dispatch"),
    ("compute", "calculate", "count", "sum", "arithmetic", "math"),
    ("file", "code", "document", "source", "text"),
    ("folder", "directory", "workspace"),
    ("person", "user", "people", "customer"),
)
_MEANING = {word: group[0] for group in _SAME for word in group}
_IDLE_WORDS = """
    a an and any are as at be by for from has have how in into is it its of on one or that
    the their them then this to up use used what when where which who will with you your
    tool
"""
_IDLE = frozenset(_IDLE_WORDS.split())
_WORD = re.compile(r"[^\W_]+")
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


class Kind(StrEnum):
    """What is wrong; `cli.tools.warning.<value>` says it in the person's language."""

    ALIKE_NAMES = "alike_names"
    ALIKE_DESCRIPTIONS = "alike_descriptions"
    NO_PURPOSE = "no_purpose"
    LARGE_SCHEMA = "large_schema"


@dataclass(frozen=True, slots=True)
class Confusion:
    """One thing to mend. `tools` names the tool or the two; `tokens` only for a large schema."""

    kind: Kind
    tools: tuple[str, ...]
    tokens: int = 0


def meanings(text: str) -> frozenset[str]:
    """What the words of a name or a sentence mean, each meaning once."""
    words = (word.lower() for word in _WORD.findall(_HUMP.sub(" ", text)))
    return frozenset(_meaning(word) for word in words if word not in _IDLE)


def confusions(tools: Iterable[Tool]) -> tuple[Confusion, ...]:
    """What to mend in these tools: pairs first, then each tool by itself."""
    every = tuple(tools)
    pairs = (found for one, other in combinations(every, 2) for found in _alike(one, other))
    return (*pairs, *(found for one in every for found in _by_itself(one)))


def _alike(one: Tool, other: Tool) -> Iterable[Confusion]:
    names = (one.name, other.name)
    if _share(meanings(one.name), meanings(other.name)) >= ALIKE:
        yield Confusion(Kind.ALIKE_NAMES, names)
    elif _share(meanings(one.description), meanings(other.description)) >= ALIKE:
        yield Confusion(Kind.ALIKE_DESCRIPTIONS, names)


def _by_itself(one: Tool) -> Iterable[Confusion]:
    words = _WORD.findall(one.description)
    if len(words) < FEWEST_WORDS or meanings(one.description) <= meanings(one.name):
        yield Confusion(Kind.NO_PURPOSE, (one.name,))
    tokens = tokens_estimate(one.parameters)
    if tokens > LARGEST_SCHEMA:
        yield Confusion(Kind.LARGE_SCHEMA, (one.name,), tokens)


def _meaning(word: str) -> str:
    """The word's meaning, by its plain form: `searches`, `files` and `shipped` count too."""
    for form in _forms(word):
        if form in _MEANING:
            return _MEANING[form]
    return min(_forms(word), key=len).rstrip("e")


def _forms(word: str) -> list[str]:
    """The word and what may be its plain form."""
    forms = [word]
    forms.extend(
        word.removesuffix(ending)
        for ending in ("s", "es", "d", "ed", "ing")
        if word.endswith(ending) and len(word) - len(ending) >= 3
    )
    if len(word) > 5 and (word.endswith("pped") or word.endswith("pping")):
        forms.append(re.sub(r"pp(ed|ing)$", "p", word))
    return forms


def _share(one: frozenset[str], other: frozenset[str]) -> float:
    """How much of all their meanings two texts have in common; 0 for texts that say nothing."""
    return len(one & other) / len(one | other) if one and other else 0.0
