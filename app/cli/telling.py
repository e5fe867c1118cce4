"""How is one answer told in a terminal while it comes?

The answer goes to standard output and nothing else does; calls, waits and failures go to standard
error. What is written to a file or a pipe cannot be taken back, so there the text of a round is
written once it is whole; a person at a terminal sees it come.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable

import click

from app import events
from app.cli.output import write_line
from app.coming_back import come_back
from app.events import Ending
from app.messages import Messages
from app.safe_text import safe
from providers.failures import FailureKind
from providers.history import AssistantTurn
from providers.parts import Part, Restarted, Stop, TextDelta
from tools.call import AnyCall, BrokenCall, ErrorKind, ToolCall, ToolResult

_ADVICE = {
    FailureKind.AUTH: "cli.ask.advice.key",
    FailureKind.PERMISSION: "cli.ask.advice.key",
    FailureKind.NOT_FOUND: "cli.ask.advice.model",
    FailureKind.QUOTA: "cli.ask.advice.quota",
    FailureKind.NETWORK: "cli.ask.advice.network",
    FailureKind.TOO_LONG: "cli.ask.advice.too_long",
}
_UNUSUAL = {Stop.LENGTH, Stop.REFUSED, Stop.FILTERED}


class Teller:
    """Writes the events of one message for a person. Raises BrokenPipeError. `unasked` says which
    tools are denied only because nobody can be asked: `--approve` would allow them."""

    def __init__(
        self, texts: Messages, unasked: Callable[[str], bool] = lambda tool: False
    ) -> None:
        self._texts = texts
        self._unasked = unasked
        self._live = sys.stdout.isatty()
        self._line_open = False
        self._calls: tuple[AnyCall, ...] = ()

    def tell(self, event: events.Event) -> None:
        """Write what this event adds."""
        match event:
            case events.Received(parts=parts) if self._live:
                for part in parts:
                    self._tell_part(part)
            case events.Withdrawn():
                self._take_back()
            case events.Waiting(seconds=seconds, attempt=attempt, limit=limit):
                said = {"attempt": attempt, "limit": limit}
                self._aside(self._texts.plural("cli.ask.waiting", max(1, round(seconds)), **said))
            case events.AnswerEnded(turn=turn):
                self._tell_turn(turn)
            case events.Resumed(turn=turn):
                self._aside(self._texts("cli.ask.resumed"))
                self._calls = turn.calls
            case events.ChoiceIgnored():
                self._aside(self._texts("cli.ask.choice_ignored"))
            case events.CallOverdue(place=place):
                self._aside(self._texts("cli.ask.overdue", tool=self._calls[place].name))
            case events.CallAnswered(place=place, result=result):
                self._tell_result(self._calls[place], result)
            case events.Done():
                self._tell_ending(event)
            case _:
                pass

    def _tell_part(self, part: Part) -> None:
        match part:
            case TextDelta(text=text) if text:
                click.echo(safe(text), nl=False)
                self._line_open = not text.endswith("\n")
            case Restarted():
                self._take_back()
            case _:
                pass

    def _tell_turn(self, turn: AssistantTurn) -> None:
        if turn.text and not self._live:
            click.echo(safe(turn.text), nl=not turn.text.endswith("\n"))
        self._end_line()
        if turn.stop in _UNUSUAL:
            self._aside(self._texts(f"cli.ask.stop.{turn.stop.value}"))
        self._calls = turn.calls
        for call in turn.calls:
            self._aside_of_model(f"→ {call.name} {_arguments(call)}")

    def _tell_result(self, call: AnyCall, result: ToolResult) -> None:
        if result.error is None:
            output = json.dumps(result.output, ensure_ascii=False, default=str)
            self._aside_of_model(f"✓ {call.name} → {output}")
            return
        kind = result.error.kind
        reason = f" → {result.error.message}" if kind is ErrorKind.FAILED else ""
        self._aside_of_model(f"✗ {call.name}: {self._texts(f'cli.ask.error.{kind.value}')}{reason}")
        if kind is ErrorKind.NOT_ALLOWED and self._unasked(call.name):
            self._aside_of_model(self._texts("cli.ask.advice.approve", tool=call.name))

    def _take_back(self) -> None:
        if self._line_open:
            self._end_line()
            self._aside(self._texts("cli.ask.withdrawn"))

    def _tell_ending(self, done: events.Done) -> None:
        self._end_line()
        if done.ending is Ending.ANSWERED:
            return
        if done.ending is not Ending.FAILED:
            write_line(self._texts(f"cli.ask.ended.{done.ending.value}"), err=True)
            self._tell_code(done)
            return
        write_line(self._texts("fallback.no_answer"), style="bad", err=True)
        kind = done.failure.kind if done.failure else None
        if kind in _ADVICE:
            write_line(self._texts(_ADVICE[kind]), err=True)
        elif when := come_back(done.failure, self._texts):
            write_line(when, err=True)
        self._tell_code(done)

    def _tell_code(self, done: events.Done) -> None:
        if done.reference:
            self._aside(self._texts("cli.ask.reference", reference=done.reference))

    def _end_line(self) -> None:
        if self._line_open:
            click.echo()
            self._line_open = False

    def _aside_of_model(self, text: str) -> None:
        """One line whatever is in it: a model must not write asides of its own."""
        self._aside(safe(text, newlines=False))

    def _aside(self, text: str) -> None:
        write_line(text, style="dim", err=True)


def _arguments(call: AnyCall) -> str:
    match call:
        case ToolCall(args=args):
            return json.dumps(args, ensure_ascii=False)
        case BrokenCall(raw=raw):
            return raw
