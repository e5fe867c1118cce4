"""The registry of dialects, and what each one must be able to do.

A dialect is pure: it encodes a request and decodes bytes; it does no I/O and knows no clock.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Protocol, cast

from providers.parts import Part
from providers.request import Request
from tools.call import JsonObject

NewId = Callable[[], str]
"""Makes a call id, unique in the conversation, for a call that came without one."""

DIALECT_IDS = ("openai-responses", "openai-chat", "anthropic", "gemini")
"""Every dialect that we speak; each has a module of its name in this package."""

EVENT_LIMIT = 64 * 1024 * 1024
"""The most bytes that one event may hold before the stream fails."""


@dataclass(frozen=True, slots=True)
class Encoded:
    """A request in a dialect's own words: `path` follows the provider's base address."""

    path: str
    headers: Mapping[str, str]
    body: JsonObject


class Decoder(Protocol):
    """Reads one response body. Never raises for anything that a server can send."""

    def feed(self, data: bytes) -> list[Part]:
        """The parts that became known with these bytes."""
        ...

    def end(self) -> list[Part]:
        """The last parts, once the body has ended; the very last is Stopped or StreamFailed."""
        ...

    @property
    def finished(self) -> bool:
        """The format's end has been read: nothing that matters can follow."""
        ...

    @property
    def complete(self) -> bool:
        """What the format demands at the end has come, even if a failure came as well."""
        ...


class Dialect(Protocol):
    """A wire format."""

    id: str
    envelope: str
    """The format's own word for a call, such as `tool_use`."""
    return_address: str
    """Where a result names its call, such as `function_call_output.call_id`."""

    def encode(self, request: Request) -> Encoded: ...

    def authorize(self, key: str) -> tuple[str, str]:
        """The header (name, value) that carries the key."""
        ...

    def decoder(
        self, *, provider: str, new_id: NewId, event_limit: int = EVENT_LIMIT
    ) -> Decoder: ...


def dialect(id: str) -> Dialect:  # noqa: A002 - the word that everyone else uses for it
    """The dialect of that id; raises ValueError for one that we do not speak.

    Its module is loaded now: at start-up nobody has asked a provider yet.
    """
    if id not in DIALECT_IDS:
        raise ValueError(f"no dialect {id!r}; there are {', '.join(DIALECT_IDS)}")
    module = import_module(f"providers.dialects.{id.replace('-', '_')}")
    return cast(Dialect, module.DIALECT)
