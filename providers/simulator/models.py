"""Which models does the simulator serve, and what is each one able to do?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from providers.simulator.quirks import QUIRKS, THINKING


@dataclass(frozen=True, slots=True)
class Model:
    """A simulated model. `thinks`: it shows reasoning before it answers. `signs`: in Gemini's
    dialect its calls carry an id and a thought signature, which must come back with them; the
    older ones have neither. `partial_args`: there, too, arguments come in pieces, as on Vertex."""

    name: str
    thinks: bool = False
    signs: bool = False
    partial_args: bool = False


DEFAULT_MODEL = "vitral-sim"

MODELS: Mapping[str, Model] = {
    model.name: model
    for model in (
        Model(DEFAULT_MODEL),
        Model("vitral-sim-thinking", thinks=True),
        Model("gemini-2.5-sim", thinks=True),
        Model("gemini-3-sim", signs=True),
        Model("gemini-3-sim-thinking", thinks=True, signs=True),
        Model("gemini-3-sim-partial-args", signs=True, partial_args=True),
    )
}
"""Name → model, the default one first."""

SERVED: Mapping[str, Model] = {
    **MODELS,
    **{name: Model(name, thinks=name in THINKING) for name in QUIRKS},
}
"""These and those that have a quirk of an OpenAI-compatible server."""
