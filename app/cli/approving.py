"""Who permits writes on the command line: `--approve`, or the person at the terminal."""

from __future__ import annotations

import asyncio
import os
import sys
import threading

import click

from app.change_words import arguments_text, change_sentence, earlier_sentence
from app.cli.output import styled, write_line
from app.messages import Messages
from app.permissions import Answer, Approval, Asker, Everything, Question, Reply
from app.safe_text import safe

LINE = 4096
"""Bytes of an answer that are read at most."""


def approval(wanted: str, known: tuple[str, ...], texts: Messages) -> Approval:
    """What `--approve` names: `all`, `none`, or tools with commas between them."""
    if wanted == "all":
        return Everything()
    names = [name.strip() for name in wanted.split(",") if name.strip()]
    if names == ["none"]:
        return frozenset()
    if unknown := [name for name in names if name not in known]:
        said = texts("cli.no_such_tool", name=repr(unknown[0]), known=", ".join(known) or "–")
        raise click.UsageError(said)
    return frozenset(names)


def asker(texts: Messages) -> Asker | None:
    """Asks at the terminal; None when nobody sits there: questions need an eye and a hand."""
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        return None

    async def ask(question: Question) -> Answer:
        _show(question, texts)
        while True:
            click.echo(f"{texts('cli.approve.keys')} ", nl=False, err=True)
            line = await _line()
            if line is None:
                return Answer(Reply.NO)
            answer = understood(line, texts)
            if answer is not None:
                return answer

    return ask


def understood(line: str, texts: Messages) -> Answer | None:
    """y, a or n (with a word for the model), or their names in the person's language."""
    said, _, word = line.strip().partition(" ")
    for reply in Reply:
        if said.casefold() in texts(f"cli.approve.words.{reply.value}").split():
            return Answer(reply, word.strip() if reply is Reply.NO else "")
    return None


def _show(question: Question, texts: Messages) -> None:
    title = texts("cli.approve.question", tool=safe(question.tool.name, newlines=False))
    click.echo(styled(title, "bold", err=True), err=True)
    for line in (
        change_sentence(question.change, texts),
        earlier_sentence(question.change, texts),
        arguments_text(question.call),
    ):
        if line:
            write_line("  " + line.replace("\n", "\n  "), err=True)


async def _line() -> str | None:
    """A line from the terminal; None at its end. A thread that may wait for ever must not hold
    the program's end, so it is neither the loop's nor one that owns a buffer."""
    loop = asyncio.get_running_loop()
    read: asyncio.Future[bytes] = loop.create_future()

    def tell(data: bytes) -> None:
        if not read.done():
            read.set_result(data)

    def wait() -> None:
        try:
            data = os.read(sys.stdin.fileno(), LINE)
        except OSError:  # the terminal has gone
            data = b""
        if not loop.is_closed():
            loop.call_soon_threadsafe(tell, data)

    threading.Thread(target=wait, name="terminal", daemon=True).start()
    data = await read
    return data.decode(sys.stdin.encoding or "utf-8", "replace") if data else None
