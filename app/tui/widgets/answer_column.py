"""One provider's answer to the message that several were sent: its words, its calls, its times."""

from __future__ import annotations

import time
from functools import partial

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.message import Message

from app import events
from app.call_views import CallBoard, CallKey
from app.choice import Choice
from app.comparing import Timing
from app.events import Ending
from app.session import Session
from app.tui import notices
from app.tui.activity import Activity, activity_after
from app.tui.entries import Notice
from app.tui.figures import seconds_text
from app.tui.frames import Frames
from app.tui.story import Story
from app.tui.themes import accent_of, colours_of
from app.tui.widgets.bars import Bar
from app.tui.widgets.call_list import CallList
from app.tui.widgets.transcript import Transcript
from providers.catalogue import CatalogueError
from providers.presets import SIMULATOR


class AnswerColumn(Vertical):
    """Shows what `take` hears; `session` says who is asked, and is closed with the column."""

    BLANK = True

    class Signed(Message):
        """The column's `sign` is another now."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        self.chosen = False
        messages = session.messages
        self._head = Bar()
        self._transcript = Transcript(messages, accent_of(session))
        self._calls = CallList(messages)
        self._transcript.can_focus = self._calls.can_focus = False  # the composer keeps the keys
        self._frames = Frames(self._tell, self._draw)
        self._story: Story | None = None
        self._timing = Timing()
        self._activity = Activity.READY
        self._changed: set[CallKey] = set()
        self._refused = False
        self._signed = ""

    def compose(self) -> ComposeResult:
        yield self._head
        yield self._transcript
        yield self._calls

    def on_mount(self) -> None:
        self.watch(self.app, "theme", self.write_head)

    async def on_unmount(self) -> None:
        self._frames.close()
        await self.session.close()

    # --- who is asked

    @property
    def title(self) -> str:
        """The provider's name as a person reads it."""
        preset = self.session.preset
        own = preset.id == SIMULATOR
        return self.session.messages("picker.simulator") if own else preset.title

    @property
    def sign(self) -> str:
        """How it goes, in one glyph; "" before anything was asked."""
        if self._refused:
            return "✗"
        match self._story:
            case None:
                return ""
            case Story(ending=None):
                return "…"
            case Story(ending=Ending.ANSWERED):
                return "✓"
            case _:
                return "✗"

    async def ask_another(self, choice: Choice) -> None:
        """Ask this one from now on; what was answered before goes."""
        await self.session.close()
        self.session.choice = choice
        self._story, self._refused = None, False
        self._transcript.clear()
        self._transcript.speak(self.session.messages, accent_of(self.session))
        self._show_calls(CallBoard())
        self.write_head()

    # --- a message on its way

    def begin(self) -> None:
        """A message is about to be sent."""
        self._refused = False
        self._transcript.clear()
        frames = self._frames
        messages = self.session.messages
        self._story = Story(self._transcript, messages, None, lambda: frames.came_at)
        self._timing, self._activity = Timing(), Activity.ASKING
        self._show_calls(self._story.board)
        self.write_head()

    def take(self, event: events.Event) -> None:
        """Hear the next event."""
        self._timing.take(event)
        self._frames.add(time.time(), event)

    def refuse(self, error: CatalogueError) -> None:
        """Say why this one cannot even be asked."""
        self._refused = True
        say = partial(notices.cannot_ask, error)
        self._transcript.append(Notice(say, self.session.messages, "failed"))
        self._transcript.settle()
        self.write_head()

    def scroll_pages(self, pages: int) -> None:
        """Page through the answer."""
        self._transcript.scroll_rows(pages * (self._transcript.size.height - 2))

    def _show_calls(self, board: CallBoard) -> None:
        self._changed = set()
        self._calls.show(board)
        self.set_class(len(board) > 0, "-calls")

    def _tell(self, event: events.Event) -> None:
        if self._story is not None:
            self._changed |= self._story.apply(event)
            self._activity = activity_after(event, self._activity)

    def _draw(self) -> None:
        if self._story is None or not self.is_attached:
            return
        self._story.settle()
        self._transcript.settle()
        if self._changed:
            self.set_class(len(self._story.board) > 0, "-calls")
            self._calls.changed(self._changed)
            self._changed = set()
        self.write_head()

    # --- its first line

    def write_head(self) -> None:
        """Who is asked, and how far it is."""
        origin = self.session.origin
        voice = colours_of(self.app).voice(accent_of(self.session))
        mark = "▸ " if self.chosen else "◆ "
        facts = f" · {origin.model}" if origin.model else ""
        left = [
            (mark, voice),
            (self.title, f"bold {voice}"),
            (f"{facts} · {origin.dialect}", "$dim"),
        ]
        self._head.say(left, right=self._progress())
        if self.sign != self._signed:
            self._signed = self.sign
            self.post_message(self.Signed())

    def _progress(self) -> list[tuple[str, str]]:
        messages, timing = self.session.messages, self._timing
        if self._story is None or self._refused:
            return []
        if self._story.ending is None:
            return [(messages(f"chat.activity.{self._activity.value}"), "$dim")]
        times = (timing.first_fragment, timing.end)
        said = " → ".join(seconds_text(one, messages) for one in times if one is not None)
        style = "$done" if self._story.ending is Ending.ANSWERED else "$failed"
        return [(f"{self.sign} ", style), (said, "$dim")]
