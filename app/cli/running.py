"""How does one run of the command line end? The language first, then the command, then the code.

Every way out comes through `run`: answers of commands, errors of usage, Ctrl+C, and a reader that
has closed the pipe. Errors are written to standard error, safe to show, in the person's language.
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Sequence
from pathlib import Path

import click

from app.cli.codes import Code
from app.cli.commands import root
from app.cli.language import speak, spoken_language, wanted_language
from app.cli.strangers import strangers_aside
from app.messages import Messages
from app.safe_text import safe


def run(arguments: Sequence[str]) -> int:
    """Do what the arguments say; the exit code."""
    _open_what_is_closed()
    texts = Messages(spoken_language(wanted_language(arguments)))
    speak(texts.language)
    _bear_any_character()
    try:
        with strangers_aside():
            code = root(texts).main(list(arguments), prog_name="vitral", standalone_mode=False)
        sys.stdout.flush()
    except click.ClickException as error:
        show_error(error, texts)
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        return Code.STOPPED
    except BrokenPipeError:
        return _close_quietly()
    except Exception as error:  # noqa: BLE001 - the last door: written down, and told by its code
        click.echo(texts("cli.error", message=safe(_unexpected(error, texts))), err=True)
        return Code.FAILED
    if code == Code.PIPE_CLOSED:
        return _close_quietly()
    return code if isinstance(code, int) else Code.ANSWERED


def show_error(error: click.ClickException, texts: Messages) -> None:
    """Say what is wrong, how the command is used, and where its help is."""
    context = error.ctx if isinstance(error, click.UsageError) else None
    if context is not None:
        click.echo(context.get_usage(), err=True)
        click.echo(texts("cli.try_help", command=f"{context.command_path} --help"), err=True)
        click.echo(err=True)
    click.echo(texts("cli.error", message=safe(error.format_message())), err=True)


def _unexpected(error: Exception, texts: Messages) -> str:
    """What the person reads of an error that should not be; the rest is in the diagnostics."""
    from app.diagnostics import Diagnostics
    from app.places import find_places

    diagnostics = Diagnostics(find_places().diagnostics)
    reference = diagnostics.record(error)
    match error:
        case OSError(filename=name, strerror=str(why)):
            # The person's own machine says no: a full disk, a folder that cannot be written.
            return texts("cli.refused_by_system", what=f"{name}: {why}" if name else why)
    if diagnostics.problem is not None:
        return texts("cli.unexpected.unrecorded", problem=diagnostics.problem.strerror)
    return texts("cli.unexpected", reference=reference)


def _open_what_is_closed() -> None:
    """Streams that a shell closed (`>&-`), or that a program without a console never had, lead
    nowhere: the answer is nobody's then, and no error of ours. Comes before any file is opened,
    which would get the closed stream's number."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115 - for good


def _bear_any_character() -> None:
    """What an encoding lacks, or what comes in another one, becomes a sign, not an exception."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def _close_quietly() -> int:
    """Nobody reads any more: let the interpreter's last flush go nowhere."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
    return Code.PIPE_CLOSED
