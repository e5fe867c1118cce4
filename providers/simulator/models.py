"""Which models does the simulator serve, and what is each one able to do?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Model:
    """A simulated model. `thinks`: it shows reasoning before it answers. `signs`: in Gemini's
    dialect its calls carry an id and a thought signature, which must come back with them."""

    name: str
    thinks: bool = False
    signs: bool = False


DEFAULT_MODEL = "vitral-sim"

MODELS: Mapping[str, Model] = {
    model.name: model
    for model in (
        Model(DEFAULT_MODEL),
        Model("vitral-sim-thinking", thinks=True),
        Model("gemini-3-sim", signs=True),
        Model("gemini-3-sim-thinking", thinks=True, signs=True),
    )
}
"""Name → model, the default one first."""
