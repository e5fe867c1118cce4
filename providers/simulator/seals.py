"""How does a server know its own reasoning again when it comes back?

The real ones sign or encrypt it. Here a digest does: what was changed on the way is found.
"""

from __future__ import annotations

import base64
import hashlib

_DIGEST_BYTES = 32
_PLAIN = str.maketrans("-_", "+/", "=")


def seal(text: str) -> str:
    """The signature of a text."""
    return base64.b64encode(_digest(text.encode())).decode()


def is_seal(signature: str, text: str) -> bool:
    """Whether the signature belongs to the text."""
    return signature == seal(text)


def is_same_base64(one: str, other: str) -> bool:
    """Whether both write the same bytes: Google's own client sends the alphabet for addresses."""
    return one.translate(_PLAIN) == other.translate(_PLAIN)


def encrypt(text: str) -> str:
    """A token that holds the text out of sight (and is no real secrecy)."""
    data = text.encode()
    return base64.urlsafe_b64encode(_digest(data) + data).decode()


def can_decrypt(token: str) -> bool:
    """Whether `encrypt` made this token."""
    try:
        data = base64.urlsafe_b64decode(token.encode())
    except ValueError:
        return False
    return data[:_DIGEST_BYTES] == _digest(data[_DIGEST_BYTES:])


def _digest(data: bytes) -> bytes:
    return hashlib.sha256(b"vitral-sim:" + data).digest()
