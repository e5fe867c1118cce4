"""How much a decoder costs over the floor: `python -m tests.bench.bench_decode`.

The floor is what nobody can go below with the standard library: split the body into lines and
`json.loads` each event. The stream is one call whose arguments come in 4-character fragments.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable
from functools import partial
from time import process_time

from providers.dialects import dialect
from providers.parts import CallCompleted
from tests.streams import anthropic_stream, call, chat_stream, cut_every

CHARACTERS = 320_000
LIMITS = {4096: (1.5, 12), 1: (10.0, 3)}
"""Bytes a read → the most times the floor, and how many rounds it takes to measure that: the
shorter a run, the more a busy machine disturbs it."""
DOUBLE = 2.2
"""The most that twice the input may cost."""


def floor(body: bytes) -> None:
    """The cheapest reading of the events."""
    for line in body.split(b"\n"):
        if line.startswith(b"data: ") and line != b"data: [DONE]":
            json.loads(line[6:])


def decode(dialect_id: str, reads: list[bytes], characters: int) -> None:
    """The body's reads to the call."""
    decoder = dialect(dialect_id).decoder(provider="bench", new_id=lambda: "made")
    done: list[CallCompleted] = []
    for data in reads:
        if parts := decoder.feed(data):
            done += [part for part in parts if isinstance(part, CallCompleted)]
    done += [part for part in decoder.end() if isinstance(part, CallCompleted)]
    assert len(done[0].call.args["text"]) == characters


def fastest(works: list[Callable[[], None]], rounds: int) -> list[float]:
    """The seconds of the fastest run of each. They take turns, so that a machine that is busy
    for a while slows all of them down alike."""
    best = [math.inf] * len(works)
    for _ in range(rounds):
        for place, work in enumerate(works):
            began = process_time()
            work()
            best[place] = min(best[place], process_time() - began)
    return best


def measure(dialect_id: str, write: Callable[[int], bytes]) -> bool:
    """Print one dialect's ratios; whether all are within the limits."""
    body, double = write(CHARACTERS), write(2 * CHARACTERS)
    within = True
    for size, (limit, rounds) in LIMITS.items():
        lowest, once, twice = fastest(
            [
                partial(floor, body),
                partial(decode, dialect_id, list(cut_every(body, size)), CHARACTERS),
                partial(decode, dialect_id, list(cut_every(double, size)), 2 * CHARACTERS),
            ],
            rounds,
        )
        print(
            f"{dialect_id}, {len(body):,} bytes in {size}-byte reads:"
            f" {once / lowest:.2f}x the floor of {lowest:.3f} s (limit {limit}),"
            f" twice the input {twice / once:.2f}x (limit {DOUBLE})"
        )
        within = within and once / lowest <= limit and twice / once <= DOUBLE
    return within


def main() -> int:
    writers: dict[str, Callable[[int], bytes]] = {
        "openai-chat": lambda n: chat_stream(call("write", text="x" * n)),
        "anthropic": lambda n: anthropic_stream(call("write", text="x" * n)),
    }
    within = [measure(dialect_id, write) for dialect_id, write in writers.items()]
    return 0 if all(within) else 1


if __name__ == "__main__":
    sys.exit(main())
