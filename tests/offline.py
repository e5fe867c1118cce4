"""A machine without a network, for programs that a test starts: every socket but loopback refuses.

The program's own interpreter holds the guard, so nothing about the machine matters. What was
tried is written down: a program that swallows the refusal is found out too.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

_GUARD = '''
import sys

HERE = ("localhost", "127.0.0.1", "::1", "0.0.0.0", "", None)


def host_of(event, arguments):
    """The host that the event reaches for; None for one of this machine."""
    match event:
        case "socket.connect" | "socket.sendto":
            address = arguments[1]
            return address[0] if isinstance(address, tuple) else None
        case "socket.getaddrinfo" | "socket.gethostbyname":
            host = arguments[0]
            return host.decode() if isinstance(host, bytes) else host
    return None


def guard(event, arguments):
    if event.startswith("socket.") and (host := host_of(event, arguments)) not in HERE:
        with open(ATTEMPTS, "a", encoding="utf-8") as attempts:
            print(event, host, file=attempts)
        raise OSError(101, "Network is unreachable")


sys.addaudithook(guard)
'''


@dataclass(frozen=True, slots=True)
class Offline:
    """A folder that holds the guard. Programs get it by `environment`."""

    folder: Path

    def __post_init__(self) -> None:
        source = f"ATTEMPTS = {str(self._attempts)!r}\n{_GUARD}"
        (self.folder / "sitecustomize.py").write_text(source, encoding="utf-8")

    @property
    def _attempts(self) -> Path:
        return self.folder / "attempts.txt"

    @property
    def environment(self) -> dict[str, str]:
        """What a program must be started with, beside its own."""
        return {"PYTHONPATH": str(self.folder)}

    @property
    def attempts(self) -> list[str]:
        """What reached for the network, and where."""
        return self._attempts.read_text().splitlines() if self._attempts.exists() else []
