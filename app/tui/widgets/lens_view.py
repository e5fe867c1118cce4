"""What a lens shows of the chosen call: the command, the wire behind it, its three
voices, or its journey.

The wire follows the newest fragment until the person steps back.
"""

from __future__ import annotations

from enum import StrEnum

from textual.geometry import Size
from textual.strip import Strip

from app.call_views import CallView
from app.mending import Mend
from app.messages import Messages
from app.tui.ink import Line
from app.tui.themes import colours_of
from app.tui.widgets.painted_lines import PaintedLines, painted
from app.tui.widgets.wire_view import command_lines, event_lines

LOW = 14
"""Rows below which the event comes first: the card above says most of the command already."""


class Lens(StrEnum):
    """Ways of looking at one call."""

    COMMAND = "command"
    WIRE = "wire"
    VOICES = "voices"
    JOURNEY = "journey"


class LensView(PaintedLines, can_focus=False):
    """Draws the lens of one call; hidden while `lens` is None. The panel's keys scroll it."""

    def __init__(self, messages: Messages) -> None:
        super().__init__()
        self.messages = messages
        self.lens: Lens | None = None
        self.view: CallView | None = None
        self.mend: Mend | None = None
        self._at: int | None = None
        self._lines: list[Line] = []
        self.display = False

    def look(self, lens: Lens | None) -> None:
        """Look through this lens, or through none."""
        self.lens = lens
        self.display = lens is not None
        self._lay_out()

    def show(self, view: CallView | None, mend: Mend | None = None) -> None:
        """Show this call as it is now; another call than before is shown at its newest fragment."""
        self.mend = mend
        if view is not self.view:
            self._at = None
            self.scroll_to(y=0, animate=False)
        self.view = view
        self._lay_out()

    def relabel(self, messages: Messages) -> None:
        """Speak another language."""
        self.messages = messages
        self._lay_out()

    def step(self, step: int) -> None:
        """Go to an earlier or a later fragment; after the last one, follow the newest again."""
        if self.view is None or not self.view.spans:
            return
        last = len(self.view.spans) - 1
        at = min(max((last if self._at is None else self._at) + step, 0), last)
        self._at = None if at == last else at
        self._lay_out()

    def _lay_out(self) -> None:
        self._lines = [] if self.view is None else self._lines_of(self.view, self.line_width)
        self.virtual_size = Size(self.size.width, len(self._lines))
        self.refresh()

    def _lines_of(self, view: CallView, width: int) -> list[Line]:
        match self.lens:
            case None:
                return []
            case Lens.COMMAND:
                return command_lines(view, self.messages, width)
            case Lens.WIRE:
                at = len(view.spans) - 1 if self._at is None else self._at
                event = event_lines(view, at, self.messages, width)
                command = command_lines(view, self.messages, width)
                if self.size.height < LOW:
                    return [*event, (), *command]
                return [*command, (), *event]
            case Lens.VOICES:
                from app.tui.widgets.voices import voices_lines  # it loads the dialects

                return voices_lines(view, self.messages, width)
            case Lens.JOURNEY:
                from app.tui.widgets.journey import journey_lines

                return journey_lines(view, self.mend, self.messages, width)

    def line_at(self, y: int, width: int) -> Strip | None:
        if y >= len(self._lines):
            return None
        colours = colours_of(self.app)
        return painted(self._lines[y], width, colours, colours.panel)

    def on_resize(self) -> None:
        self._lay_out()
