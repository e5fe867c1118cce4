"""What does `vitral simulate` serve: the simulator, a cassette, or a provider behind a recorder?"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from app.cli.output import write_line
from app.cli.refusals import refused
from app.cli.tapes import blank_tape, load_tape
from app.messages import Messages

if TYPE_CHECKING:
    from providers.exchange import Handler
    from providers.faults import FaultPlan
    from providers.simulator.performance import Player
    from providers.transport import Transport


@dataclass(frozen=True, slots=True)
class Source:
    """What the arguments ask for; `record` is the file to record to, if any."""

    speed: float = 1.0
    fault: str | None = None
    fault_times: int | None = None
    fault_seed: int = 0
    cassette: str | None = None
    record: str | None = None
    record_from: str | None = None
    scene: str | None = None

    @property
    def faults(self) -> FaultPlan:
        """What is to go wrong."""
        from providers.faults import FaultPlan

        return FaultPlan.read(self.fault, seed=self.fault_seed, times=self.fault_times)


@contextmanager
def served(source: Source, texts: Messages) -> Iterator[Handler]:
    """The handler that answers; raises a click.UsageError for what cannot be served."""
    from providers.transport import Transport

    if source.record_from is not None:
        if source.cassette or source.scene:
            raise click.UsageError(texts("cli.simulate.one_source"))
        if source.record is None:
            raise click.UsageError(texts("cli.simulate.record_where"))
        address = _address(source.record_from, texts)
        with _recorded(_to_others(source), source.record, address, texts) as handler:
            yield handler
        return
    handler = _own(source, texts)
    if source.record is None:
        yield handler
        return
    with _recorded(Transport(handler=handler), source.record, "http://vitral", texts) as handler:
        yield handler


def _to_others(source: Source) -> Transport:
    """Connections to a provider, with what is to go wrong on the way back."""
    from providers.faults import Lab
    from providers.faults.connections import FaultyTransport
    from providers.transport import Transport

    return FaultyTransport(Transport(), Lab(source.faults)) if source.fault else Transport()


def _own(source: Source, texts: Messages) -> Handler:
    """An answer of ours: from a cassette, or from the simulator."""
    if source.cassette is not None:
        if source.scene is not None:
            raise click.UsageError(texts("cli.simulate.scene_or_cassette"))
        return _played(source, source.cassette, texts)
    from providers.simulator import Simulator

    simulator = Simulator(
        speed=source.speed,
        fault=source.fault,
        fault_times=source.fault_times,
        fault_seed=source.fault_seed,
        player=_player(source.scene),
        on_unmet=lambda said: write_line(said, style="bad", err=True),
    )
    return simulator.handle


def _played(source: Source, cassette: str, texts: Messages) -> Handler:
    """What a cassette recorded, with what is to go wrong on top of it."""
    from providers.faults import Lab
    from providers.player import Player as CassettePlayer
    from providers.simulator.pacing import Pace

    player = CassettePlayer(load_tape(cassette, texts), speed=source.speed)
    return Lab(source.faults, wait=Pace(source.speed, asyncio.sleep).wait).around(player.handle)


def _player(scene: str | None) -> Player | None:
    """Who plays the model: a scene, or None for the simulator itself."""
    if scene is None:
        return None
    from providers.simulator.scenes import Playing, find_scene

    return Playing(find_scene(scene))


@contextmanager
def _recorded(transport: Transport, name: str, address: str, texts: Messages) -> Iterator[Handler]:
    """A handler that asks at `address` and writes everything down."""
    from providers.forwarding import Forwarding
    from providers.recorder import RecordingTransport

    tape = blank_tape(name, texts)
    try:
        yield Forwarding(RecordingTransport(transport, tape.keep), address).handle
    finally:
        tape.close()


def _address(provider: str, texts: Messages) -> str:
    """Where the provider is, as the settings and the environment have it."""
    from app.places import find_places
    from app.settings_file import load_settings
    from providers.catalogue import CatalogueError, find_address, find_provider

    options = load_settings(find_places().settings).settings.provider_options
    try:
        return find_address(find_provider(provider, options), options=options)
    except CatalogueError as error:
        raise refused(error, texts) from error
