"""The chat as one scrolling surface: draws the rows that are seen, follows the end or stays put.

It follows the newest text until the person scrolls up; from then on the view never moves by
itself, whatever streams, folds or ends, until they go back to the end. Where rows stand is
`app.tui.document`'s.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.selection import Selection
from textual.strip import Strip
from textual.widget import Widget

from app.messages import Messages
from app.tui.document import Document, Entry, Place
from app.tui.entries import Answer, Calls, Notice, Reasoning, Welcome
from app.tui.palette import Palette, palette
from app.tui.themes import colours_of
from app.tui.wrap import clip


class Transcript(ScrollView, can_focus=True):
    """A chat's entries. `append`, `withdraw` and `changed` take effect with the next `settle`."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "scroll_up", show=False),
        Binding("down", "scroll_down", show=False),
        Binding("home", "scroll_home", show=False),
        Binding("end", "follow", show=False),
    ]

    class CallsChosen(Message):
        """The person chose the calls of an earlier answer."""

        def __init__(self, calls: Calls) -> None:
            super().__init__()
            self.calls = calls

    def __init__(self, messages: Messages, accent: str = "") -> None:
        super().__init__()
        self.messages = messages
        self._accent = accent
        self._document: Document | None = None
        self._place: Place | None = None
        self._settling = False
        self._rows: list[Strip] = []
        self._rows_from = 0

    @property
    def document(self) -> Document:
        if self._document is None:
            self._document = Document(self._look)
        return self._document

    @property
    def following(self) -> bool:
        """Whether the newest text is kept in view."""
        return self._place is None

    @property
    def entries(self) -> Sequence[Entry]:
        return self.document.entries

    # --- what the story writes

    def append(self, entry: Entry) -> None:
        self.document.append(entry)

    def withdraw(self, entry: Entry) -> None:
        if self._place is not None and self._place.entry is entry:
            self._place = self._beside(entry)
        self.document.remove(entry)

    def changed(self, entry: Entry) -> None:
        self.document.changed(entry)

    def clear(self) -> None:
        """Begin an empty chat."""
        self.document.clear()
        self._place = None
        self.settle()

    def speak(self, messages: Messages, accent: str) -> None:
        """Another language or another voice."""
        if messages is not self.messages:
            for entry in self.entries:
                self._relabel(entry, messages)
        self.messages, self._accent = messages, accent
        self.settle()

    def _relabel(self, entry: Entry, messages: Messages) -> None:
        match entry:
            case Calls() | Notice() | Reasoning() | Welcome():
                entry.relabel(messages)
                self.document.reworded(entry)
            case _:
                pass

    # --- where the view stands

    def settle(self) -> None:
        """Draw what is near the view, and stand where the person left it."""
        width, rows = self.size  # the scrollbar lies over the last, always empty column
        if width <= 0 or rows <= 0 or self._settling:
            return
        document = self.document
        document.shape(width, self._look)
        self._settling = True
        try:
            if self._place is None:
                if last := document.place_at(document.height):
                    document.draw_around(last, 2 * rows, rows)
                top = max(document.height - rows, 0)
            else:
                document.draw_around(self._place, rows, 2 * rows)
                top = document.y_of(self._place)
            self._stand_at(top, width, rows)
        finally:
            self._settling = False

    def follow(self) -> None:
        """Go to the end and stay there."""
        self._place = None
        self.settle()

    def action_follow(self) -> None:
        self.follow()

    def scroll_rows(self, rows: int) -> None:
        """Scroll by this many rows, at once."""
        self.scroll_to(y=self.scroll_offset.y + rows, animate=False)

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        super().watch_scroll_y(old_value, new_value)
        if self._settling or round(old_value) == round(new_value):
            return
        at_end = round(new_value) >= self.max_scroll_y
        self._place = None if at_end else self.document.place_at(round(new_value))
        self.settle()

    def _stand_at(self, top: int, width: int, rows: int) -> None:
        height = self.document.height
        if self.virtual_size != Size(width, height):
            # Not the reactive itself: it would lay the whole screen out again at each frame.
            self.set_reactive(Widget.virtual_size, Size(width, height))
            self._scroll_update(self.virtual_size)
        top = min(top, max(height - rows, 0))
        if top != self.scroll_offset.y:
            self.scroll_target_y = self.scroll_y = top
        self._rows_from = self.scroll_offset.y
        self._rows = self.document.strips(self._rows_from, rows)
        self.refresh()

    def _beside(self, entry: Entry) -> Place | None:
        """A place for the view when the entry that it stood on goes away."""
        index = self.document.entries.index(entry)
        if index + 1 < len(self.document.entries):
            return Place(self.document.entries[index + 1], 0, 0)
        return Place(self.document.entries[index - 1], 1_000_000, 0) if index else None

    # --- drawing

    @property
    def _look(self) -> Palette:
        return palette(colours_of(self.app), self._accent)

    def render_lines(self, crop: Region) -> list[Strip]:
        """The rows as they are: whole strips with all their colours, which keep what Textual
        works out for them from frame to frame. Its own way makes each row anew: 10 ms a frame."""
        look, selection = self._look, self.text_selection
        filters, background = self.get_line_filters(), self.background_colors[1]
        x1, x2 = crop.column_span
        strips = []
        for y in crop.line_range:
            strip = self._row(y, look, selection)
            for line_filter in filters:
                strip = strip.apply_filter(line_filter, background)
            strips.append(strip if (x1, x2) == (0, strip.cell_length) else strip.crop(x1, x2))
        return strips

    def render_line(self, y: int) -> Strip:
        """A row that says which text it shows: Textual asks for it where the mouse is."""
        strip = self._row(y, self._look, None)
        return strip.apply_offsets(0, self._rows_from + y)

    def _row(self, y: int, look: Palette, selection: Selection | None) -> Strip:
        width = self.size.width
        if y >= len(self._rows):
            return self.document.blank
        row = self._rows_from + y
        strip = self._rows[y]
        if selection is not None:
            strip = _select(strip, selection.get_span(row), look.selected)
        if y == self.size.height - 1 and not self.following:
            strip = self._with_badge(strip, width)
        return strip

    def _with_badge(self, strip: Strip, width: int) -> Strip:
        text = clip(f" ↓ {self.messages('chat.more_below')} ", width - 2)
        badge, edge = Segment(text, self._look.badge), Segment("  ", self._look.ink)
        cut = max(width - len(text) - 2, 0)
        return Strip.join([strip.crop(0, cut), Strip([badge, edge], len(text) + 2)])

    def notify_style_update(self) -> None:
        super().notify_style_update()
        if self.is_mounted:
            self.settle()

    def on_resize(self) -> None:
        self.settle()

    # --- what the person does with it

    def on_click(self, event: events.Click) -> None:
        on_badge = event.y == self.size.height - 1 and event.x > self.size.width // 2
        if on_badge and not self.following:
            self.follow()
        elif place := self.document.place_at(self.scroll_offset.y + event.y):
            self._choose(place.entry)

    def toggle_reasoning(self) -> None:
        """Fold or unfold the reasoning that is in view, else the newest."""
        seen = [entry for entry in self._entries_in_view() if isinstance(entry, Reasoning)]
        every = [entry for entry in self.entries if isinstance(entry, Reasoning)]
        for entry in seen or every[-1:]:
            self._choose(entry)

    def last_answer(self) -> str:
        """The newest answer as Markdown, "" when there is none."""
        answers = (entry for entry in reversed(self.entries) if isinstance(entry, Answer))
        return next((answer.plain() for answer in answers), "")

    def get_selection(self, selection: Selection) -> tuple[str, str] | None:
        if selection.start is None or selection.end is None:
            return "\n\n".join(entry.plain() for entry in self.entries), "\n"
        first, last = selection.start.y, selection.end.y
        rows = [strip.text for strip in self.document.strips(first, last - first + 1)]
        if not rows:
            return None
        rows[-1] = rows[-1][: selection.end.x]
        rows[0] = rows[0][selection.start.x :]
        return "\n".join(row.rstrip() for row in rows), "\n"

    def selection_updated(self, selection: Selection | None) -> None:
        self.refresh()

    def _choose(self, entry: Entry) -> None:
        match entry:
            case Reasoning():
                if self.following:  # unfolding must not push away what is being read
                    self._place = self.document.place_at(self.scroll_offset.y)
                entry.toggle()
                self.document.changed(entry)
                self.settle()
                self._follow_if_at_end()
            case Calls():
                self.post_message(self.CallsChosen(entry))
            case _:
                pass

    def _follow_if_at_end(self) -> None:
        if self.scroll_offset.y >= self.max_scroll_y:
            self.follow()

    def _entries_in_view(self) -> list[Entry]:
        top = self.scroll_offset.y
        places = (self.document.place_at(y) for y in range(top, top + self.size.height))
        return list({id(place.entry): place.entry for place in places if place}.values())


def _select(strip: Strip, span: tuple[int, int] | None, style: Style) -> Strip:
    """The strip with the characters of the span marked; an end of -1 is the end of the row."""
    if span is None:
        return strip
    start, end = span
    end = len(strip.text) if end == -1 else end
    segments: list[Segment] = []
    at = 0
    for text, own, _ in strip:
        cuts = sorted({0, len(text), *(c - at for c in (start, end) if 0 < c - at < len(text))})
        for begin, stop in pairwise(cuts):
            inside = start <= at + begin < end
            look = (own + style if own else style) if inside else own
            segments.append(Segment(text[begin:stop], look))
        at += len(text)
    return Strip(segments, strip.cell_length)
