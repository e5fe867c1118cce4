"""What does one request ask, as far as the rules need to know? Digests stand for its words.

A request's history is known by a digest of each of its beginnings, so that it is told which
earlier request it follows, whoever else asks at the same time. Whoever sends another key or calls
itself by another name is another client; two that send the very same cannot be told apart but
when one asks before the other is answered.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import Self

from providers.exchange import WireRequest
from providers.simulator.conversation import AskedCall, Entry, GivenResult, ModelText, UserText
from providers.simulator.routes import find_route
from providers.simulator.verdict.keepsakes import kept_in_request
from tools.call import JsonObject

_WHO = ("authorization", "x-api-key", "x-goog-api-key", "api-key", "user-agent")
_DIGEST_BYTES = 16


@dataclass(frozen=True, slots=True)
class Asked:
    """One request. `same` is equal for two that a client has sent twice, `beginnings[n]` for two
    whose first `n` entries are the same. Entries are without their texts."""

    dialect: str
    model: str
    same: bytes
    beginnings: tuple[bytes, ...]
    entries: tuple[Entry, ...]
    keepsakes: frozenset[bytes]

    @property
    def whole(self) -> bytes:
        """The digest of the whole history."""
        return self.beginnings[-1]

    @classmethod
    def read(cls, request: WireRequest) -> Self | None:
        """The request; None for one that asks no model, or leaves its history to the server."""
        headers = {name.lower(): value for name, value in request.headers.items()}
        route = find_route(request.method, request.url, headers)
        body = _object(request.body)
        if route is None or route.lists_models or body is None or _elsewhere(body):
            return None
        conversation = route.voice.read(body)
        who = "\n".join(headers.get(name, "") for name in _WHO)
        client = _digest(route.voice.id, who)
        return cls(
            dialect=route.voice.id,
            model=route.model or conversation.model,
            same=_digest(client, request.url, request.body),
            beginnings=_beginnings(client, conversation.entries),
            entries=tuple(_light(entry) for entry in conversation.entries),
            keepsakes=kept_in_request(route.voice.id, body),
        )


def arguments_digest(arguments: str) -> str:
    """Equal for arguments that say the same."""
    try:
        arguments = json.dumps(json.loads(arguments), sort_keys=True)
    except ValueError:
        arguments = f"broken:{arguments}"
    return _digest(arguments).hex()


def _elsewhere(body: JsonObject) -> bool:
    """Whether the server is to remember what was said, as Responses can."""
    return any(body.get(name) for name in ("previous_response_id", "conversation"))


def _beginnings(client: bytes, entries: Iterable[Entry]) -> tuple[bytes, ...]:
    growing = blake2b(client, digest_size=_DIGEST_BYTES)
    digests = [growing.digest()]
    for entry in entries:
        growing.update(repr(entry).encode("utf-8", "surrogatepass"))
        digests.append(growing.digest())
    return tuple(digests)


def _light(entry: Entry) -> Entry:
    """The entry without what a person or a tool said."""
    match entry:
        case UserText() | ModelText() | GivenResult():
            return replace(entry, text="")
        case AskedCall():
            return replace(entry, arguments=arguments_digest(entry.arguments))


def _digest(*pieces: str | bytes) -> bytes:
    whole = blake2b(digest_size=_DIGEST_BYTES)
    for piece in pieces:
        data = piece if isinstance(piece, bytes) else piece.encode("utf-8", "surrogatepass")
        whole.update(len(data).to_bytes(8, "big") + data)
    return whole.digest()


def _object(data: bytes) -> JsonObject | None:
    try:
        value = json.loads(data)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None
