"""What can go wrong between a healthy answer and its reader, on request and repeatably.

`catalogue` names the faults, `lab` lets them strike before any server, `connections` does so on
the network. What a fault does to bytes is in the other files, by what it touches.
"""

from providers.faults.catalogue import FAMILIES, FAULTS
from providers.faults.fault import Fails, Fault, Outcome, Sight
from providers.faults.lab import FaultPlan, Lab, UnknownFault, find_fault

__all__ = [
    "FAMILIES",
    "FAULTS",
    "Fails",
    "Fault",
    "FaultPlan",
    "Lab",
    "Outcome",
    "Sight",
    "UnknownFault",
    "find_fault",
]
