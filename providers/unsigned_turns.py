"""Whether a server refuses a request for a signature that a turn lacks, and the request without.

Gemini signs its calls and wants the signature back. A turn that another model wrote has none, and
the word that Google documents for such turns is not taken everywhere; one of its own may be too
old. Such a turn is told as text instead: what was called, and what came of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from providers.call_ids import arguments
from providers.failures import Failure
from providers.history import AssistantTurn, Origin, ToolTurn, Turn, UserTurn
from providers.request import Request
from providers.results import json_line, result_text
from tools.call import AnyCall, ToolResult

_SIGNATURE = re.compile(r"thought[ _]?signature", re.IGNORECASE)


def told_as_text(request: Request, failure: Failure, asked: Origin) -> Request | None:
    """The request to make instead of the one that was refused; None when that would not help.

    The turns of other models are told as text; if there is none with calls, all with calls are.
    """
    if failure.status != 400 or not _SIGNATURE.search(failure.message + failure.body):
        return None
    calling = [turn for turn in _answers(request.history) if turn.calls]
    foreign = [turn for turn in calling if not _is_of(turn, asked)]
    if not calling:
        return None
    chosen = {id(turn) for turn in foreign or calling}
    return replace(request, history=tuple(_told(request.history, chosen)))


def _answers(history: Sequence[Turn]) -> list[AssistantTurn]:
    return [turn for turn in history if isinstance(turn, AssistantTurn)]


def _is_of(turn: AssistantTurn, asked: Origin) -> bool:
    same = (turn.origin.dialect, turn.origin.model) == (asked.dialect, asked.model)
    return same and bool(turn.native)


def _told(history: Sequence[Turn], chosen: set[int]) -> Iterator[Turn]:
    before: Turn | None = None
    for turn in history:
        match turn:
            case AssistantTurn() if id(turn) in chosen:
                items = tuple(item if isinstance(item, str) else _call(item) for item in turn.items)
                yield replace(turn, items=items, native=())
            case ToolTurn(results) if id(before) in chosen:
                yield UserTurn("\n".join(map(_result, results)))
            case _:
                yield turn
        before = turn


def _call(call: AnyCall) -> str:
    return f"\n[Called {call.name} with {json_line(arguments(call))}]\n"


def _result(result: ToolResult) -> str:
    return f"[Result of {result.name}: {result_text(result)}]"
