"""The newest exchanges with faults, side by side: what was sent, and what we made of it.

One exchange is shown at a time; the newest first, the earlier ones a key away.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.geometry import Size
from textual.strip import Strip
from textual.widgets import Static

from app.messages import Messages
from app.struck import Made, Struck, made_of
from app.tui.ink import Ink, Line, Piece
from app.tui.themes import colours_of
from app.tui.widgets.painted_lines import PaintedLines, content_of, painted
from app.tui.widgets.struck_lines import made_lines, sent_lines
from providers.cassette import Exchange

Lines = Callable[[int], list[Line]]


class StruckColumn(PaintedLines, can_focus=False):
    """One of the two columns, laid out for its width; the screen's keys scroll it."""

    def __init__(self, name: str) -> None:
        super().__init__(id=f"struck-{name}")
        self._make: Lines = lambda _: []
        self._lines: list[Line] = []

    def show(self, make: Lines) -> None:
        """Show these lines from their beginning."""
        self._make = make
        self.scroll_to(y=0, animate=False)
        self._lay_out()

    def _lay_out(self) -> None:
        self._lines = self._make(self.line_width)
        self.virtual_size = Size(self.size.width, len(self._lines))
        self.refresh()

    def line_at(self, y: int, width: int) -> Strip | None:
        if y >= len(self._lines):
            return None
        colours = colours_of(self.app)
        return painted(self._lines[y], width, colours, colours.panel)

    def on_resize(self) -> None:
        self._lay_out()


class StruckView(Vertical):
    """Shows `struck`. Without an exchange yet, it says how to get one."""

    def __init__(self, messages: Messages, struck: Struck) -> None:
        super().__init__()
        self.messages = messages
        self._exchanges = tuple(struck)
        self._at = len(self._exchanges) - 1
        self._made: dict[int, Made] = {}

    def compose(self) -> ComposeResult:
        yield Static(classes="struck-place", markup=False)
        with Horizontal(classes="struck-columns"):
            yield StruckColumn("sent")
            yield StruckColumn("made")

    def on_mount(self) -> None:
        self._show()

    def step(self, step: int) -> None:
        """Go to an earlier or a later exchange."""
        at = min(max(self._at + step, 0), len(self._exchanges) - 1)
        if at != self._at and self._exchanges:
            self._at = at
            self._show()

    def scroll_rows(self, rows: int) -> None:
        """Move both columns, which belong together."""
        for column in self.query(StruckColumn):
            column.scroll_relative(y=rows, animate=False)

    def _show(self) -> None:
        self.query_one(".struck-place", Static).update(content_of(self._place(), self.app))
        if self._exchanges:
            exchange = self._exchanges[self._at]
            sent = self.query_one("#struck-sent", StruckColumn)
            sent.show(lambda width: sent_lines(exchange, self.messages, width))
            self.run_worker(self._read(self._at, exchange), exclusive=True)

    async def _read(self, at: int, exchange: Exchange) -> None:
        """Off the event loop: a body may be very long."""
        if at not in self._made:
            self._made[at] = await asyncio.to_thread(made_of, exchange)
        made = self._made[at]
        column = self.query_one("#struck-made", StruckColumn)
        column.show(lambda width: made_lines(made, self.messages, width))

    def _place(self) -> Line:
        if not self._exchanges:
            return (Piece(self.messages("lab.none_yet"), Ink.DIM),)
        place = self.messages("lab.place", number=self._at + 1, total=len(self._exchanges))
        return (Piece(place, Ink.DIM),)
