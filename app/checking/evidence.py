"""What was heard of a provider: all that the checks judge by."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from app.checking.probes import Probe
from app.checking.verdicts import Verdict, failed, not_supported
from providers.failures import Failure, FailureKind
from providers.history import AssistantTurn, Turn
from providers.parts import Stop, Usage
from providers.secret import hide_secrets
from tools.call import BrokenCall, JsonObject, ToolCall

OWN_ID = "vitral_made_"
"""How the ids begin that we make for calls that came without one."""

_REFUSALS = (FailureKind.BAD_REQUEST, FailureKind.NOT_FOUND)
_QUOTED = 160


@dataclass(frozen=True, slots=True)
class Heard:
    """One probe and what came of it: a `turn`, a `failure`, or neither when we left early.

    `sent` is the request's body, `raw` the answer's; `history` leads to the turn. `models` is
    what a list of models holds.
    """

    probe: Probe
    sent: JsonObject = field(default_factory=dict)
    raw: bytes = b""
    history: tuple[Turn, ...] = ()
    turn: AssistantTurn | None = None
    usage: Usage | None = None
    failure: Failure | None = None
    models: tuple[str, ...] = ()

    @property
    def calls(self) -> tuple[ToolCall, ...]:
        """The whole calls of the answer."""
        calls = self.turn.calls if self.turn else ()
        return tuple(call for call in calls if isinstance(call, ToolCall))

    @property
    def broken(self) -> tuple[BrokenCall, ...]:
        """The calls of the answer whose arguments are no JSON object."""
        calls = self.turn.calls if self.turn else ()
        return tuple(call for call in calls if isinstance(call, BrokenCall))

    @property
    def text(self) -> str:
        return self.turn.text if self.turn else ""

    @property
    def trouble(self) -> Verdict | None:
        """The verdict where there is no whole answer to judge."""
        if self.failure is not None:
            if self.probe.offers and self.failure.kind in _REFUSALS:
                return not_supported("refused", said=quoted(self.failure))
            return failed("no_answer", kind=self.failure.kind.value)
        if self.turn is not None and self.turn.stop is Stop.LENGTH:
            return failed("cut_short")
        return None


@dataclass(frozen=True, slots=True)
class Evidence:
    """All that was heard, by the probe's name."""

    dialect: str
    model: str
    heard: Mapping[str, Heard]

    def __getitem__(self, probe: str) -> Heard:
        return self.heard[probe]

    @property
    def ever_called(self) -> bool:
        """Whether the model called any tool in any answer."""
        return any(heard.turn and heard.turn.calls for heard in self.heard.values())

    def no_call(self, probe: str) -> Verdict | None:
        """The verdict where an answer has no whole call though it was to have one."""
        heard = self[probe]
        if heard.trouble is not None or heard.calls:
            return heard.trouble
        if heard.broken:
            return failed("broken_arguments", said=heard.broken[0].raw[:_QUOTED])
        return failed("no_call") if self.ever_called else not_supported("never_calls")


def quoted(failure: Failure) -> str:
    """What the provider said of its failure: short, and without any key."""
    return hide_secrets(failure.message or failure.body)[:_QUOTED].strip()
