"""A key that can be carried about without being shown by accident.

Every value made here is remembered for the run, so that `hide_secrets` can take it out of any
text that is about to be written down, whoever put it there.
"""

from __future__ import annotations

from typing import Final
from urllib.parse import quote

HIDDEN: Final = "[hidden]"

_SHORTEST = 8
"""Shorter values are place-holders such as `none` or `ollama`: no secrets, but common words."""

_known: set[str] = set()


class Secret:
    """Wraps a key. Only `reveal` gives it back; printing, formatting and pickling do not."""

    __slots__ = ("_value",)

    def __init__(self, value: str) -> None:
        self._value = value.strip()
        if len(self._value) >= _SHORTEST:
            _known.add(self._value)

    def reveal(self) -> str:
        """The key itself: for the header that carries it, and the store that keeps it."""
        return self._value

    @property
    def sendable(self) -> bool:
        """Whether a header can carry it: visible ASCII only. A pasted line break cannot."""
        return self._value.isascii() and self._value.isprintable() and " " not in self._value

    def __bool__(self) -> bool:
        return bool(self._value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Secret) and other._value == self._value

    def __hash__(self) -> int:
        return hash(self._value)

    def __repr__(self) -> str:
        return f"Secret({HIDDEN})"

    __str__ = __repr__

    def __reduce__(self) -> str:
        raise TypeError("a Secret is not written down")


def hide_secrets(text: str) -> str:
    """The text without any key of this run: as it is, as addresses and JSON escape it, and the
    start of one where the text was cut in its middle."""
    for value in sorted(_known, key=len, reverse=True):
        for form in {value, quote(value, safe=""), value.replace("/", "\\/")}:
            text = _without_start_at_end(text.replace(form, HIDDEN), form)
    return text


def _without_start_at_end(text: str, value: str) -> str:
    for length in range(len(value) - 1, _SHORTEST - 1, -1):
        if text.endswith(value[:length]):
            return text[:-length] + HIDDEN
    return text
