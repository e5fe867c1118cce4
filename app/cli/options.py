"""Which options say whom to ask? The app and `ask` share them."""

from __future__ import annotations

from collections.abc import Callable

import click

from app.messages import Messages
from app.safe_text import safe
from providers.dialects import DIALECT_IDS

THEMES = ("dark", "light", "high-contrast")
"""The app's themes, named here too so that no command line loads the screen."""


def connection_options(texts: Messages) -> list[click.Option]:
    """Provider, dialect, model, address, and what only the simulator obeys."""
    return [
        click.Option(
            ["--provider"], metavar=texts("cli.metavar.id"), help=texts("cli.option.provider")
        ),
        dialect_option(texts),
        click.Option(
            ["--model"], metavar=texts("cli.metavar.name"), help=texts("cli.option.model")
        ),
        click.Option(
            ["--base-url"], metavar=texts("cli.metavar.url"), help=texts("cli.option.base_url")
        ),
        *fault_options(texts),
        click.Option(
            ["--speed"],
            type=click.FloatRange(min=0, min_open=True),
            metavar=texts("cli.metavar.number"),
            help=texts("cli.option.speed"),
        ),
        scene_option(texts),
    ]


def fault_options(texts: Messages) -> list[click.Option]:
    """`--fault`, what the simulator is to do wrong, and how often and where it strikes."""
    number = texts("cli.metavar.number")
    return [
        click.Option(
            ["--fault"],
            callback=_fault_check(texts),
            metavar=texts("cli.metavar.names"),
            help=texts("cli.option.fault"),
        ),
        click.Option(
            ["--fault-times"],
            type=click.IntRange(min=1),
            metavar=number,
            help=texts("cli.option.fault_times"),
        ),
        click.Option(
            ["--fault-seed"],
            type=int,
            default=0,
            metavar=number,
            help=texts("cli.option.fault_seed"),
        ),
    ]


def _fault_check(texts: Messages) -> Callable[..., str | None]:
    """A check that every name with commas around it is one of a fault."""

    def check(_: click.Context, option: click.Parameter, value: str | None) -> str | None:
        if value is None:
            return None
        from providers.faults import FaultPlan, UnknownFault

        try:
            if not FaultPlan.read(value).faults:
                raise UnknownFault(value)
        except UnknownFault as error:
            key = "cli.no_such_fault.near" if error.near else "cli.no_such_fault"
            said = texts(key, name=repr(error.wanted), near=", ".join(error.near))
            raise click.BadParameter(said, param=option) from error
        return value

    return check


def scene_option(texts: Messages) -> click.Option:
    """`--scene`, the name or the file of what the simulator plays."""

    def check(_: click.Context, option: click.Parameter, value: str | None) -> str | None:
        if value is None:
            return None
        from app.scene_words import describe_error
        from providers.simulator.scenes import SceneError, find_scene

        try:
            find_scene(value)
        except SceneError as error:
            said = "\n".join(safe(line) for line in describe_error(error, texts))
            raise click.BadParameter(said, param=option) from error
        return value

    return click.Option(
        ["--scene"],
        callback=check,
        metavar=texts("cli.metavar.scene"),
        help=texts("cli.option.scene"),
    )


def dialect_option(texts: Messages, *, required: bool = False) -> click.Option:
    """`--dialect`, the wire format."""
    return click.Option(
        ["--dialect"],
        type=click.Choice(DIALECT_IDS),
        required=required,
        help=texts("cli.option.dialect"),
    )


def record_option(texts: Messages) -> click.Option:
    """`--record`, the file that what goes over the wire is written to."""
    return click.Option(
        ["--record"],
        metavar=texts("cli.metavar.cassette"),
        help=texts("cli.option.record"),
    )


def theme_option(texts: Messages) -> click.Option:
    """`--theme`, the app's colours."""
    return click.Option(["--theme"], type=click.Choice(THEMES), help=texts("cli.option.theme"))


def json_option(texts: Messages) -> click.Option:
    """`--json`: JSON on standard output, and nothing else there."""
    return click.Option(["--json", "as_json"], is_flag=True, help=texts("cli.option.json"))
