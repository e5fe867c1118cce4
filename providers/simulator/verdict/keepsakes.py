"""What of a model's turn must come back as it was: reasoning, signatures, thinking?

The same items go out in an answer and come back in a request, so one reader serves both. In Chat
Completions reasoning need not come back (some servers want it, one has refused it); a signature
beside a call must.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from hashlib import blake2b

from providers.simulator.reading import compact, member, objects, text
from tools.call import JsonObject

_ONE_ALPHABET = str.maketrans("-_", "+/", "=")
"""Google's own client sends signatures in the alphabet for addresses."""


def kept_in_answer(dialect: str, native: Iterable[JsonObject]) -> frozenset[bytes]:
    """The keepsakes of an answer's own items."""
    return frozenset(_digest(kept) for item in native for kept in _of_item(dialect, item))


def kept_in_request(dialect: str, body: JsonObject) -> frozenset[bytes]:
    """The keepsakes that a request brings back."""
    return kept_in_answer(dialect, _own_items(dialect, body))


def _own_items(dialect: str, body: JsonObject) -> Iterator[JsonObject]:
    """What the model itself wrote, as the answer had it."""
    match dialect:
        case "openai-responses":
            yield from objects(body.get("input"))
        case "openai-chat":
            yield from objects(body.get("messages"))
        case "anthropic":
            for message in objects(body.get("messages")):
                yield from objects(message.get("content"))
        case _:
            for content in objects(body.get("contents")):
                yield from objects(content.get("parts"))


def _of_item(dialect: str, item: JsonObject) -> Iterator[str]:
    match dialect:
        case "openai-responses" if item.get("type") == "reasoning":
            yield text(item.get("encrypted_content")) or text(item.get("id"))
        case "openai-chat":
            for call in objects(item.get("tool_calls")):
                google = member(call.get("extra_content"), "google")
                if signature := text(member(google, "thought_signature")):
                    yield signature
        case "anthropic" if item.get("type") in ("thinking", "redacted_thinking"):
            names = ("thinking", "signature", "data")
            yield compact([text(item.get(name)) for name in names])
        case "gemini" if isinstance(item.get("functionCall"), dict):
            if signature := text(item.get("thoughtSignature")):
                yield signature.translate(_ONE_ALPHABET)
        case _:
            pass


def _digest(kept: str) -> bytes:
    """Short, and tells nothing: reasoning can be long."""
    return blake2b(kept.encode("utf-8", "surrogatepass"), digest_size=16).digest()
