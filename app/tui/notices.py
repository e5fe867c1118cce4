"""Which words does the person read when there is no answer, or not yet? Never a provider's own."""

from __future__ import annotations

from collections.abc import Sequence

from app.coming_back import come_back
from app.events import Done, Ending, Waiting
from app.messages import Messages
from app.pending import Pending
from app.settings_file import SettingsProblem
from app.tui.actions import ACTIONS
from app.tui.figures import count_text
from app.tui.tool_words import choice_words
from providers.catalogue import CatalogueError, KeyMissing, ModelMissing, SceneUnplayable
from providers.failures import FailureKind
from providers.parts import Stop
from providers.request import ToolChoice

Lines = Sequence[Sequence[tuple[str, str]]]
"""Lines of texts with the names of their styles in the palette."""

_KEYS = {action.name: action for action in ACTIONS}

_WAITING_WORDS = {
    FailureKind.CUT: "chat.waiting.cut",
    FailureKind.RATE_LIMIT: "chat.waiting.busy",
    FailureKind.OVERLOADED: "chat.waiting.busy",
    FailureKind.NETWORK: "chat.waiting.network",
    FailureKind.TIMEOUT: "chat.waiting.timeout",
}
_FAILED_WORDS = {
    FailureKind.AUTH: "chat.failed.key",
    FailureKind.PERMISSION: "chat.failed.key",
    FailureKind.QUOTA: "chat.failed.quota",
    FailureKind.NETWORK: "chat.failed.network",
    FailureKind.NOT_FOUND: "chat.failed.model",
    FailureKind.TOO_LONG: "chat.failed.long",
}


def silence(seconds: float, messages: Messages) -> Lines:
    """Nothing has come for a while."""
    said = messages("chat.silence", seconds=count_text(int(seconds), messages))
    return [[(said, "dim")], keys(("stop",), messages)]


def waiting(event: Waiting, messages: Messages) -> Lines:
    """What happened and when the next attempt begins."""
    what = messages(_WAITING_WORDS.get(event.failure.kind, "chat.waiting.other"))
    seconds = max(round(event.seconds), 1)
    when = messages.plural("chat.waiting.again", seconds, attempt=event.attempt, limit=event.limit)
    return [[(what, "ink")], [(when, "waiting")], keys(("stop", "provider"), messages)]


def withdrawn(messages: Messages) -> Lines:
    """A part of an answer was taken back."""
    return [[(messages("chat.withdrawn"), "dim")]]


def choice_ignored(choice: ToolChoice, messages: Messages) -> Lines:
    """The model did not call what it had to, or called although it was not to."""
    said = messages("chat.choice_ignored", choice=choice_words(choice, messages))
    return [[(said, "ink")], keys(("tool_choice",), messages)]


def unusual_stop(stop: Stop, messages: Messages) -> Lines | None:
    """Why an answer is not what one expects; None for an ordinary end."""
    if stop in (Stop.LENGTH, Stop.REFUSED, Stop.FILTERED):
        return [[(messages(f"chat.stop.{stop.value}"), "ink")]]
    return None


def ending(done: Done, messages: Messages) -> Lines | None:
    """What is said when a message is over; None when it was answered."""
    match done.ending:
        case Ending.ANSWERED:
            return None
        case Ending.STOPPED:
            return [[(messages("chat.stopped"), "dim")]]
        case Ending.FAILED:
            return _failed(done, messages)
        case Ending.NOT_KEPT:
            said = [(messages("chat.ended.not_kept"), "ink")]
            return [said, _code(done, messages), keys(("retry",), messages)]
        case other:
            sentence = messages(f"chat.ended.{other.value}")
            return [[(sentence, "ink")], keys(("retry", "provider"), messages)]


def unfinished(pending: Pending | None, messages: Messages) -> Lines:
    """The program ended before a stored message had its answer: what stands, and how to go on."""
    lines: list[list[tuple[str, str]]] = [[(messages("chat.unfinished"), "ink")]]
    if pending is not None:
        total, done = len(pending.turn.calls), len(pending.results)
        lines.append([(messages.plural("chat.unfinished.calls", total, done=done), "waiting")])
    lines.append([(messages("chat.unfinished.safe"), "dim")])
    return [*lines, keys(("resume",), messages)]


def mistake(problem: SettingsProblem, messages: Messages) -> Lines:
    """Something in the settings is not as it should be."""
    return [[(problem.describe(messages), "ink")]]


def cannot_ask(error: CatalogueError, messages: Messages) -> Lines:
    """The provider lacks something that only the person can give."""
    match error:
        case KeyMissing():
            sentence = messages("chat.setup.key")
        case ModelMissing():
            sentence = messages("chat.setup.model")
        case SceneUnplayable():
            sentence = messages("chat.setup.scene")
        case _:
            sentence = messages("chat.setup.other")
    return [[(sentence, "ink")], keys(("provider",), messages)]


def keys(names: Sequence[str], messages: Messages) -> list[tuple[str, str]]:
    """`^R try again   ^O provider`."""
    words: list[tuple[str, str]] = []
    for name in names:
        action = _KEYS[name]
        gap = "   " if words else ""
        words += [(f"{gap}{action.key_shown}", "ink"), (f" {messages(action.title)}", "dim")]
    return words


def _failed(done: Done, messages: Messages) -> Lines:
    kind = done.failure.kind if done.failure else None
    advice = messages(_FAILED_WORDS[kind]) if kind in _FAILED_WORDS else ""
    what_to_do = advice or come_back(done.failure, messages)
    facts = [(what_to_do + "   ", "dim")] if what_to_do else []
    if done.reference:
        facts += _code(done, messages)
    lines = [[(messages("fallback.no_answer"), "ink")], facts]
    return [*filter(None, lines), keys(("retry", "provider"), messages)]


def _code(done: Done, messages: Messages) -> list[tuple[str, str]]:
    """Under which code the diagnostics have the rest."""
    return [(messages("chat.code") + " ", "dim"), (done.reference, "strong")]
