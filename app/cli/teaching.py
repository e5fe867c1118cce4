"""How does a command's help teach? By examples, which stand at its end as they would be typed."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import click

from app.cli.language import language_option
from app.messages import Messages


class Taught(click.Command):
    """A command whose help ends with examples, shown as they are: no line is wrapped."""

    examples_title = ""
    examples = ""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        super().format_epilog(ctx, formatter)
        with formatter.section(self.examples_title):
            for line in self.examples.splitlines():
                formatter.write(f"{'':{formatter.current_indent}}{line}\n")


class TaughtGroup(Taught, click.Group):
    """A group of commands that is taught in the same way."""


def taught(
    name: str, texts: Messages, run: Callable[..., object], params: Sequence[click.Parameter] = ()
) -> Taught:
    """The command `name` of `vitral`; its texts stand in the catalogue under `cli.<name>`."""
    command = Taught(
        name,
        callback=run,
        params=[*params, language_option(texts)],
        help=texts(f"cli.{name}.help"),
        short_help=texts(f"cli.{name}.short"),
        options_metavar=texts("cli.metavar.options"),
    )
    teach(command, texts, texts(f"cli.{name}.examples"))
    return command


def teach(command: Taught, texts: Messages, examples: str) -> None:
    """Give the command its examples."""
    command.examples_title = texts("cli.examples_title")
    command.examples = examples
