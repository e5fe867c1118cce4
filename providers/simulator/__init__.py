"""A provider of our own, in the process: no network, no key, the bytes of a real one.

It stands on the other side of the wire and shares no code with what reads it.
"""

from providers.faults import FAULTS
from providers.simulator.models import DEFAULT_MODEL, MODELS
from providers.simulator.server import SeenRequest, Simulator

__all__ = ["DEFAULT_MODEL", "FAULTS", "MODELS", "SeenRequest", "Simulator"]
