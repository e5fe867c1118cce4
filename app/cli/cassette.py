"""`vitral cassette`: how does a plain recorded body become a cassette?"""

from __future__ import annotations

from pathlib import Path

import click

from app.cli.codes import Code
from app.cli.options import dialect_option
from app.cli.tapes import blank_tape
from app.cli.teaching import Taught, TaughtGroup, taught, teach
from app.messages import Messages

EVENTS_PER_SECOND = 40.0
"""The pace of a real model, since a body alone has none."""


def command(texts: Messages) -> TaughtGroup:
    """`cassette` in a language."""
    group = TaughtGroup(
        "cassette",
        help=texts("cli.cassette.help"),
        short_help=texts("cli.cassette.short"),
        options_metavar=texts("cli.metavar.options"),
        subcommand_metavar=texts("cli.metavar.command"),
    )
    teach(group, texts, texts("cli.cassette.examples"))
    group.add_command(_from(texts), "from")
    return group


def _from(texts: Messages) -> Taught:
    def run(files: tuple[str, ...], dialect: str, output: str | None, language: str | None) -> int:
        from providers.cassette import dump, made_from

        bodies = [Path(name).read_bytes() for name in files]
        exchanges = [made_from(body, dialect, 1 / EVENTS_PER_SECOND) for body in bodies]
        if output is None:
            for exchange in exchanges:
                click.echo(dump(exchange).encode())
            return Code.ANSWERED
        tape = blank_tape(output, texts)
        for exchange in exchanges:
            tape.keep(exchange)
        tape.close()
        return Code.ANSWERED

    return taught(
        "cassette.from",
        texts,
        run,
        [
            click.Argument(
                ["files"],
                nargs=-1,
                required=True,
                type=click.Path(exists=True, dir_okay=False, readable=True),
                metavar=texts("cli.metavar.files"),
            ),
            dialect_option(texts, required=True),
            click.Option(
                ["--output"],
                metavar=texts("cli.metavar.cassette"),
                help=texts("cli.option.output"),
            ),
        ],
    )
