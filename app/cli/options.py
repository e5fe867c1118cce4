"""Which options say whom to ask? The app and `ask` share them."""

from __future__ import annotations

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
        fault_option(texts),
        click.Option(
            ["--speed"],
            type=click.FloatRange(min=0, min_open=True),
            metavar=texts("cli.metavar.number"),
            help=texts("cli.option.speed"),
        ),
        scene_option(texts),
    ]


def fault_option(texts: Messages) -> click.Option:
    """`--fault`, the name of something that the simulator can do wrong."""

    def check(_: click.Context, option: click.Parameter, value: str | None) -> str | None:
        if value is None:
            return None
        from providers.simulator import FAULTS

        if value not in FAULTS:
            said = texts("cli.no_such_fault", name=repr(value), known=", ".join(FAULTS))
            raise click.BadParameter(said, param=option)
        return value

    return click.Option(
        ["--fault"],
        callback=check,
        metavar=texts("cli.metavar.name"),
        help=texts("cli.option.fault"),
    )


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


def theme_option(texts: Messages) -> click.Option:
    """`--theme`, the app's colours."""
    return click.Option(["--theme"], type=click.Choice(THEMES), help=texts("cli.option.theme"))


def json_option(texts: Messages) -> click.Option:
    """`--json`: JSON on standard output, and nothing else there."""
    return click.Option(["--json", "as_json"], is_flag=True, help=texts("cli.option.json"))
