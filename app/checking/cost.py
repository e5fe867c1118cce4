"""What will a run cost, and does it cost anybody anything?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from ipaddress import ip_address
from urllib.parse import urlsplit

from app.checking.check import Check
from app.checking.probes import tokens_about, with_earlier
from providers.presets import PRESETS, SIMULATOR
from providers.provider import Provider


@dataclass(frozen=True, slots=True)
class Estimate:
    """How many requests, and about how many tokens, question and answer together."""

    requests: int
    tokens: int


def estimate(checks: Sequence[Check]) -> Estimate:
    """What it takes to ask all that these checks look at."""
    asked = with_earlier(frozenset[str]().union(*(check.probes for check in checks)))
    return Estimate(len(asked), sum(map(tokens_about, asked)))


def is_free(provider: Provider) -> bool:
    """Whether the provider is the simulator in this process, or is on this machine."""
    if provider.base_url == PRESETS[SIMULATOR].address:
        return True
    host = urlsplit(provider.base_url).hostname or ""
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
