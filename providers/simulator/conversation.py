"""What was said so far, whatever dialect said it?

Each dialect's reader turns a request's body into a `Conversation`; the brain knows nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from tools.call import JsonObject


@dataclass(frozen=True, slots=True)
class UserText:
    """One text of the person's."""

    text: str


@dataclass(frozen=True, slots=True)
class ModelText:
    """One text of the model's."""

    text: str


@dataclass(frozen=True, slots=True)
class AskedCall:
    """A call that the model made; `arguments` is JSON text, perhaps broken."""

    call_id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class GivenResult:
    """What a call gave: JSON or plain `text`. `failed` when it says that it is an error."""

    call_id: str
    text: str
    failed: bool


Entry: TypeAlias = UserText | ModelText | AskedCall | GivenResult


@dataclass(frozen=True, slots=True)
class OfferedTool:
    """A tool that the model may call now, with the schema of its arguments."""

    name: str
    schema: JsonObject


@dataclass(frozen=True, slots=True)
class Conversation:
    """A request in neutral words.

    `tools` holds only those that the tool choice lets through; `forced` says that one of them
    must be called. `usage_wanted` is for dialects that count tokens only on request; `limit` is
    how many tokens the answer may have.
    """

    model: str
    entries: tuple[Entry, ...]
    tools: tuple[OfferedTool, ...] = ()
    forced: bool = False
    stream: bool = True
    usage_wanted: bool = True
    limit: int | None = None

    @property
    def turn(self) -> tuple[Entry, ...]:
        """What has followed the person's last text."""
        places = [i for i, entry in enumerate(self.entries) if isinstance(entry, UserText)]
        return self.entries[places[-1] + 1 :] if places else self.entries

    @property
    def user_texts(self) -> tuple[str, ...]:
        """Everything the person said, oldest first."""
        return tuple(entry.text for entry in self.entries if isinstance(entry, UserText))

    @property
    def characters(self) -> int:
        """How long the conversation is; tokens are guessed from it."""
        return sum(
            len(entry.arguments) if isinstance(entry, AskedCall) else len(entry.text)
            for entry in self.entries
        )


def choose(
    tools: tuple[OfferedTool, ...], *, mode: str, names: tuple[str, ...] = ()
) -> tuple[tuple[OfferedTool, ...], bool]:
    """The tools that a choice lets through, and whether one of them must be called.

    `mode` is `auto`, `none` or `required`; `names` narrows the tools when it is not empty.
    """
    if mode == "none":
        return (), False
    allowed = tuple(tool for tool in tools if not names or tool.name in names)
    return allowed, mode == "required"
