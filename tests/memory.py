"""How much memory has a process taken at most?"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path


def peak_megabytes(pid: int) -> float:
    """The peak where the system tells it, else what the process has now."""
    status = Path(f"/proc/{pid}/status")
    if status.exists():
        found = re.search(r"VmHWM:\s+(\d+) kB", status.read_text())
        assert found is not None
        return int(found[1]) / 1024
    told = subprocess.run(["ps", "-o", "rss=", "-p", str(pid)], capture_output=True, check=True)
    return int(told.stdout) / 1024
