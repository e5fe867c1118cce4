"""What one recorded body says, as one plain answer, and the ways to cut it into reads.

Pure: the same bytes give the same reading, ids of our own making included. Calls are told of
only when the stream ended as its format says: half an answer has none.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import count

from providers.dialects import dialect
from providers.failures import Failure
from providers.gathering import Gathering
from providers.history import Origin
from providers.json_text import whole_text
from tools.call import BrokenCall, JsonObject, ToolCall

LARGEST_CUT = 64
"""The most bytes of a random read: small, so that a short body is cut often."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A body's whole content. Field names and shapes are those of `vitral decode --json`."""

    text: str
    reasoning_chars: int
    calls: tuple[ToolCall, ...]
    broken: tuple[BrokenCall, ...]
    stop: JsonObject | None
    usage: JsonObject | None
    error: JsonObject | None
    complete: bool

    def as_json(self) -> JsonObject:
        """The reading as plain JSON values."""
        return {
            "text": self.text,
            "reasoning_chars": self.reasoning_chars,
            "calls": [
                {"call_id": call.call_id, "name": call.name, "args": call.args}
                for call in self.calls
            ],
            "broken": [
                {"call_id": call.call_id, "name": call.name, "raw": call.raw}
                for call in self.broken
            ],
            "stop": self.stop,
            "usage": self.usage,
            "error": self.error,
            "complete": self.complete,
        }


def read_body(dialect_id: str, chunks: Iterable[bytes]) -> Reading:
    """Reads a body that comes in these chunks; raises ValueError for a dialect that is none."""
    numbers = count(1)
    decoder = dialect(dialect_id).decoder(
        provider=dialect_id, new_id=lambda: f"call_{next(numbers)}"
    )
    gathering = Gathering(Origin(dialect_id, dialect_id, ""))
    for chunk in chunks:
        gathering.add(decoder.feed(chunk))
    gathering.add(decoder.end())
    return _reading(gathering, decoder.complete)


def cuts(data: bytes, reads: int | None = None, split_seed: int | None = None) -> Iterator[bytes]:
    """`data` in reads of `reads` bytes, or of random sizes that `split_seed` decides (it wins),
    or whole. The reads join to `data`."""
    if split_seed is None:
        size = max(1, len(data) if reads is None else reads)
        yield from (data[at : at + size] for at in range(0, len(data), size))
        return
    from random import Random

    sizes = Random(split_seed)  # noqa: S311 - it decides where a test cuts, and guards nothing
    at = 0
    while at < len(data):
        size = sizes.randint(1, LARGEST_CUT)
        yield data[at : at + size]
        at += size


def _reading(gathering: Gathering, complete: bool) -> Reading:
    turn = gathering.so_far()
    stopped, usage, failure = gathering.stopped, gathering.usage, gathering.failure
    calls = turn.calls if stopped is not None else ()
    return Reading(
        text=whole_text([turn.text]),
        reasoning_chars=len(turn.reasoning),
        calls=tuple(call for call in calls if isinstance(call, ToolCall)),
        broken=tuple(call for call in calls if isinstance(call, BrokenCall)),
        stop=None if stopped is None else {"reason": stopped.stop.value, "raw": stopped.raw},
        usage=None if usage is None else usage.raw,
        error=None if failure is None else _error(failure),
        complete=complete,
    )


def _error(failure: Failure) -> JsonObject:
    return {"kind": failure.kind.value, "code": failure.code, "message": failure.message}
