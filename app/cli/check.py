"""`vitral check`: does a provider behave as its dialect says? A table, JSON, and JUnit for a CI."""

from __future__ import annotations

import asyncio
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from app.cli.codes import Code
from app.cli.opening import Opening
from app.cli.options import connection_options, json_option
from app.cli.output import write_json, write_line
from app.cli.teaching import Taught, taught
from app.messages import Messages

if TYPE_CHECKING:
    from app.checking.check import Check
    from app.checking.suite import Report
    from app.session import Session

_FULL_SPEED = 100_000.0
"""The simulator's pace here: nobody watches it write."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the arguments ask for. `only` names checks, none for all; `junit` a file to write."""

    opening: Opening
    only: tuple[str, ...]
    junit: str | None
    yes: bool
    as_json: bool


def command(texts: Messages) -> Taught:
    """`check` in a language."""

    def run(
        only: tuple[str, ...],
        junit: str | None,
        yes: bool,
        as_json: bool,
        language: str | None,
        **connection: Any,
    ) -> int:
        wanted = Wanted(Opening(**connection), only, junit, yes, as_json)
        return asyncio.run(_check(wanted, texts))

    return taught("check", texts, run, _params(texts))


def _params(texts: Messages) -> list[click.Parameter]:
    return [
        *connection_options(texts),
        click.Option(
            ["--only"],
            multiple=True,
            metavar=texts("cli.metavar.name"),
            help=texts("cli.option.only"),
        ),
        click.Option(
            ["--junit"], metavar=texts("cli.metavar.file"), help=texts("cli.option.junit")
        ),
        click.Option(["--yes"], is_flag=True, help=texts("cli.option.yes")),
        json_option(texts),
    ]


async def _check(wanted: Wanted, texts: Messages) -> int:
    from app.cli.refusals import refused
    from app.session import open_session
    from providers.catalogue import CatalogueError

    checks = _chosen(wanted.only, texts)
    if wanted.junit is not None:
        _try_to_write(wanted.junit, texts)
    session = open_session(language=texts.language)
    for problem in session.problems:
        write_line(problem.describe(texts), style="dim", err=True)
    try:
        choice = wanted.opening.choice(session.choice)
        session.choice = replace(choice, speed=choice.speed or _FULL_SPEED)
        report = await _run(session, checks, wanted, texts)
    except CatalogueError as error:
        raise refused(error, texts) from error
    finally:
        await session.close()
    return Code.ANSWERED if report.right else Code.FAILED


def _chosen(only: tuple[str, ...], texts: Messages) -> tuple[Check, ...]:
    from app.checking.suite import CHECKS, chosen

    try:
        return chosen(only)
    except KeyError as error:
        known = ", ".join(check.name for check in CHECKS)
        said = texts("cli.check.no_such_check", name=repr(error.args[0]), known=known)
        raise click.UsageError(said) from error


def _try_to_write(name: str, texts: Messages) -> None:
    """Raises UsageError now rather than after thirty requests."""
    try:
        Path(name).touch()
    except OSError as problem:
        said = texts("cli.unwritable_file", name=name, problem=problem.strerror or problem)
        raise click.UsageError(said) from problem


async def _run(
    session: Session, checks: tuple[Check, ...], wanted: Wanted, texts: Messages
) -> Report:
    from app.checking.cost import estimate, is_free
    from app.checking.suite import run_suite
    from app.cli.check_table import Table

    provider = await session.provider()
    expected = estimate(checks)
    table = Table(texts, checks)
    if not wanted.as_json:
        table.announce(provider, expected)
    if not (wanted.yes or is_free(provider)):
        _agree(texts, may_ask=not wanted.as_json)
    report = await run_suite(
        provider, checks, tell=(lambda *_: None) if wanted.as_json else table.row
    )
    if wanted.as_json:
        from app.checking.report_json import report_json

        write_json(report_json(report, expected))
    else:
        table.close(report)
    if wanted.junit is not None:
        from app.checking.junit import junit_xml

        await asyncio.to_thread(Path(wanted.junit).write_bytes, junit_xml(report, texts))
    return report


def _agree(texts: Messages, *, may_ask: bool) -> None:
    """Let the person say yes to the cost; raises UsageError where nobody can."""
    if not (may_ask and sys.stdin.isatty() and sys.stderr.isatty()):
        raise click.UsageError(texts("cli.check.say_yes"))
    question = texts("cli.check.question")
    said = click.prompt(question, default="", show_default=False, prompt_suffix=" ", err=True)
    if said.strip().casefold() not in texts("cli.check.yes_words").split():
        raise click.Abort
