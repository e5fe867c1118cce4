"""`vitral simulate`: the simulator as a real server, for any client on this machine.

It serves until it is interrupted. Where it can be reached is the first thing that it prints.
"""

from __future__ import annotations

import asyncio
import socket
from typing import TYPE_CHECKING

import click

from app.cli.codes import Code
from app.cli.judging import judged
from app.cli.options import fault_options, json_option, record_option, scene_option
from app.cli.output import write_json, write_line
from app.cli.sources import Source, served
from app.cli.teaching import Taught, taught
from app.messages import Messages

if TYPE_CHECKING:
    from providers.exchange import Handler

PATHS = {
    "OPENAI_BASE_URL": "/v1",
    "ANTHROPIC_BASE_URL": "",
    "GOOGLE_GEMINI_BASE_URL": "",
}
"""What the official clients obey → what follows the server's address there."""

HIGHEST_PORT = 65535


def command(texts: Messages) -> Taught:
    """`simulate` in a language."""

    def run(
        port: int,
        fault: str | None,
        fault_times: int | None,
        fault_seed: int,
        speed: float,
        cassette: str | None,
        record: str | None,
        record_from: str | None,
        scene: str | None,
        verdict: bool,
        as_json: bool,
        language: str | None,
    ) -> int:
        source = Source(speed, fault, fault_times, fault_seed, cassette, record, record_from, scene)
        with served(source, texts) as handler:
            listening = _listen(port, texts)
            _announce(listening, texts, as_json=as_json)
            if verdict:
                with judged(handler, texts, as_json=as_json) as watched:
                    asyncio.run(_serve(watched, listening))
            else:
                asyncio.run(_serve(handler, listening))
        return Code.ANSWERED

    return taught(
        "simulate",
        texts,
        run,
        [
            click.Option(
                ["--port"],
                type=click.IntRange(0, HIGHEST_PORT),
                default=0,
                metavar=texts("cli.metavar.number"),
                help=texts("cli.option.port"),
            ),
            *fault_options(texts),
            click.Option(
                ["--speed"],
                type=click.FloatRange(min=0),
                default=1.0,
                metavar=texts("cli.metavar.number"),
                help=texts("cli.option.serving_speed"),
            ),
            click.Option(
                ["--cassette"],
                metavar=texts("cli.metavar.cassette"),
                help=texts("cli.option.cassette"),
            ),
            record_option(texts),
            click.Option(
                ["--record-from"],
                metavar=texts("cli.metavar.provider"),
                help=texts("cli.option.record_from"),
            ),
            scene_option(texts),
            click.Option(["--verdict"], is_flag=True, help=texts("cli.option.verdict")),
            json_option(texts),
        ],
    )


def _listen(port: int, texts: Messages) -> socket.socket:
    from providers.simulator.http import listen

    try:
        return listen(port)
    except OSError as problem:
        said = texts("cli.simulate.taken", port=port, problem=problem.strerror or problem)
        raise click.UsageError(said) from problem


def _announce(listening: socket.socket, texts: Messages, *, as_json: bool) -> None:
    from providers.simulator.http import address
    from providers.simulator.models import MODELS, SERVED
    from providers.simulator.quirks import QUIRKS

    url = address(listening)
    variables = {name: url + path for name, path in PATHS.items()}
    if as_json:
        port = listening.getsockname()[1]
        write_json({"url": url, "port": port, "environment": variables, "models": list(SERVED)})
        return
    write_line(texts("cli.simulate.serving", url=url), style="bold")
    for name, value in variables.items():
        write_line(f"  {name}={value}")
    write_line(texts("cli.simulate.models", models=", ".join(MODELS)), style="dim")
    write_line(texts("cli.simulate.quirks", models=", ".join(QUIRKS)), style="dim")
    write_line(texts("cli.simulate.stop"), style="dim")


async def _serve(handler: Handler, listening: socket.socket) -> None:
    from providers.simulator.http import serving

    async with serving(handler, listening) as running:
        await asyncio.wait([running])
