"""A scene as the simulator's brain: what its step says and calls, or why it cannot go on.

What the scene does not hear is answered by the simulator's own brain, so that a person on a stage
is never left without an answer; a scene may say instead that it did not understand.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from providers.simulator.brain import REFUSAL_WORDS, reply, searches
from providers.simulator.conversation import Conversation, GivenResult
from providers.simulator.pacing import Rhythm
from providers.simulator.performance import Performance
from providers.simulator.phrases import Phrases, language_of, languages
from providers.simulator.reading import compact
from providers.simulator.reply import Ask, Item, Reply
from providers.simulator.scenes.cues import Cue, cue
from providers.simulator.scenes.filling import MissingValueError, filled_text, filled_value
from providers.simulator.scenes.scene import Call, Pace, Scene, Worded, worded
from providers.simulator.scenes.strikes import Strikes, TooSoon


class Playing:
    """Plays one scene. `now` is the clock by which waits are measured, in seconds."""

    def __init__(self, scene: Scene, *, now: Callable[[], float] = time.monotonic) -> None:
        self.scene = scene
        self._strikes = Strikes(now)

    def perform(self, conversation: Conversation, *, thinks: bool) -> Performance:
        """The answer to a request."""
        due = cue(self.scene, conversation)
        if due is None or (conversation.forced and not due.step.calls):
            return Performance(self._unheard(conversation, thinks=thinks))
        phrases = languages()[due.language.replace("-", "_")]
        plan, early = self._strikes.plan(conversation, due.step.faults)
        sorry = _sorry(due, phrases)
        if unmet := _unmet(due, conversation, early, phrases, sorry=bool(sorry)):
            return Performance(Reply(()), unmet=unmet)
        if sorry:
            return Performance(Reply((sorry,)), _rhythm(self.scene.pace))
        said = _said(due, conversation, phrases, thinks=thinks)
        return Performance(said, _rhythm(due.step.pace or self.scene.pace), plan)

    def _unheard(self, conversation: Conversation, *, thinks: bool) -> Reply:
        if self.scene.unheard == "brain" or conversation.forced:
            return reply(conversation, thinks=thinks)
        language = language_of(conversation.user_texts)
        messages = (turn.message for turn in self.scene.turns if turn.message)
        heard = "\n".join(f"- {worded(message, language)}" for message in messages)
        return Reply((languages()[language].say("unheard", value=heard),))


def _rhythm(pace: Pace) -> Rhythm:
    return Rhythm(pace.fragments_per_second, pace.pause_before, pace.pause_between, pace.read_bytes)


def _said(due: Cue, conversation: Conversation, phrases: Phrases, *, thinks: bool) -> Reply:
    """What the step says, or what is said where it cannot be played as it was written."""
    step, language = due.step, due.language
    if missing := _missing(due, conversation):
        return Reply(tuple(_without(missing, conversation, phrases)))
    results = {name: result.text for name, result in due.given.items()}

    def filled(text: Worded | None) -> str:
        return filled_text(worded(text, language), results, phrases).strip() if text else ""

    try:
        asks = [Ask(call.tool, _arguments(call, results)) for call in step.calls]
        text = filled(step.text)
        thought = filled(step.reasoning) if thinks else ""
    except MissingValueError:
        return Reply((worded(step.failed, language) if step.failed else phrases.say("nothing"),))
    items: list[Item] = [text] if text else []
    return Reply((*items, *asks), thought)


def _arguments(call: Call, results: dict[str, str]) -> str:
    return call.raw if call.raw is not None else compact(filled_value(call.arguments, results))


def _sorry(due: Cue, phrases: Phrases) -> str:
    """What is said of the first call of the step before that gave no value although the story
    needs one; "" if all is well."""
    meant = due.step.expects.errors
    failed = next(((n, one) for n, one in _latest(due) if one.failed and n not in meant), None)
    if failed is None:
        return ""
    name, result = failed
    if any(words in result.text for words in REFUSAL_WORDS):
        said = due.step.refused
        return worded(said, due.language).strip() if said else phrases.say("refused")
    said = due.step.failed
    return worded(said, due.language).strip() if said else phrases.say("failed", tool=name)


def _latest(due: Cue) -> Iterator[tuple[str, GivenResult]]:
    return ((name, due.given[name]) for name in due.latest if name in due.given)


def _missing(due: Cue, conversation: Conversation) -> list[str]:
    """The tools of the step that may not be called now."""
    offered = {tool.name for tool in conversation.tools}
    return [call.tool for call in due.step.calls if call.tool not in offered]


def _without(missing: list[str], conversation: Conversation, phrases: Phrases) -> Iterator[Item]:
    """A search for the tools that are missing, where the client sends only some; else a word."""
    found = searches(conversation, missing)
    yield from found
    if not found:
        yield phrases.say("unoffered", tool=missing[0])


def _unmet(
    due: Cue, conversation: Conversation, early: TooSoon | None, phrases: Phrases, *, sorry: bool
) -> str:
    """What the client should have done otherwise; "" when all is well. After a no of the person's
    (`sorry`) no error is demanded any more."""
    where = phrases.say("step", turn=str(due.turn + 1), step=str(due.number + 1))
    expects = due.step.expects
    if early is not None:
        wanted, waited = f"{early.wanted:g}", f"{early.waited:.2f}"
        return phrases.say("expected_wait", step=where, wanted=wanted, got=waited)
    if due.unanswered:
        return phrases.say("expected_result", step=where, call=due.unanswered[0])
    for name, result in _latest(due):
        if name in expects.values and result.failed:
            return phrases.say("expected_value", step=where, call=name)
        if name in expects.errors and not result.failed and not sorry:
            return phrases.say("expected_error", step=where, call=name)
    choice = _choice(conversation)
    if expects.tool_choice is not None and expects.tool_choice != choice:
        wanted = expects.tool_choice
        return phrases.say("expected_choice", step=where, wanted=wanted, got=choice)
    return ""


def _choice(conversation: Conversation) -> str:
    """The tool choice as the request has it, as far as it shows."""
    match conversation.tools:
        case ():
            return "none"
        case (only,) if conversation.forced:
            return only.name
        case _:
            return "required" if conversation.forced else "auto"
