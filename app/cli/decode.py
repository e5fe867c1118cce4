"""`vitral decode`: what do recorded response bodies say?

No network, no provider: each file is fed to its dialect's decoder as a stream would come, whole or
in pieces, and what it says is printed as one JSON object a line or for people to read.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click

from app.cli.codes import Code
from app.cli.options import dialect_option, json_option
from app.cli.output import write_json, write_line
from app.cli.teaching import Taught, taught
from app.messages import Messages
from app.safe_text import safe
from tools.call import JsonObject


def command(texts: Messages) -> Taught:
    """`decode` in a language."""

    def run(
        files: tuple[str, ...],
        dialect: str,
        as_json: bool,
        reads: int | None,
        split_seed: int | None,
        language: str | None,
    ) -> int:
        from providers.reading import cuts, read_body

        for name in files:
            data = _content(name, texts)
            reading = read_body(dialect, cuts(data, reads, split_seed)).as_json()
            if as_json:
                write_json({"file": name, **reading})
            else:
                _show(name, reading, texts)
        return Code.ANSWERED

    return taught(
        "decode",
        texts,
        run,
        [
            click.Argument(
                ["files"],
                nargs=-1,
                required=True,
                type=click.Path(exists=True, dir_okay=False, allow_dash=True),
                metavar=texts("cli.metavar.files"),
            ),
            dialect_option(texts, required=True),
            json_option(texts),
            _number_option("--reads", texts, least=1),
            _number_option("--split-seed", texts),
        ],
    )


def _number_option(name: str, texts: Messages, least: int | None = None) -> click.Option:
    key = name.removeprefix("--").replace("-", "_")
    return click.Option(
        [name],
        type=click.INT if least is None else click.IntRange(min=least),
        metavar=texts("cli.metavar.number"),
        help=texts(f"cli.option.{key}"),
    )


def _content(name: str, texts: Messages) -> bytes:
    try:
        if name == "-":
            return sys.stdin.buffer.read()
        return Path(name).read_bytes()
    except OSError as problem:
        message = texts("cli.unreadable_file", name=name, problem=problem.strerror or problem)
        raise click.UsageError(message) from problem


def _show(name: str, reading: JsonObject, texts: Messages) -> None:
    """One body for a person to read."""
    write_line(name, style="bold")
    if reading["text"]:
        write_line(reading["text"])
    for call in reading["calls"]:
        arguments = json.dumps(call["args"], ensure_ascii=False)
        _show_line(texts("cli.decode.call", name=call["name"], arguments=arguments))
        _show_line(texts("cli.decode.call_id", id=call["call_id"]), style="dim")
    for call in reading["broken"]:
        _show_line(texts("cli.decode.broken", name=call["name"], raw=call["raw"]), style="bad")
    if reading["error"]:
        _show_line(texts("cli.decode.error", **_words(reading["error"])), style="bad")
    _show_line(" · ".join(_facts(reading, texts)), style="dim")
    write_line()


def _show_line(text: str, *, style: str = "") -> None:
    """One line whatever is in it: a stream must not write lines of ours."""
    write_line(safe(text, newlines=False), style=style)


def _words(error: JsonObject) -> dict[str, str]:
    """What the stream itself says of its failure."""
    said = " ".join(str(error[key]) for key in ("code", "message") if error.get(key))
    return {"kind": str(error["kind"]), "said": said or "–"}


def _facts(reading: JsonObject, texts: Messages) -> list[str]:
    facts = [texts("cli.decode.complete" if reading["complete"] else "cli.decode.incomplete")]
    if stop := reading["stop"]:
        facts.append(texts("cli.decode.stop", reason=stop["reason"], raw=stop["raw"] or "–"))
    if usage := reading["usage"]:
        counts = ", ".join(f"{key} {n}" for key, n in usage.items() if type(n) is int and n)
        facts.append(texts("cli.decode.usage", usage=counts or "0"))
    if reading["reasoning_chars"]:
        facts.append(texts.plural("cli.decode.reasoning", reading["reasoning_chars"]))
    return facts
