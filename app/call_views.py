"""What is known of each call of one message: the events folded into one view for each call.

The panel draws these views and `ask --json` writes them; this file knows neither. A `CallBoard`
takes the agent's events one by one and says which calls each of them changed. Views grow in
place, because a call may come in a hundred thousand fragments: read them, never write them.
"""

from __future__ import annotations

import json
import time
from bisect import insort
from collections import defaultdict, deque
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from app.arrivals import GrowingText, WireLog
from app.events import (
    AnswerEnded,
    AttemptStarted,
    CallAnswered,
    CallOverdue,
    CallRunning,
    Done,
    Ending,
    Event,
    Ground,
    PermissionAsked,
    PermissionSettled,
    Received,
    Resumed,
    RoundStarted,
    Withdrawn,
)
from providers.history import AssistantTurn, Origin
from providers.parts import (
    NOWHERE,
    CallBroken,
    CallCompleted,
    CallFragment,
    CallNamed,
    CallStarted,
    Part,
    Restarted,
    Span,
    StreamFailed,
)
from tools.call import AnyCall, BrokenCall, ErrorKind, ToolCall, ToolResult
from tools.permission import Change


class CallState(StrEnum):
    """Where a call stands. Each value is also the key of a word on the screen."""

    ASSEMBLING = "assembling"
    COMPLETE = "complete"
    WAITING = "waiting"
    """For the person's permission."""
    RUNNING = "running"
    ANSWERED = "answered"
    FAILED = "failed"
    BROKEN = "broken"
    CUT = "cut"
    CANCELLED = "cancelled"
    UNANSWERED = "unanswered"
    """A stored call that has no result, because the program ended."""


OPEN = frozenset({CallState.ASSEMBLING, CallState.COMPLETE, CallState.WAITING, CallState.RUNNING})
"""The states that something can still follow."""


@dataclass(slots=True)
class Times:
    """When things happened to a call before it ran, in seconds since 1970; None: not, or unknown.

    Its first event came, its arguments were whole, the person was asked, and had answered.
    """

    opened: float | None = None
    whole: float | None = None
    asked: float | None = None
    settled: float | None = None


class CallKey(NamedTuple):
    """Names one view in its message, and orders it. A new attempt, or a message that the
    provider starts over, is a new `take`: its calls never mix with those of the one before."""

    round: int
    take: int
    key: int


@dataclass(slots=True)
class CallView:
    """One call as far as it is known. `revision` rises with each change.

    `spans[i]` is the wire event that brought fragment `i`; `first` and `last` are the events
    that opened the call and that changed it last. `wire` is None for a stored call. `place` is
    the call's place among those that ran, None before that is known. `change` is what a write
    asked permission for, `ground` how that was settled; `started` and `ended` are seconds since
    1970, `times` has the moments before that. `attempt` says which attempt at its round brought
    the call (0 for a stored one), `overdue` that a write takes longer than its limit.
    """

    key: CallKey
    origin: Origin
    envelope: str
    return_address: str
    wire: WireLog | None = None
    name: str = ""
    call_id: str = ""
    arguments: GrowingText = field(default_factory=GrowingText)
    spans: list[Span] = field(default_factory=list)
    first: Span = NOWHERE
    last: Span = NOWHERE
    state: CallState = CallState.ASSEMBLING
    whole: bool = False
    call: AnyCall | None = None
    place: int | None = None
    result: ToolResult | None = None
    change: Change | None = None
    ground: Ground | None = None
    times: Times = field(default_factory=Times)
    started: float | None = None
    ended: float | None = None
    attempt: int = 0
    overdue: bool = False
    revision: int = 0

    @property
    def round(self) -> int:
        return self.key.round

    @property
    def fragments(self) -> int:
        """How many pieces the arguments came in; 0 for a stored call."""
        return len(self.spans)

    @property
    def torn(self) -> bool:
        """The arguments end where the stream was cut, and nothing of the call ran."""
        return not self.whole and self.state in (CallState.CUT, CallState.CANCELLED)

    @property
    def reason(self) -> str:
        """Why a finished call cannot be used, in technical words; "" for a usable one."""
        return self.call.reason if isinstance(self.call, BrokenCall) else ""

    @property
    def seconds(self) -> float | None:
        return self.result.seconds if self.result else None

    def _add_fragment(self, text: str, span: Span) -> None:
        self.arguments.add(text)
        self.spans.append(span)

    def _finish(
        self, call: AnyCall, state: CallState, span: Span, now: float | None = None
    ) -> None:
        self.call, self.state, self.whole, self.times.whole = call, state, True, now
        self.name, self.call_id = call.name or self.name, call.call_id or self.call_id
        if not self.arguments.pieces:
            self._add_fragment(_argument_text(call), span)

    def _wait(self, change: Change, now: float) -> None:
        self.change, self.state, self.times.asked = change, CallState.WAITING, now
        self.revision += 1

    def _settle(self, ground: Ground, now: float) -> None:
        self.ground, self.times.settled = ground, now
        if self.state is CallState.WAITING:
            self.state = CallState.COMPLETE
        self.revision += 1

    def _run(self, now: float) -> None:
        self.state, self.started = CallState.RUNNING, now
        self.revision += 1

    def _drag(self) -> None:
        self.overdue = True
        self.revision += 1

    def _leave(self) -> None:
        self.result, self.state = None, CallState.UNANSWERED
        self.revision += 1

    def _answer(self, result: ToolResult, now: float | None = None) -> None:
        self.result, self.ended = result, now
        self.state = _state_of(result)
        self.revision += 1


class CallBoard:
    """All calls of one message, over its rounds and attempts, in order. `now` gives seconds since
    1970."""

    def __init__(self, now: Callable[[], float] = time.time) -> None:
        self._now = now
        self._attempt = 0
        self._views: dict[CallKey, CallView] = {}
        self._order: list[CallKey] = []
        self._round = RoundStarted(0, Origin("", "", ""), "", "")
        self._take = 0
        self._wire: WireLog | None = None
        self._placed: dict[int, CallView] = {}

    def __getitem__(self, key: CallKey) -> CallView:
        return self._views[key]

    def __len__(self) -> int:
        return len(self._order)

    @property
    def views(self) -> list[CallView]:
        """Every view, in the order of rounds, takes and places."""
        return [self._views[key] for key in self._order]

    @property
    def standing(self) -> list[CallView]:
        """The views that count: not those whose stream was cut."""
        return [view for view in self.views if view.state is not CallState.CUT]

    @property
    def complete(self) -> int:
        """How many standing calls have all their arguments."""
        return sum(view.whole for view in self.standing)

    def apply(self, event: Event) -> set[CallKey]:
        """Take the next event; gives the keys of the views that it made or changed."""
        match event:
            case RoundStarted():
                self._round, self._take, self._placed, self._wire = event, 0, {}, None
                self._attempt = 0
            case AttemptStarted(number=number):
                self._take, self._wire, self._attempt = self._take + 1, WireLog(), number
            case Received(data=data, parts=parts):
                if self._wire is not None:
                    self._wire.add(data)
                return {key for part in parts for key in self._take_part(part)}
            case Withdrawn():
                return self._close(CallState.CUT)
            case AnswerEnded(turn=turn):
                return self._settle(turn.calls)
            case Resumed(number=number, turn=turn, results=results):
                return self._tell_stored(number, turn, results)
            case PermissionAsked(place=place, change=change) if view := self._placed.get(place):
                view._wait(change, self._now())
                return {view.key}
            case PermissionSettled(place=place, ground=ground) if view := self._placed.get(place):
                view._settle(ground, self._now())
                return {view.key}
            case CallRunning(place=place) if view := self._placed.get(place):
                view._run(self._now())
                return {view.key}
            case CallOverdue(place=place) if view := self._placed.get(place):
                view._drag()
                return {view.key}
            case CallAnswered(place=place, result=result) if view := self._placed.get(place):
                view._answer(result, self._now())
                return {view.key}
            case Done(ending=ending):
                return self._end(cut=ending is Ending.FAILED)
            case _:
                pass
        return set()

    def _take_part(self, part: Part) -> set[CallKey]:
        match part:
            case CallStarted(key=key) | CallNamed(key=key):
                view = self._view(key, part.span)
                view.name, view.call_id = part.name, part.call_id
            case CallFragment(key=key, text=text):
                view = self._view(key, part.span)
                view._add_fragment(text, part.span)
            case CallCompleted(key=key, call=call):
                view = self._view(key, part.span)
                view._finish(call, CallState.COMPLETE, part.span, self._now())
            case CallBroken(key=key):
                view = self._view(key, part.span)
                provider = self._round.origin.provider
                broken = BrokenCall(part.name, part.raw, part.reason, provider, part.call_id)
                view._finish(broken, CallState.BROKEN, part.span, self._now())
            case Restarted():
                changed = self._close(CallState.CUT)
                self._take += 1
                return changed
            case StreamFailed():
                return self._close(CallState.CUT)
            case _:
                return set()
        view.last = part.span
        view.revision += 1
        return {view.key}

    def _view(self, key: int, span: Span = NOWHERE) -> CallView:
        at = CallKey(self._round.number, self._take, key)
        if at not in self._views:
            about = self._round
            self._views[at] = CallView(
                at,
                about.origin,
                about.envelope,
                about.return_address,
                self._wire,
                first=span,
                attempt=self._attempt,
                times=Times(opened=self._now() if self._wire is not None else None),
            )
            insort(self._order, at)
        return self._views[at]

    def _tell_stored(
        self, number: int, turn: AssistantTurn, results: Mapping[int, ToolResult]
    ) -> set[CallKey]:
        """A round that came before: its calls have no wire, no fragments and no times."""
        self.apply(RoundStarted(number, turn.origin, *_words_of(turn.origin)))
        changed = self._settle(turn.calls)
        for view in self._current():
            view.spans.clear()
            changed.add(view.key)
        for place, result in results.items():
            self._placed[place]._answer(result)
        return changed

    def leave(self, places: Collection[int]) -> None:
        """The newest answer's calls at these places have no result, and nothing is at them."""
        for place in places:
            self._placed[place]._leave()

    def _current(self) -> list[CallView]:
        """The views of this round's take."""
        now = (self._round.number, self._take)
        return [view for key, view in self._views.items() if key[:2] == now]

    def _settle(self, calls: Sequence[AnyCall]) -> set[CallKey]:
        """The answer is whole: give its calls their places; what is not among them was cut."""
        unplaced: defaultdict[str, deque[CallView]] = defaultdict(deque)
        for view in sorted(self._current(), key=lambda view: view.key):
            unplaced[view.call_id].append(view)
        for place, call in enumerate(calls):
            same_id = unplaced[call.call_id]
            view = same_id.popleft() if same_id else self._view(self._next_key())
            if not view.whole:
                broken = isinstance(call, BrokenCall)
                view._finish(call, CallState.BROKEN if broken else CallState.COMPLETE, view.last)
            view.place = place
            self._placed[place] = view
        return self._close(CallState.CUT, among=[v for left in unplaced.values() for v in left])

    def _next_key(self) -> int:
        return max((view.key.key for view in self._current()), default=-1) + 1

    def _end(self, *, cut: bool) -> set[CallKey]:
        """The message is over. A call that had its place may have begun to run: it was cancelled,
        whatever ended the message; `cut` is for those that were still candidates."""
        placed = [view for view in self._current() if view.place is not None]
        ended = self._close(CallState.CANCELLED, among=placed)
        return ended | self._close(CallState.CUT if cut else CallState.CANCELLED)

    def _close(self, state: CallState, among: Iterable[CallView] | None = None) -> set[CallKey]:
        """Nothing follows for these views (by default this take's): the open ones end so."""
        changed = set()
        for view in self._current() if among is None else among:
            unanswered = view.state is CallState.BROKEN and view.result is None
            if view.state in OPEN or unanswered:
                view.state = state
                view.revision += 1
                changed.add(view.key)
        return changed


def _words_of(origin: Origin) -> tuple[str, str]:
    """The envelope and the return address of a dialect; of one that we do not speak, nothing."""
    from providers.dialects import dialect

    try:
        spoken = dialect(origin.dialect)
    except ValueError:
        return "", ""
    return spoken.envelope, spoken.return_address


def _state_of(result: ToolResult) -> CallState:
    match result.error:
        case None:
            return CallState.ANSWERED
        case error if error.kind is ErrorKind.BROKEN_CALL:
            return CallState.BROKEN
        case error if error.kind is ErrorKind.CANCELLED:
            return CallState.CANCELLED
        case _:
            return CallState.FAILED


def _argument_text(call: AnyCall) -> str:
    match call:
        case ToolCall(args=args):
            return json.dumps(args, ensure_ascii=False, default=str)
        case BrokenCall(raw=raw):
            return raw
