"""Where does that go which a person's own tool prints? To standard error, and safe to show.

Standard output is for answers alone, and what a tool prints may be what it has read somewhere.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

from app.safe_text import safe
from tools.at_work import is_at_work


@contextmanager
def strangers_aside() -> Iterator[None]:
    """Inside, what strange code writes to either stream is led aside."""
    streams = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = (_Watched(stream, streams[1]) for stream in streams)
    try:
        yield
    finally:
        sys.stdout, sys.stderr = streams


class _Watched:
    """A stream of the program's that knows who writes; all else is the stream's own."""

    def __init__(self, stream: TextIO, aside: TextIO) -> None:
        self._stream = stream
        self._aside = aside

    def write(self, text: str) -> int:
        if not is_at_work():
            return self._stream.write(text)
        self._aside.write(safe(text))
        return len(text)

    def writelines(self, lines: list[str]) -> None:
        self.write("".join(lines))

    def __getattr__(self, name: str) -> object:
        return getattr(self._stream, name)
