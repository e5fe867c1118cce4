"""What does the model say next? The brain makes a `Reply`; a dialect's writer writes it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from providers.simulator.conversation import Conversation
from providers.simulator.dice import Dice
from providers.simulator.models import Model

CHARACTERS_PER_TOKEN = 4
"""About what the real ones need; counts are made from it."""


@dataclass(frozen=True, slots=True)
class Ask:
    """A call to make; `arguments` is the JSON text that goes out.

    `cut` says that the limit of tokens was reached inside it."""

    name: str
    arguments: str
    cut: bool = False


Item: TypeAlias = str | Ask


@dataclass(frozen=True, slots=True)
class Reply:
    """Texts and calls in order, after some reasoning or none.

    `cut` says that the limit of tokens was reached before its end."""

    items: tuple[Item, ...]
    reasoning: str = ""
    cut: bool = False

    @property
    def calls(self) -> bool:
        return any(isinstance(item, Ask) for item in self.items)


@dataclass(frozen=True, slots=True)
class Tokens:
    """The counts of one exchange: about four characters are one token."""

    input: int
    output: int
    reasoning: int

    @property
    def total(self) -> int:
        return self.input + self.output


@dataclass(frozen=True, slots=True)
class Delivery:
    """All that a writer needs to know."""

    model: Model
    conversation: Conversation
    reply: Reply
    dice: Dice

    def call_id(self, prefix: str, length: int) -> str:
        """An id for a call."""
        return self.dice.id(prefix, length)

    @property
    def tokens(self) -> Tokens:
        reasoning = _tokens(self.reply.reasoning)
        said = (i if isinstance(i, str) else i.name + i.arguments for i in self.reply.items)
        return Tokens(
            input=12 + self.conversation.characters // 4 + 40 * len(self.conversation.tools),
            output=reasoning + sum(_tokens(text) for text in said),
            reasoning=reasoning,
        )


def _tokens(text: str) -> int:
    return (len(text) + CHARACTERS_PER_TOKEN - 1) // CHARACTERS_PER_TOKEN
