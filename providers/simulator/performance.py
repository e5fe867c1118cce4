"""What does whoever plays the model want done with one request?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from providers.faults import FaultPlan
from providers.simulator.conversation import Conversation
from providers.simulator.pacing import STEADY, Rhythm
from providers.simulator.reply import Reply

NO_FAULTS = FaultPlan()


@dataclass(frozen=True, slots=True)
class Performance:
    """One answer: what is said, how fast, and what goes wrong on its way. `unmet` is what the
    client should have done otherwise, in words for its author; then nothing else counts."""

    reply: Reply
    rhythm: Rhythm = STEADY
    faults: FaultPlan = NO_FAULTS
    unmet: str = ""


class Player(Protocol):
    """Who plays the model. Asked once for each request, and may remember those before."""

    def perform(self, conversation: Conversation, *, thinks: bool) -> Performance: ...
