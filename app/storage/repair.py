"""Which history do stored turns make, when the program died in the middle of a round?

The next request can only be built from a valid history (`providers.history.valid`), so whatever
a crash, or two windows on one chat, left behind is completed or left out here. Nothing is written.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from app.storage.rows import StoredTurn
from providers.history import AssistantTurn, ToolTurn
from tools.call import AnyCall, ErrorKind, ToolError, ToolResult

Finished = Mapping[int, Mapping[int, ToolResult]]
"""Assistant turn's id → place of the call → its result, stored before the round was over."""


def repaired(turns: Iterable[StoredTurn], finished: Finished) -> tuple[StoredTurn, ...]:
    """The turns with exactly one result for each call, in order.

    A result that was stored on its own is used; a call without one counts as cancelled. An answer
    that two windows got and stored is one answer: servers refuse an item that comes twice.
    """
    whole: list[StoredTurn] = []
    waiting: StoredTurn | None = None
    for stored in turns:
        if isinstance(stored.turn, ToolTurn):
            if waiting is not None and _answers(stored.turn, _calls(waiting)):
                whole.append(stored)
                waiting = None
            continue
        if waiting is not None:
            whole.append(_completed(waiting, finished))
        elif whole and isinstance(stored.turn, AssistantTurn) and whole[-1].turn == stored.turn:
            continue
        whole.append(stored)
        waiting = stored if _calls(stored) else None
    if waiting is not None:
        whole.append(_completed(waiting, finished))
    return tuple(whole)


def _calls(stored: StoredTurn) -> tuple[AnyCall, ...]:
    return stored.turn.calls if isinstance(stored.turn, AssistantTurn) else ()


def _answers(turn: ToolTurn, calls: tuple[AnyCall, ...]) -> bool:
    return [result.call_id for result in turn.results] == [call.call_id for call in calls]


def _completed(asked: StoredTurn, finished: Finished) -> StoredTurn:
    known = finished.get(asked.id or 0, {})
    results = tuple(
        known.get(place) or _never_answered(call) for place, call in enumerate(_calls(asked))
    )
    return StoredTurn(None, ToolTurn(results), asked.time, known=frozenset(known))


def _never_answered(call: AnyCall) -> ToolResult:
    error = ToolError(ErrorKind.CANCELLED, "The program ended before this call was answered.")
    return ToolResult(call.call_id, call.name, error=error)
