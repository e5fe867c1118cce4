"""Is what was seen in a cell of the matrix what a correct client does?"""

from __future__ import annotations

from app.coming_back import come_back
from app.events import Done, Ending
from app.messages import LANGUAGES, Messages
from app.tui import notices
from providers.faults import Fails, Sight
from providers.retry import RetryPolicy
from tests.fault_matrix import Cell, Seen

POLICY = RetryPolicy()

DATED = ("status-429-date",)
"""A date has whole seconds, and some time passes until it is read."""


def complaints(cell: Cell, seen: Seen, healthy: str) -> list[str]:
    """What a correct client would have done otherwise; nothing when all is well. `healthy` is the
    answer's text when nothing goes wrong."""
    wrong = _of_outcome(cell, seen, healthy)
    if len(seen.kinds) > POLICY.attempts:
        wrong.append(f"failed {len(seen.kinds)} times")
    if seen.asked != len(seen.kinds) + seen.rounds:
        wrong.append(f"{seen.asked} requests for {seen.rounds} answers")
    if not seen.history_valid:
        wrong.append("the history is not valid")
    if seen.refused_by:
        wrong.append(f"the history is refused by {seen.refused_by}")
    if not seen.goes_on:
        wrong.append("the next message is not answered")
    return wrong


def _of_outcome(cell: Cell, seen: Seen, healthy: str) -> list[str]:
    match cell.outcome:
        case Fails() as outcome:
            return _of_failure(cell, outcome, seen, healthy)
        case Sight.BROKEN:
            return _of_broken_calls(cell, seen) + _of_words(cell, seen, healthy)
        case Sight.WHOLE:
            return _of_calls(cell, seen) + _of_words(cell, seen, healthy) + _of_no_failure(seen)
        case Sight.UNSEEN:
            strange = set(seen.ran) - set(cell.wanted)
            return [f"ran {seen.ran}"] * bool(strange) + _of_ending(seen) + _of_no_failure(seen)


def _of_failure(cell: Cell, outcome: Fails, seen: Seen, healthy: str) -> list[str]:
    patient = outcome.passes and (outcome.wait or 0) <= POLICY.patience
    recovers = patient and cell.times is not None
    failures = (cell.times or POLICY.attempts) if patient else 1
    wrong = []
    if seen.kinds != (outcome.kind,) * failures:
        wrong.append(f"failed as {seen.kinds}")
    wrong += _of_waits(cell, outcome, seen, failures if recovers else failures - 1)
    if recovers:
        return wrong + _of_calls(cell, seen) + _of_words(cell, seen, healthy)
    if seen.ran != (cell.wanted if cell.spared else ()):
        wrong.append(f"ran {seen.ran}")
    if seen.done.ending is not Ending.FAILED:
        return [*wrong, f"ended {seen.done}"]
    return wrong + of_sentences(seen.done)


def _of_waits(cell: Cell, outcome: Fails, seen: Seen, number: int) -> list[str]:
    """The waits that the server asked for, or else ours."""
    ours = [POLICY.first_wait * 2**n for n in range(number)]
    expected = ours if outcome.wait is None else [outcome.wait] * number
    slack = 2.0 if cell.fault.name in DATED else 1e-6
    close = len(seen.waits) == number and all(
        wanted - slack <= waited <= wanted + 1e-6
        for waited, wanted in zip(seen.waits, expected, strict=True)
    )
    return [] if close else [f"waited {seen.waits}, not {expected}"]


def _of_calls(cell: Cell, seen: Seen) -> list[str]:
    """Each call that the model wanted ran once, in its order."""
    return [] if seen.ran == cell.wanted else [f"ran {seen.ran}"]


def _of_broken_calls(cell: Cell, seen: Seen) -> list[str]:
    """The model heard of it and asked again: each call that it wanted ran once, and none else."""
    wrong = _of_no_failure(seen)
    if set(seen.errors) != {"broken_call"}:
        wrong.append(f"the model was told {seen.errors}")
    if sorted(seen.ran) != sorted(cell.wanted):
        wrong.append(f"ran {seen.ran}")
    return wrong


def _of_words(cell: Cell, seen: Seen, healthy: str) -> list[str]:
    """The answer's end. Where a fault may strike words unseen, no client can have them right."""
    unseen = cell.fault.in_words is Sight.UNSEEN and cell.times is None
    wrong = _of_ending(seen)
    if not unseen and seen.text != healthy:
        wrong.append(f"said {seen.text!r}, not {healthy!r}")
    return wrong


def _of_ending(seen: Seen) -> list[str]:
    return [] if seen.done.ending is Ending.ANSWERED else [f"ended {seen.done}"]


def _of_no_failure(seen: Seen) -> list[str]:
    return [f"failed as {seen.kinds}"] if seen.kinds else []


def of_sentences(done: Done) -> list[str]:
    """What the person reads: in their language, with the reference, and nothing technical."""
    said = {language: _sentence(done, language) for language in LANGUAGES}
    wrong = [] if len(set(said.values())) == len(said) else [f"not in each language: {said}"]
    patient = done.failure is None or (done.failure.wait or 0) <= POLICY.patience
    for language, words in said.items():
        if not patient and come_back(done.failure, Messages(language)) not in words:
            wrong.append(f"does not say in {language} when to come back")
        if not done.reference or done.reference not in words:
            wrong.append(f"no reference in {language}: {words!r}")
        wrong += [f"{secret!r} in {language}" for secret in _technical(done) if secret in words]
    return wrong


def _sentence(done: Done, language: str) -> str:
    lines = notices.ending(done, Messages(language)) or ()
    return "\n".join("".join(text for text, _ in line) for line in lines)


def _technical(done: Done) -> list[str]:
    failure = done.failure
    if failure is None:
        return ["fallback", "chat."]
    own = [str(failure.status or ""), failure.code, failure.message, failure.body]
    return ["fallback", "chat.", "{", *filter(None, own)]
