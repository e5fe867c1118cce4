"""The way of one call: assembled, checked, permitted, run, answered, each with its time.

Where the model mended a call, what it changed stands below. Lines only.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass

from app.call_views import CallState, CallView
from app.mending import Mend
from app.messages import Messages
from app.tui.figures import seconds_text, size_text
from app.tui.ink import Ink, Line, Piece, clip, fold, outside
from app.tui.widgets.mend_lines import mend_lines
from tools.call import ErrorKind

NAME_CELLS, TIME_CELLS = 12, 9
DONE, FAILED = Piece("✓", Ink.OK), Piece("✗", Ink.FAILED)
OPEN, NEVER = Piece("…", Ink.WAITING), Piece("–", Ink.DIM)
UNCHECKED = frozenset(
    {
        ErrorKind.UNKNOWN_TOOL,
        ErrorKind.INVALID_ARGUMENTS,
        ErrorKind.BROKEN_CALL,
        ErrorKind.TOO_MANY_CALLS,
    }
)
"""The errors of calls that did not pass the check."""
RAN = frozenset({ErrorKind.FAILED, ErrorKind.TIMED_OUT, ErrorKind.UNKNOWN_OUTCOME})
"""The errors of calls that had begun to run."""


@dataclass(frozen=True, slots=True)
class Step:
    """One step: how it went, when (seconds since 1970), and a few words."""

    name: str
    mark: Piece
    at: float | None = None
    words: str = ""


def journey_lines(view: CallView, mend: Mend | None, messages: Messages, width: int) -> list[Line]:
    """A heading, the five steps, and what was mended."""
    title = Piece(f"{messages('panel.journey')}  ", Ink.TITLE)
    begun = view.times.opened
    note = messages("journey.no_times")
    if begun is not None:
        note = messages("journey.begun", time=time.strftime("%H:%M:%S", time.localtime(begun)))
    lines = [clip([title, Piece(note, Ink.DIM)], width), ()]
    for step in steps(view, messages):
        lines += _step_lines(step, begun, messages, width)
    if mend is not None:
        lines += [(), *mend_lines(mend, view, messages, width)]
    return lines


def steps(view: CallView, messages: Messages) -> Iterator[Step]:
    """The five steps of a call, as far as it has come."""
    yield _assembled(view, messages)
    yield _checked(view, messages)
    yield _permitted(view, messages)
    yield _run(view, messages)
    yield _answered(view, messages)


def _assembled(view: CallView, messages: Messages) -> Step:
    size = size_text(view.arguments.bytes, messages)
    words = size
    if view.fragments:
        words = f"{messages.plural('panel.fragments', view.fragments)} · {size}"
    match view:
        case CallView(whole=True):
            return Step("assembled", DONE, view.times.whole, words)
        case CallView(state=CallState.ASSEMBLING):
            return Step("assembled", OPEN, None, words)
        case _:
            torn = messages("panel.state.cut")
            return Step("assembled", FAILED, None, f"{torn} · {words}")


def _checked(view: CallView, messages: Messages) -> Step:
    kind = _error_kind(view)
    at = view.times.asked or view.times.settled or view.started or view.ended
    if kind in UNCHECKED:
        return Step("checked", FAILED, view.ended, messages(f"panel.error.{kind.value}"))
    if view.result is None and at is None:
        return Step("checked", _ahead(view))
    if kind is ErrorKind.CANCELLED and view.started is None and view.times.asked is None:
        return Step("checked", NEVER)
    return Step("checked", DONE, at, messages("journey.fits"))


def _permitted(view: CallView, messages: Messages) -> Step:
    if view.ground is not None:
        allowed = view.ground.value != "denied"
        word = messages(f"journey.ground.{view.ground.value}")
        return Step("permitted", DONE if allowed else FAILED, view.times.settled, word)
    if view.state is CallState.WAITING:
        return Step("permitted", OPEN, view.times.asked, messages("panel.state.waiting"))
    if view.started is not None and _error_kind(view) not in UNCHECKED:
        return Step("permitted", DONE, view.started, messages("journey.ground.read"))
    return Step("permitted", _ahead(view))


def _run(view: CallView, messages: Messages) -> Step:
    if view.state is CallState.RUNNING:
        return Step("run", OPEN, view.started, messages("panel.state.running"))
    if view.result is None:
        return Step("run", _ahead(view))
    kind = _error_kind(view)
    if kind in UNCHECKED or (view.started is None and kind is not None and kind not in RAN):
        return Step("run", NEVER, None, messages("panel.did_not_run"))
    if view.started is None and view.ended is not None:
        return Step("run", NEVER, None, messages("journey.known"))
    took = messages("journey.took", seconds=seconds_text(view.result.seconds, messages))
    failed = view.result.error is not None
    return Step("run", FAILED if failed else DONE, view.started, took)


def _answered(view: CallView, messages: Messages) -> Step:
    if view.result is None:
        note = messages("panel.no_result_due") if view.state is CallState.CUT else ""
        return Step("answered", _ahead(view), None, note)
    return Step("answered", DONE, view.ended, view.return_address)


def _error_kind(view: CallView) -> ErrorKind | None:
    return view.result.error.kind if view.result and view.result.error else None


def _ahead(view: CallView) -> Piece:
    """The mark of a step that has not come: it still may, or it never will."""
    over = view.state in (CallState.CUT, CallState.CANCELLED, CallState.UNANSWERED)
    return NEVER if over or view.result is not None else Piece("·", Ink.DIM)


def _step_lines(step: Step, begun: float | None, messages: Messages, width: int) -> list[Line]:
    name = messages(f"journey.{step.name}")
    when = ""
    if step.at is not None and begun is not None:
        when = f"+ {seconds_text(max(step.at - begun, 0), messages)}"
    ink = Ink.DIM if step.mark in (NEVER, Piece("·", Ink.DIM)) else Ink.TEXT
    head = (
        Piece(" "),
        step.mark,
        Piece(f" {name:<{NAME_CELLS}}", ink),
        Piece(f"{when:<{TIME_CELLS}} ", Ink.DIM),
    )
    beside = Piece(" " * (NAME_CELLS + TIME_CELLS + 4))
    room = max(width - NAME_CELLS - TIME_CELLS - 4, 10)
    first, *others = fold([outside(step.words, Ink.DIM)], room, words=True)
    return [(*head, *first), *((beside, *line) for line in others)]
