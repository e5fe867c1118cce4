"""The cards of one message, one below the other: which are drawn, which one is chosen.

One widget draws all of them. A change redraws at most thirty times a second, and only the lines of
the cards that changed; sixty-four calls are as smooth as one.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from time import monotonic
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Size
from textual.message import Message
from textual.strip import Strip
from textual.timer import Timer

from app.call_views import CallBoard, CallKey, CallState, CallView
from app.mending import Mend, mends
from app.messages import Messages
from app.tui.ink import Ink, Line, Piece
from app.tui.themes import Colours, colours_of
from app.tui.widgets.call_card import Card
from app.tui.widgets.painted_lines import PaintedLines, ink_colour, painted

FRAME = 1 / 30
"""The least time between two redraws, in seconds."""

BAR, CHOSEN_BAR = "▌", "█"


@dataclass(frozen=True, slots=True)
class Block:
    """A card's place in the list: its own lines begin at `top`; a round's heading is above."""

    card: Card
    start: int
    top: int
    end: int
    heading: Line


class CallList(PaintedLines, inherit_bindings=False):
    """All cards of a `CallBoard`."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("home", "card_first", show=False),
        Binding("end", "card_last", show=False),
    ]

    class Chosen(Message):
        """Another card is chosen, or the chosen one changed."""

        def __init__(self, view: CallView | None) -> None:
            super().__init__()
            self.view = view

    class Drawn(Message):
        """A frame was drawn: calls came or changed."""

    def __init__(self, messages: Messages) -> None:
        super().__init__()
        self.messages = messages
        self.board = CallBoard()
        self._cards: dict[CallKey, Card] = {}
        self._blocks: list[Block] = []
        self._starts: list[int] = []
        self._chosen: CallKey | None = None
        self._newest: CallKey | None = None
        self._changed: set[CallKey] = set()
        self._frame: Timer | None = None
        self._drawn = 0.0

    # -- what is shown

    def show(self, board: CallBoard) -> None:
        """Show the cards of another board."""
        self.board = board
        self._cards, self._chosen, self._newest = {}, None, None
        self._changed.clear()
        self.scroll_to(y=0, animate=False)
        self._lay_out()

    def changed(self, keys: Iterable[CallKey]) -> None:
        """These views changed: draw them with the next frame."""
        self._changed.update(keys)
        if not self._changed or self._frame is not None or not self.is_mounted:
            return
        wait = self._drawn + FRAME - monotonic()
        if wait <= 0:
            self._draw_frame()
        else:
            self._frame = self.set_timer(wait, self._draw_frame)

    def relabel(self, messages: Messages) -> None:
        """Speak another language."""
        self.messages = messages
        for card in self._cards.values():
            card.messages = messages
        self._lay_out()

    @property
    def chosen(self) -> CallView | None:
        """The card that was chosen, else the one that changed last."""
        key = (
            self._chosen
            or self._newest
            or (self._blocks[-1].card.view.key if self._blocks else None)
        )
        return self._cards[key].view if key in self._cards else None

    @property
    def mend(self) -> Mend | None:
        """What the chosen call mends, or what mends it."""
        view = self.chosen
        return self._cards[view.key].mend if view is not None else None

    def _draw_frame(self) -> None:
        self._frame, self._drawn = None, monotonic()
        changed, self._changed = self._changed, set()
        if not changed:
            return
        self._newest = max(changed, key=lambda key: (self.board[key].last, key))
        follow = self.is_vertical_scroll_end and self._chosen is None
        self._lay_out(changed)
        if follow:  # by force: the scrollbar of the first line too many is not there yet
            self.scroll_end(animate=False, force=True, immediate=True)
        self.post_message(self.Drawn())
        if (view := self.chosen) is not None and view.key in changed:
            self.post_message(self.Chosen(view))

    def _lay_out(self, changed: set[CallKey] | None = None) -> None:
        """Place all cards; redraw those that changed, or everything when places moved."""
        before = [(block.start, block.end) for block in self._blocks]
        self._blocks = list(self._placed())
        self._starts = [block.start for block in self._blocks]
        height = self._blocks[-1].end - 1 if self._blocks else 0
        if self.virtual_size.height != height or self.virtual_size.width != self.size.width:
            self.virtual_size = Size(self.size.width, height)
        if changed is None or before != [(block.start, block.end) for block in self._blocks]:
            self.refresh()
            return
        for block in self._blocks:
            if block.card.view.key in changed:
                self.refresh_lines(block.start, block.end - block.start)

    def _placed(self) -> Iterable[Block]:
        at = 0
        previous: tuple[int, int] | None = None
        headings = self._headings()
        mended = mends(self.board.views)
        for view in self.board.views:
            card = self._cards.get(view.key)
            if card is None:
                card = self._cards[view.key] = Card(view, self.messages)
            card.mend = mended.get(view.key)
            group = (view.round, view.attempt)
            heading = headings[group] if group != previous else ()
            previous = group
            top = at + (1 if heading else 0)
            end = top + len(card.lines(self._inside)) + 1
            yield Block(card, at, top, end, heading)
            at = end

    def _headings(self) -> dict[tuple[int, int], Line]:
        """What stands above the calls of each round and attempt, where there are several."""
        groups = {(view.round, view.attempt) for view in self.board.views}
        rounds = {number for number, _ in groups}
        headings: dict[tuple[int, int], Line] = {}
        for number, attempt in groups:
            words = [self.messages("panel.round", number=number)] if len(rounds) > 1 else []
            if any(other == number and more > 1 for other, more in groups):
                words.append(self.messages("panel.attempt", number=attempt))
            headings[number, attempt] = (Piece(" · ".join(words), Ink.DIM),) if words else ()
        return headings

    @property
    def _inside(self) -> int:
        """The cells inside a card: without its bar and the room at both sides."""
        return self.line_width - 3

    def line_at(self, y: int, width: int) -> Strip | None:
        place = bisect_right(self._starts, y) - 1
        if place < 0 or y >= self._blocks[place].end:
            return None
        block, colours = self._blocks[place], colours_of(self.app)
        if y < block.top:
            return painted(block.heading, width, colours, colours.panel)
        lines = block.card.lines(self._inside)
        if y - block.top >= len(lines):
            return painted((), width, colours, colours.panel)
        return self._card_line(block.card.view, lines[y - block.top], width, colours)

    def _card_line(self, view: CallView, line: Line, width: int, colours: Colours) -> Strip:
        chosen = self.has_focus and self.chosen is view
        surface = colours.raised if chosen else colours.card
        colour = bar_colour(view, colours)
        bar = Segment(CHOSEN_BAR if chosen else BAR, Style(color=colour, bgcolor=surface))
        body = painted((Piece(" "), *line), self.line_width - 1, colours, surface)
        room = Segment(" " * (width - self.line_width), Style(bgcolor=colours.panel))
        return Strip([bar, *body, room], width)

    # -- choosing

    def action_card_first(self) -> None:
        self._choose(0)

    def action_card_last(self) -> None:
        self._choose(len(self._blocks) - 1)

    def open_or_close(self) -> None:
        """Open the chosen card to its whole length, or close it again."""
        if (view := self.chosen) is not None:
            self._cards[view.key].opened = not self._cards[view.key].opened
            self._lay_out()
            self._show_chosen()

    def move(self, step: int) -> None:
        """Choose a card further down, or up."""
        keys = [block.card.view.key for block in self._blocks]
        view = self.chosen
        self._choose((keys.index(view.key) if view and view.key in keys else 0) + step)

    def _choose(self, place: int) -> None:
        if not self._blocks:
            return
        place = min(max(place, 0), len(self._blocks) - 1)
        self._chosen = self._blocks[place].card.view.key
        self.refresh()
        self._show_chosen()
        self.post_message(self.Chosen(self.chosen))

    def _show_chosen(self) -> None:
        for block in self._blocks:
            if block.card.view is self.chosen:
                above, below = block.start, block.end - self.size.height
                y = self.scroll_offset.y
                self.scroll_to(y=min(above, max(y, below)), animate=False)

    # -- events

    def on_click(self, event: events.Click) -> None:
        place = bisect_right(self._starts, event.y + self.scroll_offset.y) - 1
        if 0 <= place < len(self._blocks):
            self._choose(place)
            if event.chain == 2:
                self.open_or_close()

    def on_resize(self) -> None:
        self._lay_out()
        if self.has_focus:
            self._show_chosen()

    def on_focus(self) -> None:
        self.refresh()

    def on_blur(self) -> None:
        self.refresh()


def bar_colour(view: CallView, colours: Colours) -> str:
    """The colour of a card's bar: the provider's while the call comes, then how it went."""
    match view.state:
        case CallState.ASSEMBLING:
            return colours.voice(view.origin.dialect)
        case CallState.WAITING | CallState.RUNNING | CallState.UNANSWERED:
            return colours.waiting
        case CallState.COMPLETE | CallState.ANSWERED:
            return colours.done
        case CallState.CANCELLED:
            return ink_colour(Ink.DIM, colours)
        case _:
            return colours.failed
