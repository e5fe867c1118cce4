"""Where do ids, fragment sizes and cuts come from, the same for the same seed?"""

from __future__ import annotations

import hashlib
import random
import re
import string
from collections.abc import Iterator

_LETTERS = string.ascii_letters + string.digits


class Dice:
    """Repeatable chance. The request's body is part of the seed, so that a conversation that is
    taken up again by a new simulator does not meet its old ids."""

    def __init__(self, seed: int, turn: int, body: bytes = b"") -> None:
        digest = hashlib.sha256(f"{seed}:{turn}:".encode() + body).digest()
        self._random = random.Random(digest)  # noqa: S311 - repeatable, and no secret

    def id(self, prefix: str, length: int) -> str:
        """A new id such as `call_x7…`."""
        return prefix + "".join(self._random.choices(_LETTERS, k=length))

    def between(self, low: int, high: int) -> int:
        """A whole number from `low` to `high`, both included."""
        return self._random.randint(low, high)

    def words(self, text: str) -> Iterator[str]:
        """The text in pieces as a model says them: word by word, nothing lost."""
        yield from re.findall(r"\s*\S+|\s+$", text)

    def crumbs(self, text: str) -> Iterator[str]:
        """The text in pieces of one to three characters, as arguments come."""
        start = 0
        while start < len(text):
            end = start + self._random.randint(1, 3)
            yield text[start:end]
            start = end
