"""The chat: transcript, composer, the panel of calls beside it, and one message on its way.

Composes and connects: events of the session go to the story as they are played, the story writes
on the transcript and fills the panel's board. Whom to ask and what to keep is the session's.
"""

from __future__ import annotations

import asyncio
import time
from functools import partial
from typing import ClassVar

from textual import events as textual_events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.screen import Screen
from textual.timer import Timer
from textual.worker import Worker, WorkerState

from app import events
from app.call_views import CallKey
from app.session import Session
from app.stored_calls import board_of_turns
from app.tui import notices
from app.tui.actions import Where, actions, bindings
from app.tui.activity import Activity, activity_after
from app.tui.entries import Calls, Notice, Saying, Welcome
from app.tui.playback import Playback
from app.tui.projector import Showing
from app.tui.story import Story, last_message, tell_history
from app.tui.themes import accent_of
from app.tui.widgets.call_panel import CallPanel
from app.tui.widgets.call_strip import CallStrip
from app.tui.widgets.columns import Body, Column
from app.tui.widgets.composer import Composer
from app.tui.widgets.key_bar import KeyBar
from app.tui.widgets.status_bar import StatusBar
from app.tui.widgets.transcript import Transcript
from providers.catalogue import CatalogueError
from providers.history import UserTurn
from providers.presets import SIMULATOR

NARROW = 100
"""Columns below which chat and panel no longer stand side by side."""
TOLD_FOR = 3.0
"""Seconds for which a passing word is shown."""
_OURS = ("panel", "stop", "retry", "resume", "new_chat", "wire", "reasoning", "copy_answer")
_MOVES = ("page_up", "page_down", "to_top", "to_end")


class ChatScreen(Screen[None]):
    """The screen that the program opens on."""

    BINDINGS: ClassVar[list[BindingType]] = list(
        bindings(
            action
            for action in actions(Where.ANYWHERE, Where.CHAT)
            if action.name in _OURS + _MOVES
        )
    )
    BLANK = True
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (NARROW, "-wide")]  # noqa: RUF012 - Textual's type
    VERTICAL_BREAKPOINTS = [(0, "-short"), (20, "-tall")]  # noqa: RUF012 - Textual's type

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        messages = session.messages
        self._status = StatusBar(messages)
        self._transcript = Transcript(messages, accent_of(session))
        self._strip = CallStrip(messages)
        self._composer = Composer(messages)
        self._panel = CallPanel(messages)
        self._keys = KeyBar(messages)
        self.story: Story | None = None
        self._playback = Playback(self._tell, self._draw, self._show_playback)
        self._worker: Worker[events.Done] | None = None
        self._clock: Timer | None = None
        self._began = 0.0
        self._typed_at = 0.0
        self._refused_at = float("-inf")
        self._prepared = False
        self._left: tuple[Notice, Calls | None] | None = None
        self._turn = 0
        self._activity = Activity.READY
        self._changed_calls: set[CallKey] = set()

    # --- what it is made of

    def compose(self) -> ComposeResult:
        yield self._status
        with Body():
            with Column():
                yield self._transcript
                yield self._strip
                yield self._composer
            yield self._panel
        yield self._keys

    def on_mount(self) -> None:
        self.set_class(not self.session.settings.panel.shown, "-no-panel")
        self._composer.focus()
        self.show_chat()
        self.show_origin()
        for problem in self.session.problems:
            say = partial(notices.mistake, problem)
            self._transcript.append(Notice(say, self.session.messages, "waiting"))

    def on_unmount(self) -> None:
        self._playback.close()

    @property
    def working(self) -> bool:
        """Whether a message is on its way."""
        return self._worker is not None

    @property
    def seconds_since_typing(self) -> float:
        """How long nobody has written anything that is not sent yet."""
        return time.monotonic() - self._typed_at

    # --- what others change

    def show_chat(self) -> None:
        """Show the session's chat from its beginning."""
        messages, history = self.session.messages, self.session.history
        self._transcript.clear()
        if not history:
            self._transcript.append(Welcome(messages))
        chat = self.session.chat if history else None
        unanswered = chat.unanswered if chat else ()
        notes = [(place, kept.note) for place, kept in enumerate(chat.turns if chat else ())]
        endings = {place: note.done for place, note in notes if note}
        calls = tell_history(history, self._transcript, messages, unanswered, endings)
        self._left = None
        if chat is not None and chat.unfinished:
            notice = Notice(partial(notices.unfinished, chat.pending), messages, "waiting")
            self._transcript.append(notice)
            self._left = (notice, calls)
        said = [turn.text for turn in history if isinstance(turn, UserTurn)]
        self._composer.remember(said)
        self._turn = len(said)
        self.story = None
        newest = last_message(history)
        self._panel.show(board_of_turns(newest, unanswered), self._turn)
        self._show_strip()
        self._transcript.follow()
        self._status.update(title=self.session.title, seconds=None)
        self._keys.count(None)

    def show_origin(self) -> None:
        """Show who is asked from now on."""
        origin, preset = self.session.origin, self.session.preset
        self._transcript.speak(self.session.messages, accent_of(self.session))
        messages = self.session.messages
        title = messages("picker.simulator") if preset.id == SIMULATOR else preset.title
        faults = self.session.choice.fault_names
        self._status.update(provider=title, model=origin.model, faults=faults)

    def offer(self, text: str) -> None:
        """Put a text where the person can send it."""
        self._composer.offer(text)

    async def show_cost(self) -> None:
        """Show what the list of tools costs in each request."""
        history = self.session.history
        cost = await asyncio.to_thread(lambda: self.session.shelf.cost(history))
        self._panel.count_tools(cost, self.session.tool_choice)

    def relabel(self) -> None:
        """Speak the session's language from now on."""
        messages = self.session.messages
        for widget in (self._status, self._keys, self._composer, self._panel):
            widget.relabel(messages)
        self._strip.relabel(messages)
        self.show_origin()
        if self.story is not None:
            self.story.messages = messages

    # --- a message on its way

    def on_composer_sent(self, event: Composer.Sent) -> None:
        if self.working:
            self._say_still_working()
            return
        self._composer.take()
        self._begin(event.text)

    def _say_still_working(self) -> None:
        """Once in a while: pieces of a paste may come as if each had been sent."""
        now = time.monotonic()
        if now - self._refused_at > TOLD_FOR:
            self._refused_at = now
            text = self.session.messages("chat.still_working")
            self.notify(text, markup=False, timeout=TOLD_FOR)

    def _begin(self, text: str | None) -> None:
        if not self.session.history:
            self._transcript.clear()
        self._turn += text is not None
        left = self._take_left()
        taken_up = left if text is None else None
        playback = self._playback
        self.story = Story(
            self._transcript, self.session.messages, taken_up, lambda: playback.came_at
        )
        self._panel.show(self.story.board, self._turn)
        self._transcript.follow()
        self._began = time.monotonic()
        self._clock = self.set_interval(0.2, self._tick)
        self._status.update(activity=Activity.ASKING, seconds=0.0)
        self._keys.work(True)
        self._worker = self.run_worker(self._send(text), exit_on_error=False, name="message")

    def _take_left(self) -> Calls | None:
        """The line about the calls that are about to be taken up; what was said of them goes."""
        if self._left is None:
            return None
        (notice, calls), self._left = self._left, None
        self._transcript.withdraw(notice)
        return calls

    async def _send(self, text: str | None) -> events.Done:
        from app.tui.asking import ask_person

        await asyncio.to_thread(_load_markdown)
        await self.show_cost()
        self.session.permissions.ask = partial(ask_person, self)
        return await self.session.send(text, self._playback.add)

    def _tell(self, event: events.Event) -> None:
        assert self.story is not None, "events come from a message that has begun"
        self._changed_calls |= self.story.apply(event)
        self._activity = activity_after(event, self._activity)

    def _draw(self) -> None:
        if self.story is None or not self.is_attached:
            return
        self.story.settle()
        self._transcript.settle()
        if self.working:
            self._status.update(activity=self._activity, title=self.session.title)
        if self._changed_calls:
            self._panel.changed(self._changed_calls)
            self._changed_calls = set()
            self._show_strip()
        self._keys.count(self.story.usage)

    def _show_playback(self, showing: Showing) -> None:
        self._panel.show_playback(showing)
        self._status.update(paused=showing.paused)

    def on_call_panel_steered(self, event: CallPanel.Steered) -> None:
        self._playback.steer(event.order)

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        if event.worker is not self._worker or not event.worker.is_finished:
            return
        error = event.worker.error if event.state is WorkerState.ERROR else None
        self._playback.finish(partial(self._end, error))

    def _end(self, error: BaseException | None) -> None:
        """All of the message has been told: the next one may come."""
        if error is not None:
            self._say_why_not(error)
        self._worker = None
        if self._clock is not None:
            self._clock.stop()
        self._activity = Activity.READY
        self._status.update(activity=Activity.READY, title=self.session.title)
        self._keys.work(False)
        if time.monotonic() - self._refused_at < TOLD_FOR:  # no answer is coming any more
            self.app.clear_notifications()
        self.run_worker(self.show_cost(), exclusive=True, group="tools")

    def _say_why_not(self, error: BaseException) -> None:
        """The message did not even begin, or something of ours broke."""
        say: Saying
        if isinstance(error, CatalogueError):
            say = partial(notices.cannot_ask, error)
        else:
            reference = self.session.diagnostics.record(error)
            say = partial(notices.ending, events.Done(events.Ending.FAILED, None, reference))
        self._transcript.append(Notice(say, self.session.messages, "failed"))
        self._transcript.settle()

    def _tick(self) -> None:
        self._status.update(seconds=time.monotonic() - self._began)

    def _show_strip(self) -> None:
        board = self._panel.board
        self._strip.show(board)
        self.set_class(len(board) > 0, "-calls")

    # --- actions

    def action_stop(self) -> None:
        """Stop the answer; without one, close the drawer or go back to the composer."""
        if self._worker is not None:
            self._worker.cancel()
            self._playback.catch_up()
        elif self.has_class("-drawer"):
            self.action_panel()
        else:
            self._composer.focus()

    def action_panel(self) -> None:
        """Show or hide the panel: beside the chat, or over it on a small screen."""
        if self.has_class("-narrow"):
            self.toggle_class("-drawer")
            shown = self.has_class("-drawer")
        else:
            self.toggle_class("-no-panel")
            shown = False
        if shown:
            self._panel.focus_cards()
        else:
            self._composer.focus()

    def action_wire(self) -> None:
        """Show or hide the wire, opening the panel where it is hidden."""
        hidden = "-no-panel" if not self.has_class("-narrow") else ""
        if (hidden and self.has_class(hidden)) or (not hidden and not self.has_class("-drawer")):
            self.action_panel()
        self._panel.action_wire()

    def action_retry(self) -> None:
        """Ask again for the answer that did not come."""
        history = self.session.history
        if not self.working and history and last_message(history):
            self._begin(None)

    def action_resume(self) -> None:
        """Go on with the message that the program's end cut short."""
        if self._left is not None and not self.working:
            self._begin(None)
        elif not self.working:
            self.notify(self.session.messages("chat.nothing_left"), markup=False, timeout=3)

    def action_new_chat(self) -> None:
        """Begin another chat; the open one stays as it is."""
        if not self.working:
            self.session.new_chat()
            self.show_chat()
            self._composer.focus()

    def action_reasoning(self) -> None:
        self._transcript.toggle_reasoning()

    def action_copy_answer(self) -> None:
        """Copy the newest answer as Markdown."""
        answer = self._transcript.last_answer()
        if answer:
            self.app.copy_to_clipboard(answer)
            self.notify(self.session.messages("chat.copied"), markup=False, timeout=2)

    def action_page_up(self) -> None:
        self._transcript.scroll_rows(2 - self._transcript.size.height)

    def action_page_down(self) -> None:
        self._transcript.scroll_rows(self._transcript.size.height - 2)

    def action_to_top(self) -> None:
        self._transcript.scroll_to(y=0, animate=False)

    def action_to_end(self) -> None:
        self._transcript.follow()

    def on_key(self, event: textual_events.Key) -> None:
        """Typing while the chat has the keyboard is writing."""
        if event.is_printable and event.character and self.focused is self._transcript:
            self._composer.focus()
            self._composer.insert(event.character)
            event.stop()

    def on_text_area_changed(self, event: Composer.Changed) -> None:
        self._typed_at = time.monotonic() if event.text_area.text else 0.0
        if event.text_area.text and not self._prepared:
            self._prepared = True  # who types will send: the first message then need not wait
            self.run_worker(_load_markdown, thread=True)

    def on_composer_scrolled(self, event: Composer.Scrolled) -> None:
        self._transcript.scroll_rows(event.pages * (self._transcript.size.height - 2))

    def on_composer_went_to_end(self) -> None:
        self._transcript.follow()

    def on_transcript_calls_chosen(self, event: Transcript.CallsChosen) -> None:
        """Show the calls of an earlier answer in the panel."""
        calls: Calls = event.calls
        if calls.turns:
            self._panel.show(board_of_turns(calls.turns, calls.unanswered))
        elif self.story is not None:
            self._panel.show(self.story.board, self._turn)


def _load_markdown() -> None:
    """Imports that the first answer would wait for, on a thread of their own."""
    from app.tui.markdown import warm_up

    warm_up()
