"""`vitral replay`: what was recorded plays again, at its own pace or another.

No network and no provider: the bytes go through the decoder as they came then.
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import click

from app.cli.codes import Code
from app.cli.options import fault_options, json_option
from app.cli.output import styled, write_json, write_line
from app.cli.tapes import load_tape
from app.cli.teaching import Taught, taught
from app.messages import Messages
from app.safe_text import safe

if TYPE_CHECKING:
    from providers.cassette import Exchange
    from providers.parts import Part
    from tools.call import JsonObject

Wait = Callable[[float], None]
"""Waits before the next thing is seen, which came after so many seconds."""


def command(texts: Messages) -> Taught:
    """`replay` in a language."""

    def run(
        cassette: str,
        speed: float,
        step: bool,
        fault: str | None,
        fault_times: int | None,
        fault_seed: int,
        as_json: bool,
        language: str | None,
    ) -> int:
        from providers.playback import facts, read_exchange

        wait = _by_key(texts) if step and not as_json else _at_speed(speed)
        tape = load_tape(cassette, texts)
        if fault is not None:
            tape = _struck(tape, fault, fault_times, fault_seed)
        for number, exchange in enumerate(tape, start=1):
            if as_json:
                reading = read_exchange(exchange).as_json()
                write_json({"exchange": number, **facts(exchange), **reading})
            else:
                _play(exchange, number, wait, texts)
        return Code.ANSWERED

    return taught(
        "replay",
        texts,
        run,
        [
            click.Argument(["cassette"], metavar=texts("cli.metavar.cassette")),
            click.Option(
                ["--speed"],
                type=click.FloatRange(min=0),
                default=1.0,
                metavar=texts("cli.metavar.number"),
                help=texts("cli.option.replay_speed"),
            ),
            click.Option(["--step"], is_flag=True, help=texts("cli.option.step")),
            *fault_options(texts),
            json_option(texts),
        ],
    )


def _struck(
    tape: Sequence[Exchange], fault: str, times: int | None, seed: int
) -> Sequence[Exchange]:
    """What would have come if this had gone wrong."""
    from providers.faults import FaultPlan
    from providers.faults.tapes import struck

    return asyncio.run(struck(tape, FaultPlan.read(fault, seed=seed, times=times)))


def _at_speed(speed: float) -> Wait:
    """Waits for the recorded seconds, or less."""

    def wait(seconds: float) -> None:
        if speed > 0 and seconds > 0:
            time.sleep(seconds / speed)

    return wait


def _by_key(texts: Messages) -> Wait:
    """Waits for any key, however long it took then."""
    if not sys.stdin.isatty():
        raise click.UsageError(texts("cli.replay.no_keys"))

    def wait(_: float) -> None:
        click.getchar()

    return wait


def _play(exchange: Exchange, number: int, wait: Wait, texts: Messages) -> None:
    """One exchange, as it was to be seen then."""
    from providers.playback import facts, moments, read_exchange, refused

    known = facts(exchange)
    words = (known["dialect"], known["model"], known["status"])
    write_line(f"{number}. {' · '.join(str(word) for word in words if word)}", style="bold")
    if refused(exchange):
        _say_error(read_exchange(exchange).error, texts)
        return
    teller = _Parts(texts)
    now = 0.0
    for after, parts in moments(exchange):
        if not parts:
            continue
        wait(after - now)
        now = max(now, after)
        for part in parts:
            teller.tell(part)
    write_line()


class _Parts:
    """Writes parts as they come: text for the answer, calls as they grow."""

    def __init__(self, texts: Messages) -> None:
        self._texts = texts
        self._line_open = False
        self._call: int | None = None

    def tell(self, part: Part) -> None:
        from providers import parts

        match part:
            case parts.TextDelta(text=text) if text:
                self._go_on(None)
                self._write(text)
            case parts.CallStarted(key=key, name=name):
                self._go_on(key)
                self._write(f"→ {name} ", "bold")
            case parts.CallFragment(key=key, text=text):
                self._go_on(key)
                self._write(text)
            case parts.Restarted():
                self._end_line()
                write_line(self._texts("cli.ask.withdrawn"), style="dim")
            case parts.Stopped(stop=stop, raw=raw):
                self._end_line()
                said = self._texts("cli.decode.stop", reason=stop.value, raw=raw or "–")
                write_line(said, style="dim")
            case parts.StreamFailed(failure=failure):
                self._end_line()
                error = {"kind": failure.kind.value, "code": failure.code}
                _say_error({**error, "message": failure.message}, self._texts)
            case _:
                pass

    def _go_on(self, call: int | None) -> None:
        """Text and each call have lines of their own."""
        if call != self._call:
            self._end_line()
        self._call = call

    def _write(self, text: str, style: str = "") -> None:
        click.echo(styled(safe(text), style), nl=False)
        self._line_open = not text.endswith("\n")

    def _end_line(self) -> None:
        if self._line_open:
            click.echo()
        self._line_open = False


def _say_error(error: JsonObject | None, texts: Messages) -> None:
    told = error or {}
    said = " ".join(str(told[name]) for name in ("code", "message") if told.get(name))
    write_line(texts("cli.decode.error", kind=str(told.get("kind")), said=said or "–"), style="bad")
