"""A scrolling widget that draws `Line`s itself: only what is visible costs anything.

The lines come from outside this file; here they get the colours of the theme. Nothing in them is
markup: text and style reach the screen as segments.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.content import Content
from textual.content import Span as ContentSpan
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.style import Style as VisualStyle

from app.tui.ink import Ink, Line
from app.tui.themes import Colours, colours_of

if TYPE_CHECKING:
    from textual.app import App

_BOLD = frozenset({Ink.TITLE, Ink.NAME, Ink.VALUE, Ink.ADDED})


def ink_colour(ink: Ink, colours: Colours) -> str:
    """The colour of an ink in a theme."""
    match ink:
        case Ink.DIM:
            return colours.dim
        case Ink.KEY:
            return colours.key
        case Ink.STRING:
            return colours.string
        case Ink.NUMBER | Ink.LITERAL:
            return colours.number
        case Ink.WAITING | Ink.ADDED:
            return colours.waiting
        case Ink.OK:
            return colours.done
        case Ink.FAILED:
            return colours.failed
        case Ink.ADDRESS:
            return colours.address
        case Ink.OPENAI:
            return colours.openai
        case Ink.ANTHROPIC:
            return colours.anthropic
        case Ink.GOOGLE:
            return colours.google
        case _:
            return colours.ink


@lru_cache(maxsize=512)
def ink_style(ink: Ink, colours: Colours, surface: str) -> Style:
    """The style of an ink on a surface. What is being added is shown in reverse."""
    colour = ink_colour(ink, colours)
    return Style(color=colour, bgcolor=surface, bold=ink in _BOLD, reverse=ink is Ink.ADDED)


def painted(line: Line, width: int, colours: Colours, surface: str) -> Strip:
    """A line as a strip of exactly `width` cells on `surface`."""
    segments = [Segment(piece.text, ink_style(piece.ink, colours, surface)) for piece in line]
    return Strip(segments).adjust_cell_length(width, Style(bgcolor=surface))


def content_of(line: Line, app: App[object]) -> Content:
    """A line for a widget that wants `Content`, with explicit spans and no markup."""
    colours = colours_of(app)
    text, spans = "", []
    for piece in line:
        start, text = len(text), text + piece.text
        style = VisualStyle.parse(ink_colour(piece.ink, colours))
        if piece.ink in _BOLD:
            style += VisualStyle(bold=True)
        spans.append(ContentSpan(start, len(text), style))
    return Content(text, spans=spans)


class PaintedLines(ScrollView, can_focus=True):
    """Shows the strips that `line_at` gives; subclasses say how many lines there are."""

    def _on_mount(self, event: events.Mount) -> None:
        super()._on_mount(event)
        self.watch(self.app, "theme", self._theme_changed, init=False)

    def _theme_changed(self) -> None:
        self.refresh()

    @property
    def line_width(self) -> int:
        """The cells that a line may take: the scrollbar's place is always kept free."""
        return max(self.size.width - 1, 10)

    def line_at(self, y: int, width: int) -> Strip | None:
        """The strip of line `y` of the whole; None below the last."""
        raise NotImplementedError

    def render_line(self, y: int) -> Strip:
        width = self.size.width
        strip = self.line_at(y + self.scroll_offset.y, width)
        return Strip.blank(width, self.rich_style) if strip is None else strip
