"""How is a cassette taken from a file, or a run written to one, with errors a person can mend?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from app.messages import Messages

if TYPE_CHECKING:
    from app.session import Session
    from providers.cassette import Exchange
    from providers.recorder import CassetteFile


def load_tape(name: str, texts: Messages) -> Sequence[Exchange]:
    """The exchanges of a cassette in our dialects; `-` is standard input."""
    from providers.cassette import CassetteError, load

    try:
        with click.open_file(name, encoding="utf-8", errors="replace") as lines:
            exchanges = load(lines)
    except OSError as problem:
        said = texts("cli.unreadable_file", name=name, problem=problem.strerror or problem)
        raise click.UsageError(said) from problem
    except CassetteError as error:
        said = texts("cli.no_cassette", name=name, line=error.line, problem=error.problem)
        raise click.UsageError(said) from error
    heard = [exchange for exchange in exchanges if exchange.dialect]
    if not heard:
        raise click.UsageError(texts("cli.empty_cassette", name=name))
    return heard


def blank_tape(name: str, texts: Messages) -> CassetteFile:
    """A file for exchanges to come; those that are in it stay."""
    from providers.recorder import CassetteFile

    try:
        return CassetteFile(Path(name))
    except OSError as problem:
        said = texts("cli.unwritable_file", name=name, problem=problem.strerror or problem)
        raise click.UsageError(said) from problem


@contextmanager
def recording(session: Session, name: str | None, texts: Messages) -> Iterator[None]:
    """What goes over the wire inside the block goes to this file too, if one is named."""
    if name is None:
        yield
        return
    tape = blank_tape(name, texts)
    session.keep = tape.keep
    try:
        yield
    finally:
        session.keep = None
        tape.close()
