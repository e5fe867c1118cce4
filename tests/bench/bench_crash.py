"""Does any crash do a write twice, or lose one? `python -m tests.bench.bench_crash [POINTS]`.

Kills `vitral ask` at 200 points (or as many as asked for) spread over its whole run, resumes, and
counts effects. Prints what was tried and ends with 1 at the first double or lost write.
"""

from __future__ import annotations

import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.journeys.crash import DEMO, OWN, crash, moments, whole_run

AT_ONCE = 2
"""Programs that run side by side; each is killed on its own."""


def main(points: int = 200) -> int:
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        seconds = {scene: whole_run(home / scene.name, scene) for scene in (DEMO, OWN)}
        shares = {DEMO: points - points // 4, OWN: points // 4}
        tried = [
            (scene, moment)
            for scene, share in shares.items()
            for moment in moments(scene, share, seconds[scene])
        ]
        began = time.monotonic()
        with ThreadPoolExecutor(AT_ONCE) as side_by_side:
            runs = [
                side_by_side.submit(crash, home / str(number), scene, moment)
                for number, (scene, moment) in enumerate(tried)
            ]
            failed = [str(run.exception()) for run in runs if run.exception()]
        print(f"{len(tried)} crashes in {time.monotonic() - began:.0f} s, {len(failed)} wrong")
        for error in failed:
            print(error)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
