"""What would have become of recorded exchanges if these faults had struck them?

The recording plays again behind the lab and is recorded once more. Its time is only counted: what
took a minute then takes none now.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from providers.cassette import Exchange
from providers.dialects import dialect
from providers.exchange import WireRequest
from providers.faults.lab import FaultPlan, Lab
from providers.json_text import written
from providers.player import Player
from providers.recorder import RecordingTransport
from providers.transport import ConnectionFailed, Timeouts, Transport

_ADDRESSES: Mapping[str, str] = {
    "openai-responses": "http://cassette.invalid/v1/responses",
    "openai-chat": "http://cassette.invalid/v1/chat/completions",
    "anthropic": "http://cassette.invalid/v1/messages",
    "gemini": "http://cassette.invalid/v1beta/models/any:streamGenerateContent",
}
"""A cassette that was made from a body alone has none of its own."""
_SILENCE = 1.0
"""Real seconds until a connection that hangs is given up."""


@dataclass(slots=True)
class _Time:
    """Seconds that pass when somebody waits for them."""

    seconds: float = 0.0

    def now(self) -> float:
        return self.seconds

    async def sleep(self, seconds: float) -> None:
        self.seconds += seconds


async def struck(exchanges: Sequence[Exchange], plan: FaultPlan) -> list[Exchange]:
    """The same exchanges, each as the faults would have left it. All are in a dialect of ours."""
    time = _Time()
    lab = Lab(plan, wait=time.sleep)
    kept: list[Exchange] = []
    for exchange in exchanges:
        player = Player([exchange], sleep=time.sleep)
        inner = Transport(handler=lab.around(player.handle), timeouts=Timeouts(silence=_SILENCE))
        transport = RecordingTransport(inner, kept.append, clock=time.now)
        try:
            with suppress(ConnectionFailed):  # it is recorded as such
                await _read(transport, exchange)
        finally:
            await transport.aclose()
    return [
        again.model_copy(update={"at": before.at, "request": before.request})
        for again, before in zip(kept, exchanges, strict=True)
    ]


async def _read(transport: Transport, exchange: Exchange) -> None:
    """Reads as a client does: once the answer has failed, there is nothing to wait for."""
    asked = exchange.request.json_body
    body = written(asked).encode()
    request = WireRequest("POST", _ADDRESSES[exchange.dialect], {}, body)
    decoder = dialect(exchange.dialect).decoder(provider=exchange.dialect, new_id=lambda: "")
    async with transport.open(request) as response:
        async for data in response.body:
            decoder.feed(data)
            if decoder.finished and not decoder.complete:
                return
