"""From a provider's name to a provider that can be asked.

Joins the presets with what the person's settings say of them, decides which address counts, and
says clearly what is missing. Where keys come from is for `providers.credentials`.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from providers.dialects import DIALECT_IDS
from providers.dialects import dialect as find_dialect
from providers.presets import CHAT, PRESETS, SIMULATOR, Preset

if TYPE_CHECKING:  # listing the providers, as the start does, needs no connection
    from providers.faults import FaultPlan
    from providers.provider import Provider
    from providers.secret import Secret
    from providers.simulator.scenes import Scene, SceneError
    from providers.transport import Timeouts, Transport


@dataclass(frozen=True, slots=True)
class ProviderOptions:
    """What the settings say under `[providers.NAME]`: changes to a preset, or a new provider."""

    title: str = ""
    dialect: str = ""
    address: str = ""
    key_variable: str = ""
    model: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SimulatorOptions:
    """How the simulator behaves: its pace, its seed, and the scene that it plays."""

    speed: float = 1.0
    seed: int = 0
    scene: Scene | None = None


Options = Mapping[str, ProviderOptions]


class CatalogueError(Exception):
    """A provider cannot be built from what was asked for."""


class UnknownProvider(CatalogueError):  # noqa: N818 - what it is, in the glossary's words
    """There is no provider of that id."""

    def __init__(self, wanted: str, known: tuple[str, ...]) -> None:
        super().__init__(f"no provider {wanted!r}; there are {', '.join(known)}")
        self.wanted = wanted
        self.known = known


class DialectNotSpoken(CatalogueError):  # noqa: N818 - as above
    """The provider does not speak that dialect."""

    def __init__(self, provider: str, wanted: str, spoken: tuple[str, ...]) -> None:
        super().__init__(f"{provider} does not speak {wanted!r}, but {', '.join(spoken)}")
        self.provider = provider
        self.wanted = wanted
        self.spoken = spoken


class KeyMissing(CatalogueError):  # noqa: N818 - as above
    """The provider answers nobody without a key; `variables` are the ones that could hold it."""

    def __init__(self, provider: str, variables: tuple[str, ...]) -> None:
        super().__init__(f"{provider} needs a key: set {' or '.join(variables)}")
        self.provider = provider
        self.variables = variables


class AddressMissing(CatalogueError):  # noqa: N818 - as above
    """The settings name a provider of the person's own, but not where it is."""

    def __init__(self, provider: str) -> None:
        super().__init__(f"[providers.{provider}] has no address")
        self.provider = provider


class ModelMissing(CatalogueError):  # noqa: N818 - as above
    """Neither the person nor the provider says which model to ask."""

    def __init__(self, provider: str) -> None:
        super().__init__(f"{provider} has no model of its own: name one")
        self.provider = provider


class SceneUnplayable(CatalogueError):  # noqa: N818 - as above
    """There is no such scene, or its file has mistakes; `error` says which."""

    def __init__(self, error: SceneError) -> None:
        super().__init__(str(error))
        self.error = error


def load_scene(name: str) -> Scene:
    """The scene of that name or file, read from the disk. Raises SceneUnplayable."""
    from providers.simulator.scenes import SceneError, find_scene

    try:
        return find_scene(name)
    except SceneError as error:
        raise SceneUnplayable(error) from error


def all_providers(options: Options | None = None) -> tuple[Preset, ...]:
    """The presets as the settings change them, then the person's own, by name."""
    options = options or {}
    own = sorted(set(options) - set(PRESETS))
    return tuple(find_provider(name, options) for name in (*PRESETS, *own))


def find_provider(provider: str, options: Options | None = None) -> Preset:
    """The provider of that id. Raises UnknownProvider."""
    options = options or {}
    said = options.get(provider)
    preset = PRESETS.get(provider)
    if preset is None and said is None:
        raise UnknownProvider(provider, (*PRESETS, *sorted(set(options) - set(PRESETS))))
    if preset is None:
        preset = Preset(provider, provider, (CHAT,), "", needs_key=False, known=False)
    return preset if said is None else _changed(preset, said)


def _changed(preset: Preset, said: ProviderOptions) -> Preset:
    dialects = preset.dialects
    if said.dialect:
        # What the person writes about an own provider is all that is known of it.
        others = [name for name in dialects if name != said.dialect] if preset.known else []
        dialects = (said.dialect, *others)
    keys = (said.key_variable,) if said.key_variable else ()
    return replace(
        preset,
        title=said.title or preset.title,
        dialects=dialects,
        model=said.model or preset.model,
        suggestions=preset.models,
        key_variables=(*keys, *preset.key_variables),
        needs_key=preset.needs_key or bool(keys),
    )


def find_address(
    preset: Preset,
    *,
    base_url: str | None = None,
    options: Options | None = None,
    environment: Mapping[str, str] | None = None,
) -> str:
    """What the person says now, then the settings, then the environment, then the default.

    Raises AddressMissing for a provider of the settings that has none.
    """
    environment = os.environ if environment is None else environment
    said = (options or {}).get(preset.id, ProviderOptions()).address
    variables = (environment.get(name, "") for name in preset.address_variables)
    candidates = (base_url or "", said, *variables, preset.address)
    address = next((found.strip() for found in candidates if found.strip()), "")
    if not address:
        raise AddressMissing(preset.id)
    return address.rstrip("/")


def build_provider(
    preset: Preset,
    *,
    transport: Transport,
    key: Secret | None = None,
    dialect: str | None = None,
    model: str | None = None,
    base_url: str | None = None,
    options: Options | None = None,
    simulator: SimulatorOptions | None = None,
    faults: FaultPlan | None = None,
    environment: Mapping[str, str] | None = None,
) -> Provider:
    """A provider ready to be asked. Raises a CatalogueError that says what is missing.

    `transport` carries requests to the network; the simulator, unless it is given an address,
    has one of its own. A key is not demanded at an address that is not the provider's usual
    one: what answers there, a gateway or a test, may need none. `faults` strike whoever answers.
    """
    from providers.provider import Provider

    spoken = _dialect_of(preset, dialect)
    address = find_address(preset, base_url=base_url, options=options, environment=environment)
    usual = address == preset.address
    if preset.needs_key and usual and not key:
        raise KeyMissing(preset.id, preset.key_variables)
    named = model or preset.model
    if not named:
        raise ModelMissing(preset.id)
    said = (options or {}).get(preset.id, ProviderOptions())
    if preset.id == SIMULATOR and usual:
        simulator = simulator or SimulatorOptions()
        transport = simulator_transport(simulator, transport.timeouts, faults)
    elif faults is not None:
        from providers.faults import Lab
        from providers.faults.connections import FaultyTransport

        transport = FaultyTransport(transport, Lab(faults))
    return Provider(
        id=preset.id,
        title=preset.title,
        dialect=find_dialect(spoken),
        base_url=address,
        model=named,
        transport=transport,
        key=key or None,
        headers=said.headers,
    )


def simulator_transport(
    options: SimulatorOptions, timeouts: Timeouts, faults: FaultPlan | None = None
) -> Transport:
    """A connection to a simulator in this process."""
    from providers.faults import FaultPlan, Lab
    from providers.simulator import Simulator
    from providers.simulator.pacing import Pace
    from providers.simulator.scenes import Playing
    from providers.transport import Transport

    simulator = Simulator(
        speed=options.speed,
        seed=options.seed,
        player=None if options.scene is None else Playing(options.scene),
    )
    lab = Lab(faults or FaultPlan(), wait=Pace(options.speed, asyncio.sleep).wait)
    return Transport(handler=lab.around(simulator.handle), timeouts=timeouts)


def _dialect_of(preset: Preset, wanted: str | None) -> str:
    spoken = preset.dialects
    name = wanted or spoken[0]
    if name not in spoken or name not in DIALECT_IDS:
        raise DialectNotSpoken(preset.id, name, tuple(n for n in spoken if n in DIALECT_IDS))
    return name
