"""Characters that a server cut in half between two events.

A server that escapes what it sends (`\\ud83d` in one event, `\\ude00` in the next) can cut a
character beyond U+FFFF in two. A half is no text: it could be neither stored nor shown. It waits
here for the other half, and becomes U+FFFD when that does not come.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from providers.json_text import mend
from providers.parts import CallFragment, Part, ReasoningDelta, TextDelta

_Texts = TextDelta | ReasoningDelta | CallFragment


class HalfCharacters:
    """Makes the texts of the parts whole. Give it all parts from the first half on."""

    def __init__(self) -> None:
        self._waiting: dict[tuple[type, int], _Texts] = {}

    def mend(self, parts: Iterable[Part]) -> list[Part]:
        """The parts, without halves; an empty one is left out."""
        mended: list[Part] = []
        for part in parts:
            if not isinstance(part, _Texts):
                mended.append(part)
            elif text := self._whole(part):
                mended.append(replace(part, text=text))
        return mended

    def rest(self) -> list[Part]:
        """The halves that are still alone, at the end."""
        return [replace(part, text="\ufffd") for part in self._waiting.values()]

    def _whole(self, part: _Texts) -> str:
        place = (type(part), part.key if isinstance(part, CallFragment) else 0)
        before = self._waiting.pop(place, None)
        text = part.text if before is None else before.text + part.text
        if "\ud800" <= text[-1:] <= "\udbff":
            self._waiting[place] = replace(part, text=text[-1])
            text = text[:-1]
        return mend(text)
