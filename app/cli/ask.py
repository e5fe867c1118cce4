"""`vitral ask`: one message through the same agent as on the screen, without a screen.

The exit code says how it ended, for scripts: see `app.cli.codes`.
"""

from __future__ import annotations

import asyncio
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from app.cli.opening import Opening
from app.cli.options import connection_options, json_option
from app.cli.output import write_json, write_line
from app.cli.teaching import Taught, taught
from app.messages import Messages

if TYPE_CHECKING:
    from app.cli.answer import Answer
    from app.cli.telling import Teller
    from app.events import Event
    from app.session import Session
    from providers.request import ToolChoice


@dataclass(frozen=True, slots=True)
class Asked:
    """What the arguments ask for. `tools` are names with commas between them, None for all."""

    text: str
    opening: Opening
    tools: str | None
    tool_choice: str
    as_json: bool


def command(texts: Messages) -> Taught:
    """`ask` in a language."""

    def run(
        text: str,
        provider: str | None,
        dialect: str | None,
        model: str | None,
        base_url: str | None,
        fault: str | None,
        speed: float | None,
        tools: str | None,
        tool_choice: str,
        as_json: bool,
        language: str | None,
    ) -> int:
        message = sys.stdin.read() if text == "-" else text
        if not message.strip():
            raise click.UsageError(texts("cli.ask.empty"))
        opening = Opening(provider, dialect, model, base_url, fault, speed)
        return asyncio.run(_ask(Asked(message, opening, tools, tool_choice, as_json), texts))

    return taught(
        "ask",
        texts,
        run,
        [
            click.Argument(["text"], metavar=texts("cli.metavar.text")),
            *connection_options(texts),
            click.Option(
                ["--tools"], metavar=texts("cli.metavar.names"), help=texts("cli.option.tools")
            ),
            click.Option(
                ["--tool-choice"],
                default="auto",
                metavar=texts("cli.metavar.choice"),
                help=texts("cli.option.tool_choice"),
            ),
            json_option(texts),
        ],
    )


async def _ask(asked: Asked, texts: Messages) -> int:
    from app.cli.answer import Answer
    from app.cli.refusals import refused
    from app.cli.telling import Teller
    from providers.catalogue import CatalogueError

    session = _open(asked, texts)
    teller = None if asked.as_json else Teller(texts)
    try:
        answer = Answer(session.origin)
        await _send(session, asked.text, answer, teller)
    except CatalogueError as error:
        raise refused(error, texts) from error
    finally:
        await session.close()
    if teller is None:
        write_json(answer.as_json())
    return answer.code


def _open(asked: Asked, texts: Messages) -> Session:
    from app.session import open_session

    tools = None if asked.tools is None else _tool_names(asked.tools, texts)
    session = open_session(language=texts.language, tools=tools)
    session.choice = asked.opening.choice(session.choice)
    session.tool_choice = _tool_choice(asked.tool_choice, session.toolbox.names, texts)
    for problem in session.problems:
        write_line(problem.describe(texts), style="dim", err=True)
    return session


async def _send(session: Session, text: str, answer: Answer, teller: Teller | None) -> None:
    """Raises BrokenPipeError, once everything is in order, when the reader has gone."""
    task = asyncio.current_task()
    closed: BrokenPipeError | None = None

    def emit(event: Event) -> None:
        nonlocal closed
        answer.take(event)
        if teller is None or closed is not None:
            return
        try:
            teller.tell(event)
        except BrokenPipeError as error:
            closed = error
            if task is not None:
                task.cancel()

    try:
        await session.send(text, emit)
    except asyncio.CancelledError:
        # Ctrl+C, or nobody reads: the agent has left all in order, and the answer says so.
        if task is not None:
            task.uncancel()
    if closed is not None:
        raise closed


def _tool_names(wanted: str, texts: Messages) -> tuple[str, ...]:
    from tools.demo import demo_toolbox

    names = tuple(name.strip() for name in wanted.split(",") if name.strip())
    if names == ("none",):
        return ()
    toolbox = demo_toolbox()
    if unknown := toolbox.unknown(names):
        raise click.UsageError(_no_such_tool(unknown[0], toolbox.names, texts))
    return names


def _tool_choice(wanted: str, names: tuple[str, ...], texts: Messages) -> ToolChoice:
    from providers.request import Choose, OneTool

    if wanted in set(Choose):
        return Choose(wanted)
    if wanted not in names:
        raise click.UsageError(_no_such_tool(wanted, names, texts))
    return OneTool(wanted)


def _no_such_tool(name: str, known: tuple[str, ...], texts: Messages) -> str:
    return texts("cli.no_such_tool", name=repr(name), known=", ".join(known) or "–")
