"""How long until one can type, and how much memory is that, beside a Textual app of one line?

Each program runs in a process of its own, without a terminal, until its first picture is drawn.
Prints medians and the ratios; `python -m tests.bench.bench_start [RUNS]`.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from statistics import median

HELLO = """
from textual.app import App
from textual.widgets import Static

class Hello(App):
    def compose(self):
        yield Static("hello, world")

app = Hello()
"""

VITRAL = """
from app.session import open_session
from app.tui.app import VitralApp

app = VitralApp(open_session())
"""

UNTIL_DRAWN = """
import json, resource, time
async def drawn(pilot):
    await pilot.pause()
    app.exit()
app.run(headless=True, size=(120, 40), auto_pilot=drawn)
used = resource.getrusage(resource.RUSAGE_SELF)
print(json.dumps([time.process_time(), used.ru_maxrss / 1024]))
"""


def run(program: str, home: str) -> tuple[float, float, float]:
    """Seconds by the clock, seconds of the processor, and megabytes at the most."""
    environment = {**os.environ, "VITRAL_HOME": home, "TEXTUAL_ANIMATIONS": "none"}
    command = [sys.executable, "-c", program + UNTIL_DRAWN]
    began = time.perf_counter()
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    wall = time.perf_counter() - began
    processor, megabytes = json.loads(done.stdout.splitlines()[-1])
    return wall, processor, megabytes


def main() -> None:
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 7
    with tempfile.TemporaryDirectory() as home:
        run(HELLO, home), run(VITRAL, home)  # bytecode and caches
        measured = [(run(HELLO, home), run(VITRAL, home)) for _ in range(runs)]
    names = ("by the clock, s", "of processor, s", "memory, MB")
    for place, name in enumerate(names):
        hello = median(one[place] for one, _ in measured)
        vitral = median(two[place] for _, two in measured)
        print(f"{name:16} hello {hello:7.3f}   vitral {vitral:7.3f}   ratio {vitral / hello:.2f}")


if __name__ == "__main__":
    main()
