"""Message keys to text in the person's language.

The catalogues are gettext's, with keys instead of sentences as ids: the English text is a
catalogue like any other. A key that a catalogue lacks falls back to English.
"""

from __future__ import annotations

import gettext
import locale
import os
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path

DOMAIN = "vitral"
DEFAULT = "en"
LANGUAGES: Mapping[str, str] = {"en": "English", "pt_BR": "Português (Brasil)", "es": "Español"}
"""Catalogue name → the language's own name for itself."""


class Messages:
    """The texts of one language. Call it with a key and the values of its placeholders."""

    def __init__(self, language: str = DEFAULT) -> None:
        self.language = language
        self._texts = _catalogue(language)

    def __call__(self, key: str, **values: object) -> str:
        """The text of `key`; raises KeyError for a placeholder without a value."""
        text = self._texts.gettext(key)
        return text.format_map(values) if values else text

    def plural(self, key: str, n: int, **values: object) -> str:
        """The text of `key` for `n` things; `{n}` is filled in."""
        text = self._texts.ngettext(key, f"{key}.plural", n)
        return text.format_map({"n": n, **values})

    @property
    def tag(self) -> str:
        """The language tag for people, such as `pt-BR`."""
        return self.language.replace("_", "-")


def find_language(wanted: str) -> str | None:
    """The catalogue for a tag such as `pt-BR`, `pt_BR.UTF-8` or `pt`; None when there is none."""
    tag = wanted.split(".")[0].split("@")[0].replace("-", "_").lower()
    by_tag = {name.lower(): name for name in LANGUAGES}
    if tag in by_tag:
        return by_tag[tag]
    language = tag.split("_")[0]
    return next((name for low, name in by_tag.items() if low.split("_")[0] == language), None)


def language_of_environment(environment: Mapping[str, str] | None = None) -> str:
    """The first language of the environment that we have, else English."""
    environment = os.environ if environment is None else environment
    for variable in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        for wanted in environment.get(variable, "").split(":"):
            if wanted and (found := find_language(wanted)):
                return found
        if environment.get(variable) and variable != "LANGUAGE":
            return DEFAULT
    system = locale.getlocale()[0] or ""
    return find_language(system) or DEFAULT


@cache
def _catalogue(language: str) -> gettext.NullTranslations:
    folder = Path(str(files("locales")))
    texts = gettext.translation(DOMAIN, str(folder), languages=[language])
    if language != DEFAULT:
        texts.add_fallback(gettext.translation(DOMAIN, str(folder), languages=[DEFAULT]))
    return texts
