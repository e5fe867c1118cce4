"""Which language does the command line speak?

It must be known before anything is parsed, because the parser's own errors and the help are
texts too: so `--language` is looked for in the raw arguments. Click's own sentences come from a
gettext catalogue of their own, `click.po`, through the mechanism that Click documents.
"""

from __future__ import annotations

import gettext
import os
import tomllib
from collections.abc import Sequence
from importlib.resources import files

import click

from app.messages import LANGUAGES, Messages, find_language, language_of_environment
from app.places import find_places

OPTION = "--language"
CLICK_DOMAIN = "click"


def wanted_language(arguments: Sequence[str]) -> str | None:
    """The catalogue that `--language` asks for; None without it, or for one we do not have."""
    wanted = None
    for place, argument in enumerate(arguments):
        if argument == "--":
            break
        if argument == OPTION:
            wanted = "".join(arguments[place + 1 : place + 2])
        elif argument.startswith(f"{OPTION}="):
            wanted = argument.removeprefix(f"{OPTION}=")
    return find_language(wanted) if wanted else None


def spoken_language(wanted: str | None) -> str:
    """The language of one run: what the arguments want, else what the person chose in the app,
    else what the environment speaks."""
    return wanted or _chosen_language() or language_of_environment()


def _chosen_language() -> str | None:
    """The settings' language. Whoever loads the settings tells their mistakes; here a file with
    one only chooses nothing."""
    try:
        settings = tomllib.loads(find_places().settings.read_text("utf-8-sig"))
    except (OSError, ValueError):
        return None
    chosen = settings.get("language")
    return find_language(chosen) if isinstance(chosen, str) else None


def speak(language: str) -> None:
    """Let Click's own sentences be in this language."""
    os.environ["LANGUAGE"] = language  # the variable that gettext obeys before all others
    gettext.bindtextdomain(CLICK_DOMAIN, str(files("locales")))
    gettext.textdomain(CLICK_DOMAIN)


def language_option(texts: Messages) -> click.Option:
    """`--language`, as every command has it; its value is the catalogue's name."""
    known = ", ".join(name.replace("_", "-") for name in LANGUAGES)

    def check(_: click.Context, option: click.Parameter, value: str | None) -> str | None:
        found = find_language(value) if value is not None else None
        if value is not None and found is None:
            said = texts("cli.no_such_language", tag=repr(value), known=known)
            raise click.BadParameter(said, param=option)
        return found

    return click.Option(
        [OPTION],
        callback=check,
        metavar=texts("cli.metavar.language"),
        help=texts("cli.option.language", known=known),
    )
