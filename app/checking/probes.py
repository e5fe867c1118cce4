"""Which requests does the suite send? Each serves as many checks as it can.

All of them are short, and all in English: what a model is asked must be the same everywhere.
"""

from __future__ import annotations

from dataclasses import dataclass

from app.checking.offers import LIST, LOOKUP, NAMELESS, WRITE, Offer
from providers.request import Choose, OneTool, ToolChoice
from tools.cost import tokens_estimate

LIMIT = 30
"""The most requests of a run, second tries included."""

UNICODE = "ação 日本語 🪟 Ωmega"
LONG = " ".join(str(number) for number in range(1, 201))
"""About 700 characters that a model can write without a mistake."""

_ANSWER_TOKENS = 60
"""About what a short answer takes."""


@dataclass(frozen=True, slots=True)
class Probe:
    """One request. `after` names the probe whose calls it answers; `leaves` closes the answer at
    its first text; `model` and `key` stand in for the right ones; `lists` asks which models there
    are, and nothing else."""

    name: str
    text: str = ""
    offers: tuple[Offer, ...] = ()
    choice: ToolChoice = Choose.AUTO
    after: str = ""
    leaves: bool = False
    model: str = ""
    key: str = ""
    lists: bool = False

    @property
    def plain(self) -> bool:
        """Whether any server that is set up rightly must answer it."""
        return not (self.offers or self.after or self.model or self.key or self.lists)


_PROBES = (
    Probe("text", "Say hello in one short sentence."),
    Probe("call", "What is my height?", (LOOKUP, LIST)),
    Probe("answered", after="call"),
    Probe("parallel", "What are my height and my weight? Look up both at once.", (LOOKUP,)),
    Probe("both-answered", after="parallel"),
    Probe("files", "Which files are there? List my files.", (LOOKUP, LIST)),
    Probe("forced", "Say hello.", (LOOKUP, LIST), OneTool(LIST.name)),
    Probe("required", "Say hello.", (LOOKUP, LIST), Choose.REQUIRED),
    Probe("none", "What is my height?", (LOOKUP,), Choose.NONE),
    Probe("unicode", f'Write "{UNICODE}" to unicode.txt.', (WRITE,)),
    Probe("long", f'Write "{LONG}" to numbers.txt.', (WRITE,)),
    Probe("off-schema", "Use the tool to look up my shoe size.", (LOOKUP,)),
    Probe("nameless", "Say hello.", (NAMELESS,)),
    Probe("left", "Tell me a long story.", leaves=True),
    Probe("next", "Say hello once more."),
    Probe("models", lists=True),
    Probe("no-model", "Say hello.", model="vitral-no-such-model"),
    Probe("no-key", "Say hello.", key="vitral-wrong-key"),
)
PROBES = {probe.name: probe for probe in _PROBES}


def with_earlier(names: frozenset[str]) -> tuple[Probe, ...]:
    """The probes of these names and those that they follow, in the order of asking."""
    needed = names | {PROBES[name].after for name in names}
    return tuple(probe for probe in _PROBES if probe.name in needed)


def tokens_about(probe: Probe) -> int:
    """About how many tokens a probe costs, question and answer."""
    if probe.lists:
        return 0
    if probe.after:
        return tokens_about(PROBES[probe.after])
    asked = {"text": probe.text, "tools": [offer.spec.parameters for offer in probe.offers]}
    echoed = len(probe.text) // 4 if WRITE in probe.offers else 0
    return tokens_estimate(asked) + echoed + _ANSWER_TOKENS
