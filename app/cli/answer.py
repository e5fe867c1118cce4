"""What came of one message: the events folded into one answer for scripts, and its exit code."""

from __future__ import annotations

from app import events
from app.call_views import CallBoard
from app.cli.call_json import call_as_json
from app.cli.codes import Code
from app.events import Done, Ending
from providers.history import Origin
from providers.parts import Usage
from tools.call import JsonObject
from tools.toolbox import Toolbox


class Answer:
    """Takes the agent's events; says at any time what is known."""

    def __init__(self, origin: Origin, tools: Toolbox) -> None:
        self._origin = origin
        self._tools = tools
        self._choice_ignored = False
        self._board = CallBoard()
        self._text = ""
        self._rounds = 0
        self._usage = Usage()
        self._done = Done(Ending.STOPPED)

    def take(self, event: events.Event) -> None:
        """Take the next event."""
        self._board.apply(event)
        match event:
            case events.RoundStarted(number=number, origin=origin):
                self._rounds, self._origin = number, origin
            case events.Resumed(number=number):
                self._rounds = number
            case events.ChoiceIgnored():
                self._choice_ignored = True
            case events.AnswerEnded(turn=turn, usage=usage):
                self._text = turn.text
                self._usage = _sum(self._usage, usage)
            case events.Withdrawn(usage=usage):
                self._usage = _sum(self._usage, usage)
            case Done():
                self._done = event
            case _:
                pass

    @property
    def code(self) -> Code:
        """How the program ends."""
        match self._done.ending:
            case Ending.ANSWERED:
                return Code.CALL_FAILED if self._call_failed else Code.ANSWERED
            case Ending.FAILED | Ending.NOT_KEPT:
                return Code.FAILED
            case Ending.STOPPED:
                return Code.STOPPED
            case Ending.TOO_MANY_ROUNDS | Ending.CORRECTION_FAILED | Ending.REPEATED_CALL:
                return Code.CALL_FAILED

    def as_json(self) -> JsonObject:
        """The answer as one JSON object."""
        done = self._done
        whole: JsonObject = {
            "answer": self._text,
            "calls": [call_as_json(view, self._effect(view.name)) for view in self._board.standing],
            "usage": {
                "input": self._usage.input,
                "output": self._usage.output,
                "cached": self._usage.cached,
                "reasoning": self._usage.reasoning,
            },
            "provider": self._origin.provider,
            "dialect": self._origin.dialect,
            "model": self._origin.model,
            "rounds": self._rounds,
            "ending": done.ending.value,
            "reference": done.reference or None,
            "tool_choice_ignored": self._choice_ignored,
        }
        if done.ending is Ending.FAILED:
            whole["error"] = {"kind": done.failure.kind.value if done.failure else "internal"}
        return whole

    def _effect(self, name: str) -> str | None:
        tool = self._tools.find(name)
        return tool.effect.value if tool else None

    @property
    def _call_failed(self) -> bool:
        """Whether some tool's last call has no output: its failure was never made good."""
        last = {view.name: view.result for view in self._board.standing}
        return any(result is not None and not result.ok for result in last.values())


def _sum(one: Usage, other: Usage | None) -> Usage:
    """What both cost together; a count that neither knows stays unknown."""
    if other is None:
        return one

    def both(a: int | None, b: int | None) -> int | None:
        return b if a is None else a if b is None else a + b

    return Usage(
        both(one.input, other.input),
        both(one.output, other.output),
        both(one.cached, other.cached),
        both(one.reasoning, other.reasoning),
    )
