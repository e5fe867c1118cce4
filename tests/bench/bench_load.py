"""How many clients does the served simulator bear at once, beside a mock server that is not ours?

200 clients (or CLIENTS), each of whom streams an answer with two parallel calls over loopback,
one after the other. Prints answers and fragments a second, what an answer costs the server, and
its peak of memory.
`python -m tests.bench.bench_load [CLIENTS] [TIMES]`.

The other server is CopilotKit's aimock, if its command `llmock` is on the path
(`npm install @copilotkit/aimock`).
"""

from __future__ import annotations

import asyncio
import json
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.load import QUESTION, WANTED, load
from tests.loopback import unused_address
from tests.process_cost import peak_megabytes, processor_seconds
from tests.simulate_process import simulate
from tests.simulating import LOOKUP

CLIENTS, TIMES = 200, 5
START_SECONDS = 20.0
CHARACTERS = 2
"""Of arguments in a fragment: what the simulator sends on average."""


@contextmanager
def ours(home: Path) -> Iterator[tuple[str, int]]:
    """The simulator without delays; its address and process."""
    with simulate(home, "--json", "--speed", "0") as server:
        assert server.stdout is not None
        yield json.loads(server.stdout.readline())["url"], server.pid


@contextmanager
def theirs(home: Path) -> Iterator[tuple[str, int]]:
    """aimock with an answer of the same calls."""
    calls = [{"name": LOOKUP, "arguments": arguments} for arguments in WANTED]
    fixture = {"match": {"userMessage": QUESTION}, "response": {"toolCalls": calls}}
    path = home / "fixture.json"
    path.write_text(json.dumps({"fixtures": [fixture]}))
    url = unused_address()
    command = [
        *("llmock", "--port", url.rpartition(":")[2], "--fixtures", str(path)),
        *("--chunk-size", str(CHARACTERS), "--log-level", "silent"),
    ]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as server:
        try:
            _wait_for(url)
            yield url, server.pid
        finally:
            server.terminate()


def _wait_for(url: str) -> None:
    until = time.monotonic() + START_SECONDS
    while time.monotonic() < until:
        try:
            if not asyncio.run(load(url, 1)).errors:
                return
        except OSError:
            time.sleep(0.1)
    raise TimeoutError(f"nobody answers at {url}")


def measure(url: str, process: int, clients: int, times: int) -> str:
    """One line of what the server bore."""
    asyncio.run(load(url, 1))
    before, worked = peak_megabytes(process), processor_seconds(process)
    borne = asyncio.run(load(url, clients, times))
    each = (processor_seconds(process) - worked) * 1000 / borne.answers
    return (
        f"{borne.answers_per_second:7.0f} answers/s {borne.fragments_per_second:8.0f} fragments/s"
        f"  {each:.2f} ms of a processor each  {len(borne.errors)} wrong of {borne.answers}"
        f"  memory {before:.0f} → {peak_megabytes(process):.0f} MB"
    )


def main() -> None:
    given = [int(argument) for argument in sys.argv[1:]]
    clients, times = [*given, *(CLIENTS, TIMES)[len(given) :]]
    print(f"{clients} clients at once, {times} answers each")
    with tempfile.TemporaryDirectory() as home:
        with ours(Path(home)) as (url, process):
            print("vitral", measure(url, process, clients, times))
        if shutil.which("llmock") is None:
            print("aimock is not installed: nothing to stand beside it")
            return
        with theirs(Path(home)) as (url, process):
            print("aimock", measure(url, process, clients, times))


if __name__ == "__main__":
    main()
