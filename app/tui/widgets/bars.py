"""One line of words: what the status bar, the key bar and the strip of calls are made of."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from textual.content import Content
from textual.widget import Widget

from app.safe_text import safe
from app.tui.wrap import clip

Words = Sequence[tuple[str, str]]
"""Texts with their styles, in Textual's words, such as `$dim` or `bold $ink`."""


class Bar(Widget):
    """Words at the left, in the middle and at the right. What does not fit gives way: first the
    middle, then the left's end; the right stays."""

    DEFAULT_CSS = "Bar { height: 1; }"

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's own name
        super().__init__(id=id)
        self._left: Words = ()
        self._middle: Words = ()
        self._right: Words = ()

    def say(self, left: Words = (), middle: Words = (), right: Words = ()) -> None:
        """Show other words."""
        if (left, middle, right) != (self._left, self._middle, self._right):
            self._left, self._middle, self._right = left, middle, right
            self.refresh()

    @property
    def text(self) -> str:
        """The words as they stand, for tests and for screen readers."""
        return self.render().plain

    def render(self) -> Content:
        width = self.size.width
        right = _fitted(self._right, width)
        left = _fitted(self._left, width - _cells(right) - 2)
        room = width - _cells(left) - _cells(right) - 4
        middle = _fitted(self._middle, room) if room > 8 else []
        spare = width - _cells(left) - _cells(right)
        start = max((width - _cells(middle)) // 2 - _cells(left), 2) if middle else 0
        start = min(start, max(spare - _cells(middle) - 2, 0))
        end = max(spare - start - _cells(middle), 0)
        words = [*left, (" " * start, ""), *middle, (" " * end, ""), *right]
        return Content.assemble(*[(text, style) for text, style in words if text])


def _cells(words: Words) -> int:
    return sum(cell_len(text) for text, _ in words)


def _fitted(words: Words, width: int) -> list[tuple[str, str]]:
    fitted: list[tuple[str, str]] = []
    for text, style in words:
        near = text[: 4 * max(width, 0) + 16]  # a title may be a megabyte
        shown = clip(safe(near, newlines=False), max(width, 0))
        fitted.append((shown, style))
        width -= cell_len(shown)
    return fitted
