"""When does a message end early? After too many rounds, mistakes, or the same call once more.

Pure: it is shown each round of one message, and says when it has seen enough.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from providers.history import AssistantTurn, ToolTurn, Turn, UserTurn
from tools.call import AnyCall, BrokenCall, ErrorKind, ToolCall, ToolResult

ROUNDS = 8
"""Rounds that one message may take."""

CORRECTIONS = 1
"""How often a model may mend its calls of one tool before the person is told."""

REPEATS = 3
"""The same call in so many rounds in a row is once too often: it does not run again."""

_MENDABLE = {ErrorKind.INVALID_ARGUMENTS, ErrorKind.BROKEN_CALL, ErrorKind.UNKNOWN_TOOL}


@dataclass(slots=True)
class Patience:
    """What has been seen of one message."""

    rounds: int = 0
    _mistakes: Counter[str] = field(default_factory=Counter)
    _streaks: dict[str, int] = field(default_factory=dict)

    @property
    def over(self) -> bool:
        """Whether no further round may begin."""
        return self.rounds >= ROUNDS

    def begin_round(self) -> int:
        """The number of the round that begins."""
        self.rounds += 1
        return self.rounds

    def repeated(self, calls: Sequence[AnyCall]) -> bool:
        """Take a round's calls; whether one of them has come too often in a row."""
        asked = {_same(call) for call in calls}
        self._streaks = {one: self._streaks.get(one, 0) + 1 for one in asked}
        return any(streak >= REPEATS for streak in self._streaks.values())

    def beyond_mending(self, results: Sequence[ToolResult]) -> bool:
        """Take a round's results; whether one tool has used up its corrections."""
        wrong = {r.name for r in results if r.error is not None and r.error.kind in _MENDABLE}
        for name in {result.name for result in results} - wrong:
            self._mistakes.pop(name, None)
        self._mistakes.update(wrong)
        return any(self._mistakes[name] > CORRECTIONS for name in wrong)


def patience_after(history: Sequence[Turn]) -> Patience:
    """What has been seen of the message that `history` ends in."""
    patience = Patience()
    for turn in history:
        match turn:
            case UserTurn():
                patience = Patience()
            case AssistantTurn(calls=calls):
                patience.begin_round()
                patience.repeated(calls)
            case ToolTurn(results=results):
                patience.beyond_mending(results)
    return patience


def _same(call: AnyCall) -> str:
    """Equal for calls of the same tool with the same arguments."""
    match call:
        case ToolCall(name=name, args=args):
            return json.dumps([name, args], sort_keys=True, default=str)
        case BrokenCall(name=name, raw=raw):
            return json.dumps([name, raw, "broken"])
