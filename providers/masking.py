"""What of an exchange may be kept in a file that people send one another?

Headers are kept by name, from a list of those that say nothing about who asked. Bodies are kept
whole, but for keys and the ids of organisations: the values of this request's own secret headers,
and whatever has their shape. A mask is as long as what it hides, so every read keeps its place.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from urllib.parse import parse_qsl, unquote, urlencode, urlsplit, urlunsplit

_KEPT = frozenset(
    {
        "accept",
        "anthropic-beta",
        "anthropic-version",
        "content-type",
        "date",
        "openai-beta",
        "request-id",
        "retry-after",
        "retry-after-ms",
        "user-agent",
        "x-goog-request-id",
        "x-request-id",
        "x-should-retry",
    }
)
_SECRET_NAME = re.compile(r"auth|key|token|secret|cookie|organi[sz]ation|project|account|session")
_KEPT_QUERY = frozenset({"alt", "api-version"})
_SHORTEST = 6
"""A value shorter than this is a word such as `none`, and no secret."""

_SHAPED = re.compile(
    rb"""(?x) (?<![A-Za-z0-9])
    (?: (?:sk|pk|rk|csk|xai|tgp|nvapi)[-_][A-Za-z0-9_\-*.]{8,}
      | (?:gsk|hf|ghp|gho|glpat|r8)[_-][A-Za-z0-9_\-]{8,}
      | AIza[A-Za-z0-9_\-]{16,}
      | (?:org|proj)[-_][A-Za-z0-9]{10,}
      | eyJ[A-Za-z0-9_\-]{8,}\.[A-Za-z0-9_\-]{8,}\.[A-Za-z0-9_\-]* )
    """
)


def kept_headers(headers: Mapping[str, str]) -> dict[str, str]:
    """The headers that say nothing about who asked."""
    lower = {name.lower(): value for name, value in headers.items()}
    return {name: value for name, value in lower.items() if name in _KEPT}


def secret_values(headers: Mapping[str, str]) -> frozenset[bytes]:
    """The values that must stand nowhere: of headers that carry a key, a cookie, an owner."""
    words = (
        word
        for name, value in headers.items()
        if name.lower() not in _KEPT and _SECRET_NAME.search(name.lower())
        for word in (value, *re.split(r"[\s;,=]+", value))
    )
    return frozenset(word.encode() for word in words if len(word) >= _SHORTEST)


def secrets_of_url(url: str) -> frozenset[bytes]:
    """The same of an address: a key in the query, the name and the password before the host."""
    parts = urlsplit(url)
    words = [value for name, value in parse_qsl(parts.query) if _SECRET_NAME.search(name.lower())]
    words += [unquote(word) for word in (parts.username, parts.password) if word]
    return frozenset(word.encode() for word in words if len(word) >= _SHORTEST)


def kept_url(url: str) -> str:
    """The address without who asked: no user, no key, only the parts of the query we know."""
    parts = urlsplit(url)
    query = [(name, value) for name, value in parse_qsl(parts.query) if name in _KEPT_QUERY]
    host = parts.netloc.rpartition("@")[2]
    return urlunsplit((parts.scheme, host, parts.path, urlencode(query), ""))


def masked(data: bytes, secrets: Iterable[bytes]) -> bytes:
    """The bytes, as many as there were, with asterisks for what is secret."""
    for secret in sorted(secrets, key=len, reverse=True):
        data = data.replace(secret, b"*" * len(secret))
    return _SHAPED.sub(lambda found: b"*" * len(found[0]), data)


def masked_reads(reads: Iterable[bytes], secrets: Iterable[bytes]) -> list[bytes]:
    """The reads of one body, masked as a whole: a cut hides no secret from us."""
    pieces = list(reads)
    whole = masked(b"".join(pieces), secrets)
    cut: list[bytes] = []
    at = 0
    for piece in pieces:
        cut.append(whole[at : at + len(piece)])
        at += len(piece)
    return cut
