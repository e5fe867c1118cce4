"""What has a running process taken of the machine: memory at its peak, and processor time?

Linux tells both in `/proc`; elsewhere `ps` tells the memory of now, and whole seconds.
"""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path


def peak_megabytes(pid: int) -> float:
    """The most memory that it has held."""
    status = Path(f"/proc/{pid}/status")
    if not status.exists():
        return int(_ps("rss", pid)) / 1024
    found = re.search(r"VmHWM:\s+(\d+) kB", status.read_text())
    assert found is not None
    return int(found[1]) / 1024


def processor_seconds(pid: int) -> float:
    """How long it has worked. Unlike the time of day, other programs do not add to it."""
    stat = Path(f"/proc/{pid}/stat")
    if stat.exists():
        own, system = stat.read_text().rpartition(")")[2].split()[11:13]
        return (int(own) + int(system)) / os.sysconf("SC_CLK_TCK")
    seconds = 0.0
    for field in re.split("[-:]", _ps("time", pid)):
        seconds = seconds * 60 + float(field)
    return seconds


def _ps(what: str, pid: int) -> str:
    command = ["ps", "-o", f"{what}=", "-p", str(pid)]
    return subprocess.run(command, capture_output=True, check=True, text=True).stdout.strip()
