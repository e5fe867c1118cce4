"""Whom does the person want to ask, and with what going wrong on the way?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from providers.presets import SIMULATOR

if TYPE_CHECKING:
    from providers.faults import FaultPlan


@dataclass(frozen=True, slots=True)
class Choice:
    """Whom to ask; `scene` is a name or a file. None leaves it to the settings, and then to the
    provider's own default."""

    provider: str = SIMULATOR
    dialect: str | None = None
    model: str | None = None
    base_url: str | None = None
    fault: str | None = None
    fault_times: int | None = None
    fault_seed: int = 0
    speed: float | None = None
    scene: str | None = None

    @property
    def faults(self) -> FaultPlan | None:
        """What is to go wrong; None for nothing. Raises `providers.faults.UnknownFault`."""
        if self.fault is None:
            return None
        from providers.faults import FaultPlan

        return FaultPlan.read(self.fault, seed=self.fault_seed, times=self.fault_times)

    @property
    def fault_names(self) -> tuple[str, ...]:
        """The faults that are switched on, the one nearest to the server first."""
        return tuple(fault.name for fault in self.faults.faults) if self.faults else ()
