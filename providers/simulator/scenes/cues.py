"""Which step of a scene is due? The conversation so far tells, whatever was played before."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from providers.simulator.conversation import AskedCall, Conversation, GivenResult
from providers.simulator.phrases import language_of, plain
from providers.simulator.scenes.scene import Language, Scene, Step, Turn, worded


@dataclass(frozen=True, slots=True)
class Cue:
    """Where the scene stands: `turn` and `number` count from 0. `given` has the results of all
    its calls so far by name, `latest` the names of the step before, `unanswered` those of them
    that no result came for."""

    turn: int
    number: int
    step: Step
    language: Language
    given: Mapping[str, GivenResult]
    latest: tuple[str, ...] = ()
    unanswered: tuple[str, ...] = ()


@dataclass(slots=True)
class _Round:
    """The calls of one answer, and the results that came for them."""

    asked: list[AskedCall] = field(default_factory=list)
    given: dict[str, GivenResult] = field(default_factory=dict)


def cue(scene: Scene, conversation: Conversation) -> Cue | None:
    """The step that comes next; None when no turn hears what the person says, or when all of the
    turn was played."""
    texts = conversation.user_texts
    heard = _turn(scene, texts[-1] if texts else "", language_of(texts).replace("_", "-"))
    if heard is None:
        return None
    turn, language = heard
    steps = scene.turns[turn].steps
    number = 0
    given: dict[str, GivenResult] = {}
    latest: tuple[str, ...] = ()
    unanswered: tuple[str, ...] = ()
    for one in _rounds(conversation):
        if number < len(steps) and _are_of(steps[number], one.asked):
            named = dict(_named(steps[number], one))
            given |= {name: result for name, result in named.items() if result is not None}
            latest = tuple(named)
            unanswered = tuple(name for name, result in named.items() if result is None)
            number += 1
    if number == len(steps):
        return None
    return Cue(turn, number, steps[number], language, given, latest, unanswered)


def _turn(scene: Scene, text: str, spoken: str) -> tuple[int, Language] | None:
    """The turn that hears a text, and the language in which it does: the one that is `spoken`
    where several would do. The turn whose phrase has most words is meant."""
    said = words(text)
    best: tuple[int, bool, int, Language] | None = None
    for place, turn in enumerate(scene.turns):
        for language in scene.languages:
            count = max((len(p) for p in _phrases(turn, language) if _heard(p, said)), default=-1)
            found = (count, language == spoken, -place, language)
            if count >= 0 and (best is None or found[:3] > best[:3]):
                best = found
    return None if best is None else (-best[2], best[3])


def _phrases(turn: Turn, language: Language) -> Iterator[Sequence[str]]:
    """The words of each phrase that a turn hears; the empty phrase is heard in any text."""
    if turn.message is None and not turn.hears:
        yield ()
    if turn.message is not None:
        yield words(worded(turn.message, language))
    for phrase in turn.hears.get(language, ()):
        yield words(phrase)


def words(text: str) -> list[str]:
    """The words of a text without case and accents."""
    return re.findall(r"\w+", plain(text))


def _heard(phrase: Sequence[str], said: Sequence[str]) -> bool:
    """Whether all words of a phrase come in what was said, in their order."""
    rest = iter(said)
    return all(word in rest for word in phrase)


def _rounds(conversation: Conversation) -> Iterator[_Round]:
    """The answers with calls since the person's last text."""
    current = _Round()
    for entry in conversation.turn:
        match entry:
            case AskedCall():
                if current.given:
                    yield current
                    current = _Round()
                current.asked.append(entry)
            case GivenResult(call_id=call_id):
                current.given.setdefault(call_id, entry)
            case _:
                pass
    if current.asked:
        yield current


def _are_of(step: Step, asked: Sequence[AskedCall]) -> bool:
    return Counter(call.name for call in asked) == Counter(call.tool for call in step.calls)


def _named(step: Step, one: _Round) -> Iterator[tuple[str, GivenResult | None]]:
    """The results of a step's calls: those of the same tool are told apart by their order."""
    left = list(one.asked)
    for call in step.calls:
        asked = next(entry for entry in left if entry.name == call.tool)
        left.remove(asked)
        yield call.name, one.given.get(asked.call_id)
