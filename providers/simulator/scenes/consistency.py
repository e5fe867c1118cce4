"""Do the parts of a scene agree? Languages, faults, calls and the results that are spoken of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite

from pydantic import JsonValue

from providers.faults import FAULTS, FaultPlan, UnknownFault
from providers.simulator.models import SERVED
from providers.simulator.scenes.filling import placeholders
from providers.simulator.scenes.problems import Wanted
from providers.simulator.scenes.scene import Call, Language, Scene, Step, Strike
from providers.simulator.scenes.toml_lines import Path


@dataclass(frozen=True, slots=True)
class Finding:
    """What is wrong at a place of the scene."""

    path: Path
    wanted: Wanted
    got: str = ""
    choices: Sequence[str] = ()


def findings(scene: Scene) -> Iterator[Finding]:
    """All that does not agree, from the file's start to its end."""
    yield from _spoken(("summary",), scene.summary, scene)
    if scene.model is not None and scene.model not in SERVED:
        yield Finding(("model",), Wanted.ONE_OF, scene.model, tuple(SERVED))
    for place, turn in enumerate(scene.turns):
        path: Path = ("turns", place)
        yield from _spoken((*path, "message"), turn.message, scene)
        if turn.hears and turn.message is None:
            yield from _spoken((*path, "hears"), turn.hears, scene)
        earlier: list[str] = []
        for number, step in enumerate(turn.steps):
            here = (*path, "steps", number)
            yield from _of_step(here, step, scene, earlier)
            yield from _of_place(here, step, last=number == len(turn.steps) - 1)
            earlier += [call.name for call in step.calls]


def _spoken(path: Path, texts: Mapping[Language, object] | None, scene: Scene) -> Iterator[Finding]:
    """Whoever begins to speak a language goes on in it."""
    if texts is None:
        return
    missing = [name for name in scene.languages if name not in texts]
    if missing:
        yield Finding(path, Wanted.ALL_LANGUAGES, ", ".join(texts), missing)


def _of_place(path: Path, step: Step, *, last: bool) -> Iterator[Finding]:
    """A step before the last one calls; the last one speaks and does not call."""
    if last and step.calls:
        yield Finding((*path, "calls"), Wanted.NO_CALLS_AT_END)
    if last and step.text is None:
        yield Finding(path, Wanted.WORDS_AT_END)
    if not last and not step.calls:
        yield Finding(path, Wanted.CALLS_BEFORE_END)


def _of_step(path: Path, step: Step, scene: Scene, earlier: Sequence[str]) -> Iterator[Finding]:
    for name in ("text", "reasoning", "refused", "failed"):
        texts: Mapping[Language, str] | None = getattr(step, name)
        yield from _spoken((*path, name), texts, scene)
        for language, text in (texts or {}).items():
            yield from _speaks_of((*path, name, language), text, earlier)
    for name in ("values", "errors"):
        for place, wanted in enumerate(getattr(step.expects, name)):
            if wanted not in earlier:
                here = (*path, "expects", name, place)
                yield Finding(here, Wanted.EARLIER_CALL, wanted, tuple(earlier))
    names = [*earlier]
    for place, call in enumerate(step.calls):
        here = (*path, "calls", place)
        yield from _of_call(here, call, names)
        yield from _speaks_of((*here, "arguments"), call.arguments, earlier)
        names.append(call.name)
    for place, strike in enumerate(step.faults):
        yield from _of_strike((*path, "faults", place, "fault"), strike)


def _of_call(path: Path, call: Call, names: Sequence[str]) -> Iterator[Finding]:
    if call.name in names:
        yield Finding((*path, "as" if call.as_ else "tool"), Wanted.OWN_NAME, call.name)
    if call.raw is not None and call.arguments:
        yield Finding((*path, "raw"), Wanted.ARGUMENTS_OR_RAW, call.raw)
    for number in _numbers(call.arguments):
        if not isfinite(number):
            yield Finding((*path, "arguments"), Wanted.JSON, str(number))


def _numbers(value: JsonValue) -> Iterator[float]:
    match value:
        case float():
            yield value
        case list():
            for item in value:
                yield from _numbers(item)
        case dict():
            for item in value.values():
                yield from _numbers(item)
        case _:
            pass


def _speaks_of(path: Path, value: JsonValue, earlier: Sequence[str]) -> Iterator[Finding]:
    """A result can be spoken of once its call was made, in a step before."""
    for place in placeholders(value):
        if place.split(".")[0] not in earlier:
            yield Finding(path, Wanted.EARLIER_CALL, f"{{{place}}}", tuple(earlier))


def _of_strike(path: Path, strike: Strike) -> Iterator[Finding]:
    try:
        FaultPlan.read(strike.fault)
    except UnknownFault as unknown:
        yield Finding(path, Wanted.FAULT, unknown.wanted, tuple(FAULTS))
