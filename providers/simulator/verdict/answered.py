"""What did a server answer, as far as the rules need to know? It is read as a right client reads.

Bytes are read while they pass; nothing of them is kept but the calls, what must come back, and
why there is no answer if there is none.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from providers.dialects import Decoder, dialect
from providers.failures import Failure, FailureKind, cut, failure_of_response
from providers.parts import (
    CallBroken,
    CallCompleted,
    CallNamed,
    CallStarted,
    Part,
    Restarted,
    Stopped,
    StreamFailed,
)
from providers.simulator.reading import compact
from providers.simulator.verdict.asked import arguments_digest
from providers.simulator.verdict.keepsakes import kept_in_answer

_REFUSAL_LIMIT = 64 * 1024
_GZIP = 16 + zlib.MAX_WBITS


@dataclass(frozen=True, slots=True)
class Call:
    """A call as an answer had it; `call_id` is "" where the wire gave none, `arguments` None
    where they never came to an end."""

    name: str
    call_id: str
    arguments: str | None = None


@dataclass(frozen=True, slots=True)
class Answered:
    """One answer. `begun` are the calls that were begun, `usable` those that a client must give a
    result to: none, if `failure` says why there is no answer."""

    begun: tuple[Call, ...] = ()
    usable: tuple[Call, ...] = ()
    keepsakes: frozenset[bytes] = frozenset()
    failure: Failure | None = None


NETWORK_FAILED = Answered(failure=Failure(FailureKind.NETWORK, transient=True))


@dataclass(slots=True)
class Listening:
    """Reads one answer. Give it the reads, then ask for the `answer`."""

    dialect: str
    status: int
    headers: Mapping[str, str]
    now: datetime
    _begun: dict[int, Call] = field(default_factory=dict)
    _whole: dict[int, Call] = field(default_factory=dict)
    _withdrawn: list[Call] = field(default_factory=list)
    _stopped: Stopped | None = None
    _failure: Failure | None = None
    _refusal: bytearray = field(default_factory=bytearray)
    _decoder: Decoder = field(init=False)
    _unpack: Callable[[bytes], bytes] = lambda data: data

    def __post_init__(self) -> None:
        self._decoder = dialect(self.dialect).decoder(provider="", new_id=lambda: "")
        if self.headers.get("content-encoding", "").lower() == "gzip":
            self._unpack = zlib.decompressobj(_GZIP).decompress

    @property
    def refused(self) -> bool:
        return not 200 <= self.status < 300

    def hear(self, data: bytes) -> None:
        """Take the next bytes."""
        try:
            data = self._unpack(data)
        except zlib.error:
            return  # no client can read it either: what is missing makes the answer cut
        if self.refused:
            self._refusal += data[: _REFUSAL_LIMIT - len(self._refusal)]
        else:
            self._take(self._decoder.feed(data))

    def answer(self) -> Answered:
        """What came, now that nothing more comes."""
        if self.refused:
            data = bytes(self._refusal)
            failure = failure_of_response(self.dialect, self.status, self.headers, data, self.now)
            return Answered(failure=failure)
        self._take(self._decoder.end())
        begun = (*self._withdrawn, *self._begun.values())
        if self._stopped is None:
            return Answered(begun, failure=self._failure or cut())
        kept = kept_in_answer(self.dialect, self._stopped.native)
        return Answered(begun, tuple(self._whole.values()), kept)

    def _take(self, parts: Iterable[Part]) -> None:
        for part in parts:
            match part:
                case CallStarted(key=key) | CallNamed(key=key):
                    self._begun[key] = Call(part.name, self._told(part.call_id))
                case CallCompleted(key=key, call=call):
                    self._finish(key, call.name, call.call_id, compact(call.args))
                case CallBroken(key=key):
                    self._finish(key, part.name, part.call_id, part.raw)
                case Restarted():
                    self._withdraw()
                case Stopped():
                    self._stopped = part
                case StreamFailed(failure=failure):
                    self._failure = failure
                case _:
                    pass

    def _finish(self, key: int, name: str, call_id: str, arguments: str) -> None:
        call = Call(name, self._told(call_id), arguments_digest(arguments))
        self._begun[key] = self._whole[key] = call

    def _told(self, call_id: str) -> str:
        """The id by which a request names the call. Gemini's readers go by places instead."""
        return "" if self.dialect == "gemini" else call_id

    def _withdraw(self) -> None:
        self._withdrawn += self._begun.values()
        self._begun.clear()
        self._whole.clear()
