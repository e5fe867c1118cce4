"""How does a command write? JSON for programs, safe text for people."""

from __future__ import annotations

import os
import sys

import click

from app.safe_text import safe


def write_json(document: object) -> None:
    """One line of ASCII on standard output: no encoding and no terminal can be hurt by it."""
    from providers.json_text import written

    click.echo(written(document, ascii_only=True))


def write_line(text: str = "", *, style: str = "", err: bool = False) -> None:
    """A line for people; `style` is one of `dim`, `bold`, `bad`, and only a terminal sees it."""
    click.echo(styled(safe(text), style, err=err), err=err)


def styled(text: str, style: str, *, err: bool = False) -> str:
    """`text`, which must be safe, in a style where colour is wanted: a terminal, no NO_COLOR."""
    stream = sys.stderr if err else sys.stdout
    if not style or os.environ.get("NO_COLOR") or not stream.isatty():
        return text
    match style:
        case "dim":
            return click.style(text, dim=True)
        case "bold":
            return click.style(text, bold=True)
        case "bad":
            return click.style(text, fg="red")
        case _:
            raise ValueError(f"no style {style!r}; there are dim, bold and bad")
