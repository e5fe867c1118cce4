"""One HTTP exchange as plain data, so that no room but the transport knows an HTTP library."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class WireRequest:
    """A request as it goes out. `url` is absolute; `headers` may hold a key: never log them."""

    method: str
    url: str
    headers: Mapping[str, str]
    body: bytes = b""


@dataclass(frozen=True, slots=True)
class WireResponse:
    """A response as it comes in. Header names are lower case; `body` yields the reads."""

    status: int
    headers: Mapping[str, str]
    body: AsyncIterator[bytes]


Handler: TypeAlias = Callable[[WireRequest], Awaitable[WireResponse]]
"""A server in the process: the simulator is one. It may raise `OSError` for a dead network."""
