"""Which call and which result carry which id, when a history is written for a target.

Calls and results are paired by place, because a server may repeat an id. Ids that the target
would refuse, or that stand twice, get new ones: no two calls share one, and the two sides of a
pair are equal. The same history gives the same ids every time, so that prompt caches hold.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256

from providers.history import AssistantTurn, ToolTurn, Turn, UserTurn
from tools.call import AnyCall, BrokenCall, ErrorKind, JsonObject, ToolError, ToolResult

_ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_SAFE_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
_UNANSWERED = ToolError(ErrorKind.CANCELLED, "The call was cancelled; it has no result.")


@dataclass(frozen=True, slots=True)
class IdShape:
    """The ids that a target accepts, and how one of its own making looks."""

    accepts: re.Pattern[str]
    prefix: str
    length: int


NINE_CHARACTERS = IdShape(re.compile(r"[a-zA-Z0-9]{9}"), "", 9)
"""What Mistral demands and every other server of the Chat format accepts."""

WORDS_OF_64 = IdShape(re.compile(r"[a-zA-Z0-9_-]{1,64}"), "call_", 20)
"""What Anthropic demands and OpenAI accepts."""


@dataclass(frozen=True, slots=True)
class Answered:
    """An assistant turn with the target's ids and the results of its calls, each by place.

    `own` says that the turn goes back in the items that the target itself wrote.
    """

    turn: AssistantTurn
    own: bool
    ids: tuple[str, ...]
    results: tuple[ToolResult, ...]

    @property
    def pairs(self) -> Iterator[tuple[str, AnyCall, ToolResult]]:
        """Id, call and result, in the order of the calls."""
        return zip(self.ids, self.turn.calls, self.results, strict=True)


def written_by(
    dialect: str, model: str, count: Callable[[tuple[JsonObject, ...]], int]
) -> Callable[[AssistantTurn], bool]:
    """Tells the turns whose own items go back: those of the same dialect and model that hold
    each of the turn's calls (`count` counts them) under an id of its own, so that every result
    finds its call."""

    def own(turn: AssistantTurn) -> bool:
        wrote_it = (turn.origin.dialect, turn.origin.model) == (dialect, model)
        apart = len({call.call_id for call in turn.calls}) == len(turn.calls)
        return wrote_it and apart and bool(turn.native) and count(turn.native) == len(turn.calls)

    return own


def answered(
    history: Sequence[Turn], own: Callable[[AssistantTurn], bool], shape: IdShape
) -> list[UserTurn | Answered]:
    """The history with each call and its result side by side.

    A call without a result gets one that says so, a result without a call is left out: the
    target would refuse the whole conversation for either.
    """
    ids = _Ids(shape)
    for turn in history:
        if isinstance(turn, AssistantTurn) and own(turn):
            ids.taken.update(call.call_id for call in turn.calls)
    told: list[UserTurn | Answered] = []
    for place, turn in enumerate(history):
        if isinstance(turn, UserTurn):
            told.append(turn)
        elif isinstance(turn, AssistantTurn):
            after = history[place + 1] if place + 1 < len(history) else None
            results = after.results if isinstance(after, ToolTurn) else ()
            told.append(_answered(turn, own(turn), results, ids))
    return told


def safe_name(name: str) -> str:
    """A tool name that every target accepts; the name itself where it is one."""
    if _SAFE_NAME.fullmatch(name):
        return name
    return re.sub(r"[^a-zA-Z0-9_-]", "_", name)[:64] or "unnamed"


def arguments(call: AnyCall) -> JsonObject:
    """The arguments as an object, as every target demands: a broken call's text inside one."""
    return {"INVALID_JSON": call.raw} if isinstance(call, BrokenCall) else call.args


def _answered(turn: AssistantTurn, own: bool, results: Sequence[ToolResult], ids: _Ids) -> Answered:
    calls = turn.calls
    missing = tuple(
        ToolResult(call.call_id, call.name, error=_UNANSWERED) for call in calls[len(results) :]
    )
    named = tuple(call.call_id if own else ids.map(call.call_id) for call in calls)
    return Answered(turn, own, named, (*results[: len(calls)], *missing))


class _Ids:
    """Gives out ids, each of them once."""

    def __init__(self, shape: IdShape) -> None:
        self.taken: set[str] = set()
        self._shape = shape

    def map(self, wanted: str) -> str:
        found, attempt = wanted, 0
        while found in self.taken or not self._shape.accepts.fullmatch(found):
            found = self._made(wanted, attempt)
            attempt += 1
        self.taken.add(found)
        return found

    def _made(self, wanted: str, attempt: int) -> str:
        seed = f"{attempt}:{wanted}".encode("utf-8", "surrogatepass")
        number = int.from_bytes(sha256(seed).digest())
        letters = []
        for _ in range(self._shape.length):
            number, place = divmod(number, len(_ALPHABET))
            letters.append(_ALPHABET[place])
        return self._shape.prefix + "".join(letters)
