"""When may a person come back whom a provider sent away for longer than the program waits?"""

from __future__ import annotations

import math

from app.messages import Messages
from providers.failures import Failure
from providers.retry import RetryPolicy

_MINUTE, _HOUR, _DAY = 60, 3600, 86_400
_UNITS = ((2 * _HOUR, _MINUTE, "minutes"), (2 * _DAY, _HOUR, "hours"), (366 * _DAY, _DAY, "days"))
"""Up to so many seconds → the unit's length and its word in the message keys."""


def come_back(failure: Failure | None, messages: Messages) -> str:
    """The sentence, never too early; empty where the provider named no such time, or one that
    nobody would wait for."""
    seconds = 0.0 if failure is None else failure.wait or 0.0
    if seconds <= RetryPolicy().patience:
        return ""
    for limit, unit, word in _UNITS:
        if seconds <= limit:
            return messages.plural(f"fallback.come_back.{word}", math.ceil(seconds / unit))
    return ""
