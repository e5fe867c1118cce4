"""Which commands are there, and what does `vitral` without one do?

The group imports a command's file when the command, or the list of them, is asked for. Options
that stand before a command's name hold for the command too: `vitral --provider openai ask Hello`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module
from typing import Any, Final

import click

from app.cli.codes import Code
from app.cli.language import language_option
from app.cli.opening import Opening, open_app
from app.cli.options import connection_options, record_option, theme_option
from app.cli.teaching import TaughtGroup, teach
from app.messages import Messages

COMMANDS: Final[Mapping[str, str]] = {
    "ask": "app.cli.ask",
    "decode": "app.cli.decode",
    "tools": "app.cli.tools",
    "keys": "app.cli.keys",
    "simulate": "app.cli.simulate",
    "replay": "app.cli.replay",
    "cassette": "app.cli.cassette",
    "scenes": "app.cli.scenes",
    "faults": "app.cli.faults",
    "check": "app.cli.check",
    "compare": "app.cli.compare",
}
"""Each command's file; its `command(texts)` builds the command in a language."""


class Vitral(TaughtGroup):
    """The program as a whole; its commands speak the language of `texts`."""

    texts: Messages

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        built: click.Command = import_module(COMMANDS[cmd_name]).command(self.texts)
        return built

    # The signature is Click's, which passes any setting of a context through.
    def make_context(
        self,
        info_name: str | None,
        args: list[str],
        parent: click.Context | None = None,
        **extra: Any,
    ) -> click.Context:
        with _pipe_may_close():
            return super().make_context(info_name, args, parent, **extra)

    def invoke(self, ctx: click.Context) -> object:
        given = {name: value for name, value in ctx.params.items() if value is not None}
        ctx.default_map = dict.fromkeys(COMMANDS, given)
        with _pipe_may_close():
            return super().invoke(ctx)


@contextmanager
def _pipe_may_close() -> Iterator[None]:
    """Click would end the program with 1 here, the code that says that a provider failed."""
    try:
        yield
    except BrokenPipeError:
        raise click.exceptions.Exit(Code.PIPE_CLOSED) from None


def root(texts: Messages) -> Vitral:
    """The command `vitral` in a language."""

    @click.pass_context
    def run(context: click.Context, /, **options: Any) -> int | None:
        return open_app(Opening(**options)) if context.invoked_subcommand is None else None

    params: Sequence[click.Parameter] = (
        *connection_options(texts),
        theme_option(texts),
        record_option(texts),
        language_option(texts),
    )
    group = Vitral(
        "vitral",
        callback=run,
        invoke_without_command=True,
        params=list(params),
        help=texts("cli.help"),
        options_metavar=texts("cli.metavar.options"),
        subcommand_metavar=texts("cli.metavar.command"),
    )
    group.texts = texts
    teach(group, texts, texts("cli.examples"))
    return click.version_option(package_name="vitral")(group)
