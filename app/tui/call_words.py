"""What does one line say about a round's calls? For the chat and for the strip of small screens."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rich.cells import cell_len

from app.call_views import OPEN, CallState, CallView
from app.messages import Messages
from app.tui.widgets.call_card import mark, value_pieces
from app.tui.wrap import clip
from tools.call import AnyCall, ErrorKind, ToolResult

Words = list[tuple[str, str]]
LONGEST = 28
GAP = ("   ", "ink")

_STYLES = {
    CallState.ASSEMBLING: "voice",
    CallState.COMPLETE: "done",
    CallState.WAITING: "waiting",
    CallState.RUNNING: "waiting",
    CallState.ANSWERED: "done",
    CallState.CANCELLED: "dim",
    CallState.UNANSWERED: "waiting",
}
"""The palette's names; `failed` for all others."""

_WORDED = {
    CallState.WAITING,
    CallState.FAILED,
    CallState.BROKEN,
    CallState.CANCELLED,
    CallState.UNANSWERED,
}
"""The states that a glyph and a name alone do not tell."""


@dataclass(frozen=True, slots=True)
class CallBrief:
    """A call in a word or two: its name while it is at work, its value when it has one that can
    be said so shortly, what hindered it when something did."""

    name: str
    state: CallState
    value: str = ""
    hindrance: ErrorKind | None = None


def brief_of_view(view: CallView) -> CallBrief:
    """A call of the message at work."""
    return CallBrief(view.name, view.state, _value(view.result), _hindrance(view.result))


def brief_of_call(call: AnyCall, result: ToolResult | None) -> CallBrief:
    """A stored call and its result."""
    match result:
        case None:
            state = CallState.UNANSWERED
        case ToolResult(error=None):
            state = CallState.ANSWERED
        case ToolResult(error=error) if error is not None and error.kind is ErrorKind.CANCELLED:
            state = CallState.CANCELLED
        case _:
            state = CallState.FAILED
    return CallBrief(call.name, state, _value(result), _hindrance(result))


def summary(briefs: Sequence[CallBrief], messages: Messages) -> Words:
    """`▸ 2 calls   ✓ 170 cm   … lookup_demo_value`, in words and styles."""
    words: Words = [("▸ ", "dim"), (messages.plural("chat.calls", len(briefs)), "ink")]
    return words + [word for brief in briefs for word in _words(brief, messages)]


def strip_words(briefs: Iterable[CallBrief], messages: Messages, width: int) -> Words:
    """The calls that are at work, else all: as many as fit in `width` cells, then `+3`."""
    known = list(briefs)
    shown = [brief for brief in known if brief.state in OPEN] or known
    words: Words = []
    for place, brief in enumerate(shown):
        left = len(shown) - place
        more = [GAP, (f"+{left}", "dim")]
        longer = words + _words(brief, messages)[0 if place else 1 :]
        if place and _cells(longer + more if left > 1 else longer) > width:
            return words + more
        words = longer
    return words


def _cells(words: Words) -> int:
    return sum(cell_len(text) for text, _ in words)


def _words(brief: CallBrief, messages: Messages) -> Words:
    sign, style = mark(brief.state).text, _STYLES.get(brief.state, "failed")
    name = clip(brief.name or "…", LONGEST)
    match brief.state:
        case CallState.ANSWERED:
            return [GAP, (f"{sign} ", style), (brief.value or name, style)]
        case CallState.CUT:
            return [GAP, (f"{sign} ", style), (messages("chat.call_cut"), style)]
        case CallState.FAILED if brief.hindrance is not None:
            word = messages(f"panel.error.{brief.hindrance.value}")
            return [GAP, (f"{sign} ", style), (f"{name}: {word}", style)]
        case state if state in _WORDED:
            word = messages(f"panel.state.{brief.state.value}")
            return [GAP, (f"{sign} ", style), (f"{name} {word}", style)]
        case _:
            return [GAP, (f"{sign} ", style), (name, style)]


def _value(result: ToolResult | None) -> str:
    if result is None or result.error is not None:
        return ""
    text = "".join(piece.text for piece in value_pieces(result))
    if text.startswith(("{", "[")):
        return ""  # the card shows it; here the tool's name says more
    return clip(text.replace("\n", " "), LONGEST)


def _hindrance(result: ToolResult | None) -> ErrorKind | None:
    return result.error.kind if result is not None and result.error is not None else None
