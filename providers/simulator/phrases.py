"""What does the simulator understand and say in each language? The data is in `phrases.toml`."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files

DEFAULT_LANGUAGE = "en"

_ASKED_OFTEN = 64
"""Texts that are kept plain: every subject listens to the same few."""


@dataclass(frozen=True, slots=True)
class Phrases:
    """One language: the keys are explained at the head of the file."""

    marks: Sequence[str]
    decimal: str
    hears: Mapping[str, Sequence[str]]
    sums: Mapping[str, Sequence[str]]
    days: Mapping[str, Sequence[str]]
    counts: Mapping[str, int]
    says: Mapping[str, str]

    def say(self, key: str, **values: str) -> str:
        """A sentence with its placeholders filled in."""
        return self.says[key].strip().format(**values)

    def hear(self, subject: str, question: str) -> re.Match[str] | None:
        """Where a plain question (see `plain`) names a subject; longer phrases first."""
        return _any_of(tuple(self.hears[subject])).search(question)


@cache
def languages() -> Mapping[str, Phrases]:
    """All languages by the names of the app's catalogues."""
    data = files(__package__).joinpath("phrases.toml").read_text(encoding="utf-8")
    return {name: Phrases(**table) for name, table in tomllib.loads(data).items()}


@cache
def _any_of(phrases: tuple[str, ...]) -> re.Pattern[str]:
    wanted = sorted(phrases, key=len, reverse=True)
    either = "|".join(re.escape(phrase) for phrase in wanted)
    return re.compile(rf"(?<!\w)(?:{either})(?!\w)")


@lru_cache(maxsize=_ASKED_OFTEN)
def plain(text: str) -> str:
    """The text without case, accents and doubled spaces."""
    bare = unicodedata.normalize("NFKD", text.casefold())
    return " ".join("".join(c for c in bare if not unicodedata.combining(c)).split())


def language_of(texts: tuple[str, ...]) -> str:
    """The language of the newest text that shows one."""
    for text in reversed(texts):
        words = re.findall(r"[^\W\d_]+(?:'\w+)?", text.casefold())
        scores = {
            name: sum(word in phrases.marks for word in words)
            for name, phrases in languages().items()
        }
        if re.search(r"[ãõç]", text.casefold()):
            scores["pt_BR"] += 2
        if re.search(r"[ñ¿¡]", text.casefold()):
            scores["es"] += 2
        best = max(scores, key=lambda name: scores[name])
        if scores[best]:
            return best
    return DEFAULT_LANGUAGE
