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
from app.cli.options import connection_options, json_option, record_option
from app.cli.output import write_json, write_line
from app.cli.teaching import Taught, taught
from app.messages import Messages

if TYPE_CHECKING:
    from app.attempts import Emit
    from app.cli.answer import Answer
    from app.cli.telling import Teller
    from app.events import Event
    from app.session import Session
    from providers.request import ToolChoice


@dataclass(frozen=True, slots=True)
class Asked:
    """What the arguments ask for. `tools` are names with commas between them, None for all;
    without a `text` the chat `resume` goes on by itself."""

    text: str | None
    opening: Opening
    tools: str | None
    tool_choice: str
    approve: str | None
    resume: str | None
    record: str | None
    as_json: bool


def command(texts: Messages) -> Taught:
    """`ask` in a language."""

    def run(
        text: str | None,
        provider: str | None,
        dialect: str | None,
        model: str | None,
        base_url: str | None,
        fault: str | None,
        fault_times: int | None,
        fault_seed: int,
        speed: float | None,
        scene: str | None,
        tools: str | None,
        tool_choice: str,
        approve: str | None,
        resume: str | None,
        record: str | None,
        as_json: bool,
        language: str | None,
    ) -> int:
        if text is None and resume is None:
            context = click.get_current_context()
            raise click.MissingParameter(ctx=context, param=context.command.params[0])
        message = sys.stdin.read() if text == "-" else text
        if message is not None and not message.strip():
            raise click.UsageError(texts("cli.ask.empty"))
        opening = Opening(
            provider, dialect, model, base_url, fault, fault_times, fault_seed, speed, scene
        )
        asked = Asked(message, opening, tools, tool_choice, approve, resume, record, as_json)
        return asyncio.run(_ask(asked, texts))

    return taught("ask", texts, run, _params(texts))


def _params(texts: Messages) -> list[click.Parameter]:
    def named(option: str, metavar: str, default: str | None = None) -> click.Option:
        about = texts(f"cli.option.{option}")
        flag = f"--{option.replace('_', '-')}"
        return click.Option([flag], default=default, metavar=texts(metavar), help=about)

    return [
        click.Argument(["text"], metavar=texts("cli.metavar.text"), required=False),
        *connection_options(texts),
        named("tools", "cli.metavar.names"),
        named("tool_choice", "cli.metavar.choice", "auto"),
        named("approve", "cli.metavar.approve"),
        named("resume", "cli.metavar.chat"),
        record_option(texts),
        json_option(texts),
    ]


async def _ask(asked: Asked, texts: Messages) -> int:
    from app.cli.answer import Answer
    from app.cli.refusals import refused
    from app.cli.tapes import recording
    from app.cli.telling import Teller
    from providers.catalogue import CatalogueError

    session = _open(asked, texts)
    teller = None if asked.as_json else Teller(texts, session.permissions.unasked)
    try:
        if asked.resume is not None:
            await _open_chat(session, asked.resume, texts)
        answer = Answer(session.origin, session.shelf.whole)
        with recording(session, asked.record, texts):
            await _send(session, asked.text, answer, teller)
    except CatalogueError as error:
        raise refused(error, texts) from error
    finally:
        await session.close()
    if teller is None:
        write_json({**answer.as_json(), "chat": session.chat.id})
    return answer.code


def _open(asked: Asked, texts: Messages) -> Session:
    from app.cli.approving import approval, asker
    from app.own_tools import describe_problem
    from app.session import open_session

    session = open_session(language=texts.language)
    known = session.shelf.whole.names
    if asked.tools is not None:
        session.shelf.only = _tool_names(asked.tools, known, texts)
    session.choice = asked.opening.choice(session.choice)
    session.tool_choice = _tool_choice(asked.tool_choice, session.toolbox.names, texts)
    session.permissions.ask = asker(texts)
    if asked.approve is not None:
        session.permissions.approved = approval(asked.approve, known, texts)
    for problem in session.problems:
        write_line(problem.describe(texts), style="dim", err=True)
    for own in session.shelf.own.problems:
        write_line(describe_problem(own, texts), style="dim", err=True)
    return session


async def _open_chat(session: Session, wanted: str, texts: Messages) -> None:
    """Open the chat of this number, or the one that changed last."""
    from app.conversations import NoSuchChatError

    newest = await session.store.list(1) if wanted == "last" else ()
    chat_id = newest[0].id if newest else int(wanted) if wanted.isdecimal() else 0
    try:
        await session.open_chat(chat_id)
    except (NoSuchChatError, OverflowError) as error:
        raise click.UsageError(texts("cli.ask.no_such_chat", name=repr(wanted))) from error


async def _work(session: Session, text: str | None, emit: Emit) -> None:
    """Send the message; without one, go on with the chat unless it has its answer."""
    from app.events import AnswerEnded, Done, Ending
    from providers.history import AssistantTurn

    match session.history[-1:]:
        case (AssistantTurn() as answer,) if text is None:
            emit(AnswerEnded(answer))
            emit(Done(Ending.ANSWERED))
        case _:
            await session.send(text, emit)


async def _send(session: Session, text: str | None, answer: Answer, teller: Teller | None) -> None:
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
        await _work(session, text, emit)
    except asyncio.CancelledError:
        # Ctrl+C, or nobody reads: the agent has left all in order, and the answer says so.
        if task is not None:
            task.uncancel()
    if closed is not None:
        raise closed


def _tool_names(wanted: str, known: tuple[str, ...], texts: Messages) -> tuple[str, ...]:
    names = tuple(name.strip() for name in wanted.split(",") if name.strip())
    if names == ("none",):
        return ()
    if unknown := [name for name in names if name not in known]:
        raise click.UsageError(_no_such_tool(unknown[0], known, texts))
    return names


def _tool_choice(wanted: str, names: tuple[str, ...], texts: Messages) -> ToolChoice:
    from providers.request import OneTool, tool_choice_of

    choice = tool_choice_of(wanted)
    if isinstance(choice, OneTool) and wanted not in names:
        raise click.UsageError(_no_such_tool(wanted, names, texts))
    return choice


def _no_such_tool(name: str, known: tuple[str, ...], texts: Messages) -> str:
    return texts("cli.no_such_tool", name=repr(name), known=", ".join(known) or "–")
