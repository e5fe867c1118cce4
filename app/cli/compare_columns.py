"""How is a comparison told in a terminal? An answer as soon as it is there, then the times.

Answers stand one below the other: a pipe has no width, and a long answer needs the whole line.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field

from app import events
from app.cli.output import write_line
from app.comparing import Timing
from app.events import Ending
from app.messages import Messages
from app.safe_text import safe
from tools.call import AnyCall, ToolCall, ToolResult

_CELLS = 8
"""The least width of a column of times."""


@dataclass(slots=True)
class _Told:
    """What one provider has said, as it will be written."""

    lines: list[tuple[str, str]] = field(default_factory=list)
    calls: tuple[AnyCall, ...] = ()


class Teller:
    """Writes each provider's answer when it has ended, and a table of times after the last."""

    def __init__(self, texts: Messages, asked: Sequence[str]) -> None:
        self._texts = texts
        self._asked = [safe(word, newlines=False) for word in asked]
        self._told = [_Told() for _ in asked]
        self._ended: dict[int, Timing] = {}

    def tell(self, place: int, event: events.Event, timing: Timing) -> None:
        """Take the next event of the provider at `place`."""
        told = self._told[place]
        match event:
            case events.AnswerEnded(turn=turn):
                if turn.text.strip():
                    told.lines.append((turn.text.strip(), ""))
                told.calls = turn.calls
            case events.CallAnswered(place=at, result=result):
                told.lines.append((self._call(told.calls[at], result), "dim"))
            case events.Done():
                self._end(place, event, timing)
            case _:
                pass

    def _end(self, place: int, done: events.Done, timing: Timing) -> None:
        write_line(f"◆ {self._asked[place]}", style="bold")
        for line, style in self._told[place].lines:
            write_line(line, style=style)
        match done.ending:
            case Ending.ANSWERED:
                pass
            case Ending.FAILED:
                write_line(self._texts("fallback.no_answer"), style="bad")
                write_line(self._texts("cli.ask.reference", reference=done.reference), style="dim")
            case ending:
                write_line(self._texts(f"cli.ask.ended.{ending.value}"), style="bad")
        write_line()
        self._ended[place] = timing
        if len(self._ended) == len(self._asked):
            self._tell_times()

    def _call(self, call: AnyCall, result: ToolResult) -> str:
        """One line whatever is in it."""
        args = json.dumps(call.args, ensure_ascii=False) if isinstance(call, ToolCall) else call.raw
        if result.error is None:
            outcome = json.dumps(result.output, ensure_ascii=False, default=str)
        else:
            outcome = self._texts(f"cli.ask.error.{result.error.kind.value}")
        sign = "✓" if result.ok else "✗"
        return safe(f"{sign} {call.name} {args} → {outcome}", newlines=False)

    def _tell_times(self) -> None:
        keys = ("byte", "fragment", "end")
        heads = [self._texts(f"cli.compare.{key}").rjust(_CELLS) for key in keys]
        names = max(map(len, self._asked))
        write_line(f"{'':{names}}  {'  '.join(heads)}", style="dim")
        for place, word in enumerate(self._asked):
            timing = self._ended[place]
            times = (timing.first_byte, timing.first_fragment, timing.end)
            cells = (f"{_seconds(s):>{len(head)}}" for s, head in zip(times, heads, strict=True))
            write_line(f"{word:<{names}}  {'  '.join(cells)}")


def _seconds(seconds: float | None) -> str:
    return "–" if seconds is None else f"{seconds:.2f} s"
