"""What do the agent's events look like in the chat? One message told, event by event, in entries.

Knows the order in which things are said; the page that it writes on knows how they are drawn.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Protocol

from app import events
from app.call_views import CallBoard, CallKey
from app.events import Ending
from app.messages import Messages
from app.tui import notices
from app.tui.call_words import brief_of_call, brief_of_view
from app.tui.document import Entry
from app.tui.entries import Answer, Calls, Message, Notice, Reasoning, Saying
from providers.history import AssistantTurn, ToolTurn, Turn, UserTurn
from providers.parts import (
    CallStarted,
    Part,
    ReasoningDelta,
    Restarted,
    TextDelta,
    Usage,
    UsageReported,
)
from tools.call import AnyCall, ToolResult


class Page(Protocol):
    """What a story is written on."""

    def append(self, entry: Entry) -> None: ...

    def withdraw(self, entry: Entry) -> None: ...

    def changed(self, entry: Entry) -> None: ...


class Story:
    """The message at work: its events become entries of the page, its calls a board."""

    def __init__(
        self,
        page: Page,
        messages: Messages,
        left: Calls | None = None,
        now: Callable[[], float] = time.time,
    ) -> None:
        """`left` is the line about the calls that are taken up again, where the page has one;
        `now` says when an event came."""
        self.page = page
        self.messages = messages
        self.board = CallBoard(now)
        self.usage: Usage | None = None
        self.ending: Ending | None = None
        self._round = 0
        self._since: list[Entry] = []
        self._answer: Answer | None = None
        self._reasoning: Reasoning | None = None
        self._left = left
        self._calls: Calls | None = None
        self._torn: Calls | None = None
        self._notice: Notice | None = None

    def apply(self, event: events.Event) -> set[CallKey]:
        """Tell the next event; gives the calls that it changed."""
        changed = self.board.apply(event)
        match event:
            case events.MessageStarted(text=text):
                self.page.append(Message(text))
            case events.RoundStarted(number=number):
                self._round, self._calls, self._torn = number, None, None
            case events.Resumed(number=number):
                self._take_up(number)
            case events.AttemptStarted():
                self._begin_attempt()
            case events.Received(parts=parts):
                self._drop_notice()
                for part in parts:
                    self._take_part(part)
            case events.Silent(seconds=seconds):
                self._say(partial(notices.silence, seconds), "dim")
            case events.Withdrawn():
                self._withdraw()
            case events.Waiting():
                self._say(partial(notices.waiting, event), "waiting")
            case events.AnswerEnded(turn=turn, usage=usage):
                self._end_answer(turn, usage)
            case events.ChoiceIgnored(choice=choice):
                say = partial(notices.choice_ignored, choice)
                self.page.append(Notice(say, self.messages, "waiting"))
            case events.Done():
                self._end(event)
            case _:
                pass
        if changed and not isinstance(event, events.Withdrawn):
            self._show_calls()
        return changed

    def settle(self) -> None:
        """A frame is about to be drawn: tell the page which entries grew."""
        for entry in (self._reasoning, self._answer):
            if entry is not None:
                self.page.changed(entry)

    def _begin_attempt(self) -> None:
        self._drop_notice()
        self._since = []
        self._answer = Answer(growing=True)
        self._append(self._answer)

    def _take_up(self, number: int) -> None:
        """The calls of a round that is on the page already go on in their line."""
        self._round, self._calls = number, self._left
        if self._calls is not None:
            self._calls.turns = ()

    def _take_part(self, part: Part) -> None:
        match part:
            case TextDelta(text=text):
                self._speaking().add(text)
            case ReasoningDelta(text=text):
                self._thinking().add(text)
            case UsageReported(usage=usage):
                self.usage = usage
            case CallStarted():
                self._show_calls()
            case Restarted():
                self._withdraw()
                self._begin_attempt()
            case _:
                pass

    def _speaking(self) -> Answer:
        """The answer that grows; a new one below the calls when text follows them."""
        if self._answer is None:
            self._answer = Answer(growing=True)
            self._append(self._answer)
        return self._answer

    def _thinking(self) -> Reasoning:
        if self._reasoning is None:
            self._reasoning = Reasoning(self.messages)
            waiting = self._answer if self._answer and not self._answer.text else None
            if waiting is not None:
                self._remove(waiting)
                self._answer = None
            self._append(self._reasoning)
        return self._reasoning

    def _show_calls(self) -> None:
        views = [view for view in self.board.views if view.round == self._round]
        if not views:
            return
        if self._calls is None:
            self._close_answer()
            self._drop_torn_calls()
            self._calls = Calls(self.messages)
            self._append(self._calls)
        taken = max(view.key.take for view in views)
        briefs = [brief_of_view(view) for view in views if view.key.take == taken]
        if self._calls.show(briefs):
            self.page.changed(self._calls)

    def _drop_torn_calls(self) -> None:
        """The calls of the attempt before, which the panel still shows, give way to these."""
        if self._torn is not None:
            self.page.withdraw(self._torn)
            self._torn = None

    def _close_answer(self) -> None:
        """No more text comes here; an answer that never began leaves nothing behind."""
        if self._answer is not None:
            if self._answer.text.strip():
                self._answer.finish()
                self.page.changed(self._answer)
            else:
                self._remove(self._answer)
        self._answer = None

    def _withdraw(self) -> None:
        """What the attempt had shown no longer stands; its torn calls stay to be seen."""
        said = any(isinstance(one, Answer) and one.text.strip() for one in self._since)
        for entry in list(self._since):
            if isinstance(entry, Answer | Reasoning):
                self._remove(entry)
        self._answer = self._reasoning = None
        if self._calls is not None:
            self._show_calls()
            self._torn, self._calls = self._calls, None
        if said:
            self.page.append(Notice(notices.withdrawn, self.messages))

    def _end_answer(self, turn: AssistantTurn, usage: Usage | None) -> None:
        self._close_answer()
        self._reasoning = None
        self.usage = usage or self.usage
        say = partial(notices.unusual_stop, turn.stop)
        if say(self.messages):
            self.page.append(Notice(say, self.messages, "waiting"))

    def _end(self, done: events.Done) -> None:
        self._drop_notice()
        self._close_answer()
        self._reasoning = None
        self.ending = done.ending
        _tell_ending(done, self.page, self.messages)

    def _say(self, say: Saying, bar: str) -> None:
        """Say it where the answer would be, in the place of what was said before."""
        if self._answer is not None and not self._answer.text:
            self._remove(self._answer)
            self._answer = None
        if self._notice is None:
            self._notice = Notice(say, self.messages, bar)
            self.page.append(self._notice)
        else:
            self._notice.show(say, bar)
            self.page.changed(self._notice)

    def _drop_notice(self) -> None:
        if self._notice is not None:
            self.page.withdraw(self._notice)
            self._notice = None

    def _append(self, entry: Entry) -> None:
        self._since.append(entry)
        self.page.append(entry)

    def _remove(self, entry: Entry) -> None:
        if entry in self._since:
            self._since.remove(entry)
        self.page.withdraw(entry)


def tell_history(
    history: Sequence[Turn],
    page: Page,
    messages: Messages,
    unanswered: Collection[int] = (),
    endings: Mapping[int, events.Done] = MappingProxyType({}),
) -> Calls | None:
    """The stored turns as entries; cheap, for nothing is drawn before it is seen. `endings` says
    after which turns, by place, a message was over without an answer. Gives the line about the
    newest calls, of which those at the places `unanswered` have no result yet."""
    calls = None
    for place, turn in enumerate(history):
        match turn:
            case UserTurn(text=text):
                page.append(Message(text))
            case AssistantTurn():
                after = history[place + 1] if place + 1 < len(history) else None
                results = after.results if isinstance(after, ToolTurn) else ()
                left = unanswered if place + 2 == len(history) else ()
                calls = _tell_answer(turn, results, page, messages, left) or calls
            case ToolTurn():
                pass
        if place in endings:
            _tell_ending(endings[place], page, messages)
    return calls


def _tell_ending(done: events.Done, page: Page, messages: Messages) -> None:
    say = partial(notices.ending, done)
    if say(messages):
        bar = "dim" if done.ending is Ending.STOPPED else "failed"
        page.append(Notice(say, messages, bar))


def _tell_answer(
    turn: AssistantTurn,
    results: Sequence[ToolResult],
    page: Page,
    messages: Messages,
    unanswered: Collection[int],
) -> Calls | None:
    if turn.reasoning:
        page.append(Reasoning(messages, turn.reasoning))
    text: list[str] = []
    calls: list[AnyCall] = []
    for item in turn.items:
        if isinstance(item, str):
            text.append(item)
        else:
            calls.append(item)
    if any(piece.strip() for piece in text):
        page.append(Answer("".join(text)))
    if not calls:
        return None
    told = Calls(messages, (turn, ToolTurn(tuple(results))), unanswered)
    known = {n: result for n, result in enumerate(results) if n not in unanswered}
    told.show([brief_of_call(call, known.get(n)) for n, call in enumerate(calls)])
    page.append(told)
    return told


def last_message(history: Sequence[Turn]) -> Sequence[Turn]:
    """The turns since the person's last message, with it."""
    for place in range(len(history) - 1, -1, -1):
        if isinstance(history[place], UserTurn):
            return history[place:]
    return ()
