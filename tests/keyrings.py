"""A keyring in memory, so that no test sees the machine's own."""

from __future__ import annotations


class MemoryKeyring:
    """Holds what it is told."""

    def __init__(self, **keys: str) -> None:
        self.keys = keys

    def get(self, provider: str) -> str | None:
        return self.keys.get(provider)

    def put(self, provider: str, key: str) -> None:
        self.keys[provider] = key

    def delete(self, provider: str) -> bool:
        return self.keys.pop(provider, None) is not None

    def name(self) -> str:
        return "memory"
