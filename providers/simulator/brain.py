"""What does the model say next in this conversation?

It plans the person's wishes as calls, reads how the calls of this turn went, makes those that are
left, writes a call with a mistake once more, and then says what the results say.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field

from providers.simulator.answers import say_result
from providers.simulator.conversation import (
    AskedCall,
    Conversation,
    GivenResult,
    OfferedTool,
)
from providers.simulator.hearing import chat_subject, wishes
from providers.simulator.performance import Performance
from providers.simulator.phrases import Phrases, language_of, languages
from providers.simulator.reading import compact, member, objects
from providers.simulator.reply import Ask, Item, Reply
from providers.simulator.wish import Wish

_MISTAKE_WORDS = ("json", "argument", "invalid")
REFUSAL_WORDS = ("did not allow", "not permitted")
"""In a result of a call that the person did not permit."""
_FINDER = "find_tools"
"""A tool that brings in others, where a client sends only some of them."""
_FILE_SUBJECTS = ("notes", "files", "search", "file")
_EXAMPLES = {"integer": 1, "number": 1, "boolean": True, "array": [], "object": {}}


@dataclass(slots=True, eq=False)
class _Progress:
    """How one wish fares in this turn."""

    wish: Wish
    tries: int = 0
    result: GivenResult | None = None

    @property
    def done(self) -> bool:
        return self.result is not None and not self.result.failed

    @property
    def mendable(self) -> bool:
        """Whether the model should try once more: the mistake was in its own call."""
        if self.result is None or not self.result.failed or self.tries != 1:
            return False
        said = self.result.text.lower()
        return any(word in said for word in _MISTAKE_WORDS)


@dataclass(slots=True)
class _Plan:
    """All wishes of the turn, and the results, with their tools, of calls that none asked for."""

    steps: list[_Progress]
    others: list[tuple[str, GivenResult]] = field(default_factory=list)


class Brain:
    """Plays the model by what it understands of the person's words."""

    def perform(self, conversation: Conversation, *, thinks: bool) -> Performance:
        return Performance(reply(conversation, thinks=thinks))


def reply(conversation: Conversation, *, thinks: bool) -> Reply:
    """The model's next answer."""
    texts = conversation.user_texts
    question = texts[-1] if texts else ""
    phrases = languages()[language_of(texts)]
    plan = _plan(conversation, wishes(question, phrases))
    offered = {tool.name for tool in conversation.tools}
    open_steps = [step for step in plan.steps if step.result is None or step.mendable]
    asks = [
        Ask(step.wish.tool, step.wish.arguments) for step in open_steps if step.wish.tool in offered
    ]
    if not asks:
        asks = searches(conversation, [step.wish.tool for step in open_steps])
    if not asks and conversation.forced and conversation.tools:
        asks = [_example(conversation.tools[0])]
    if asks:
        items = (*_lead_in(open_steps, phrases), *asks)
        thought = phrases.say("think_call", tool=asks[0].name)
    else:
        items = tuple(_answer(plan, question, phrases))
        tools_used = any(step.result for step in plan.steps) or bool(plan.others)
        thought = phrases.say("think_answer" if tools_used else "think_chat")
    return Reply(items, thought if thinks else "")


def _plan(conversation: Conversation, wanted: tuple[Wish, ...]) -> _Plan:
    """Matches this turn's results with the wishes: by tool and order within each round, since a
    broken call has no arguments to know it by."""
    plan = _Plan([_Progress(wish) for wish in wanted])
    asked: dict[str, _Progress | str] = {}
    taken: list[_Progress] = []
    for entry in conversation.turn:
        match entry:
            case AskedCall(call_id=call_id, name=name):
                step = _next_step(plan.steps, taken, name)
                asked[call_id] = step or name
                if step is not None:
                    taken.append(step)
                    step.tries += 1
            case GivenResult(call_id=call_id):
                taken = []
                match asked.get(call_id, ""):
                    case _Progress() as step:
                        step.result = entry
                        plan.steps += [_Progress(wish) for wish in _found_wishes(step)]
                    case name:
                        plan.others.append((name, entry))
            case _:
                pass
    return plan


def _found_wishes(step: _Progress) -> Iterator[Wish]:
    """The files to read of those that a list has shown."""
    if not (step.wish.reads and step.result and step.done):
        return
    try:
        listed = objects(member(json.loads(step.result.text), "files"))
    except ValueError:
        return
    for file in listed[: step.wish.reads]:
        yield Wish("file", "read_file", compact({"path": file.get("path")}))


def _next_step(steps: list[_Progress], taken: list[_Progress], name: str) -> _Progress | None:
    return next(
        (step for step in steps if step.wish.tool == name and not step.done and step not in taken),
        None,
    )


def searches(conversation: Conversation, missing: list[str]) -> list[Ask]:
    """A search for each tool that is not offered, once a turn, where there is a way to search."""
    if all(tool.name != _FINDER for tool in conversation.tools):
        return []
    searched = {entry.arguments for entry in conversation.turn if isinstance(entry, AskedCall)}
    wanted = (compact({"task": name.replace("_", " ")}) for name in dict.fromkeys(missing))
    return [Ask(_FINDER, task) for task in wanted if task not in searched]


def _lead_in(steps: list[_Progress], phrases: Phrases) -> Iterator[Item]:
    """What the model says before its calls, if anything."""
    if any(step.mendable for step in steps):
        yield phrases.say("mending")
    elif any(step.wish.subject in _FILE_SUBJECTS for step in steps):
        yield phrases.say("looking")


def _answer(plan: _Plan, question: str, phrases: Phrases) -> Iterator[Item]:
    told = [step for step in plan.steps if not (step.wish.reads and step.done)]
    sentences = [_sentence(step, phrases) for step in told]
    sentences += [
        phrases.say("failed", tool=name)
        if result.failed
        else say_result("other", result.text, phrases)
        for name, result in plan.others
        if not plan.steps
    ]
    if not sentences:
        sentences = [phrases.say(chat_subject(question, phrases))]
    several_lines = any("\n" in sentence for sentence in sentences)
    yield ("\n\n" if several_lines else " ").join(sentences)


def _sentence(step: _Progress, phrases: Phrases) -> str:
    if step.result is None:
        return phrases.say("unoffered", tool=step.wish.tool)
    if step.result.failed:
        if any(words in step.result.text for words in REFUSAL_WORDS):
            return phrases.say("refused")
        return phrases.say("failed", tool=step.wish.tool)
    return say_result(step.wish.subject, step.result.text, phrases)


def _example(tool: OfferedTool) -> Ask:
    """A call that fits a tool's schema, for when the model must call something."""
    properties = member(tool.schema, "properties") or {}
    required = member(tool.schema, "required") or []
    values = {name: _example_value(name, properties.get(name)) for name in required}
    return Ask(tool.name, compact(values))


def _example_value(name: str, schema: object) -> object:
    if choices := member(schema, "enum"):
        return choices[0]
    kind = member(schema, "type")
    if kind in _EXAMPLES:
        return _EXAMPLES[kind]
    return {"expression": "1 + 1", "path": "notes.md"}.get(name, "vitral")
