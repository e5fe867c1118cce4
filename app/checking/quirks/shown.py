"""Which quirks does a provider show in all that was heard of it?"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeVar

from app.checking.evidence import Evidence, Heard
from app.checking.quirks import chat, gemini
from app.checking.quirks.chat_stream import chat_stream
from app.checking.quirks.gemini_stream import gemini_stream
from app.checking.quirks.quirk import Quirk, Sign

Stream = TypeVar("Stream")


def quirks_shown(evidence: Evidence) -> tuple[Quirk, ...]:
    """In the order of the dialect's list. Answers that we left or that never came say nothing."""
    bodies = [heard.raw for heard in evidence.heard.values() if _tells(heard)]
    match evidence.dialect:
        case "openai-chat":
            return _found(chat.SIGNS, filter(None, map(chat_stream, bodies)))
        case "gemini":
            return _found(gemini.SIGNS, filter(None, map(gemini_stream, bodies)))
        case _:
            return ()  # the other formats have one server each, and no list


def _tells(heard: Heard) -> bool:
    return bool(heard.raw) and not heard.probe.leaves


def _found(signs: Sequence[Sign[Stream]], streams: Iterable[Stream]) -> tuple[Quirk, ...]:
    heard = list(streams)
    found = [sign for sign in signs if any(map(sign.shows, heard))]
    covered = frozenset[str]().union(*(sign.covers for sign in found))
    return tuple(sign.quirk for sign in found if sign.quirk.name not in covered)
