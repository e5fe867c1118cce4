"""What does the person want? A text becomes wishes that tools can grant, or a subject of chat."""

from __future__ import annotations

from collections.abc import Iterator

from providers.simulator.arithmetic import find_sum
from providers.simulator.clauses import Clause, clauses
from providers.simulator.commands import Commands
from providers.simulator.phrases import Phrases, plain
from providers.simulator.reading import compact
from providers.simulator.wish import Wish

_CHATS = ("story", "help", "thanks", "greeting")


def wishes(question: str, phrases: Phrases) -> tuple[Wish, ...]:
    """The wishes of a question, in the order in which a person would expect the answers."""
    commands = Commands(phrases)
    found: list[Wish] = []
    rest: list[Clause] = []
    for clause in commands.joined(question, clauses(question, phrases)):
        if wanted := commands.hear(clause):
            found += [*_questions(question, rest, phrases), *wanted]
            rest = []
        else:
            rest.append(clause)
    found += _questions(question, rest, phrases)
    named = any(wish.subject == "file" for wish in found)
    return tuple(wish for wish in found if not (wish.reads and named))


def _questions(question: str, rest: list[Clause], phrases: Phrases) -> Iterator[Wish]:
    """What neighbouring clauses ask for that are no commands: heard as one text, since a sum or
    a thing to search for may hold an "and"."""
    if not rest:
        return
    said = question[rest[0].start : rest[-1].end]
    text = plain(said)
    for subject in ("height", "weight"):
        if phrases.hear(subject, text):
            yield Wish(subject, "lookup_demo_value", compact({"key": subject}))
    if expression := find_sum(said, phrases):
        yield Wish("sum", "calculate", compact({"expression": expression}))
    if sought := _sought(said, phrases):
        yield Wish("search", "search_text", compact({"query": sought}))
    elif phrases.hear("notes", text):
        yield Wish("notes", "read_file", compact({"path": "notes.md"}))
    elif phrases.hear("files", text):
        yield Wish("files", "list_files", "{}")


def chat_subject(question: str, phrases: Phrases) -> str:
    """What a text is about that wants no tool."""
    text = plain(question)
    return next((subject for subject in _CHATS if phrases.hear(subject, text)), "chat")


def _sought(question: str, phrases: Phrases) -> str:
    """What is to be searched for; in the person's own spelling where that is possible."""
    text = plain(question)
    phrase = phrases.hear("search", text)
    if phrase is None:
        return ""
    sought = text[phrase.end() :].strip(" .,;:!?\"'“”«»")
    same = " ".join(question.split())
    start = len(same) - len(text) + phrase.end()
    spelled = same[start:].strip(" .,;:!?\"'“”«»")
    return spelled if plain(spelled) == sought else sought
