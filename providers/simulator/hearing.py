"""What does the person want? A text becomes wishes that tools can grant, or a subject of chat."""

from __future__ import annotations

from dataclasses import dataclass

from providers.simulator.arithmetic import find_sum
from providers.simulator.phrases import Phrases, plain
from providers.simulator.reading import compact

_CHATS = ("story", "help", "thanks", "greeting")


@dataclass(frozen=True, slots=True)
class Wish:
    """Something that a tool can grant. `subject` is the key of the sentence that answers it."""

    subject: str
    tool: str
    arguments: str


def wishes(question: str, phrases: Phrases) -> tuple[Wish, ...]:
    """The wishes of a question, in the order in which a person would expect the answers."""
    text = plain(question)
    found = [
        Wish(subject, "lookup_demo_value", compact({"key": subject}))
        for subject in ("height", "weight")
        if phrases.hear(subject, text)
    ]
    if expression := find_sum(question, phrases):
        found.append(Wish("sum", "calculate", compact({"expression": expression})))
    if sought := _sought(question, phrases):
        found.append(Wish("search", "search_text", compact({"query": sought})))
    elif phrases.hear("notes", text):
        found.append(Wish("notes", "read_file", compact({"path": "notes.md"})))
    elif phrases.hear("files", text):
        found.append(Wish("files", "list_files", "{}"))
    return tuple(found)


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
