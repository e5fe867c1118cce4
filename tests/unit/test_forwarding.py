"""A proxy of ours passes on what the other server says, in its own packing."""

from __future__ import annotations

import gzip
from collections.abc import AsyncIterator

from providers.exchange import WireRequest, WireResponse
from providers.forwarding import Forwarding
from providers.simulator.http import address, listen, serving
from providers.transport import Transport

SAID = b'{"said": "the same again and again, again and again"}'


async def packed(_: WireRequest) -> WireResponse:
    async def body() -> AsyncIterator[bytes]:
        yield gzip.compress(SAID)

    return WireResponse(200, {"content-type": "text/plain", "content-encoding": "gzip"}, body())


async def test_a_packed_answer_reaches_the_client_whole() -> None:
    listening, outer = listen(), Transport()
    async with serving(packed, listening):
        inner = Transport(handler=Forwarding(outer, address(listening)).handle)
        async with inner.open(WireRequest("POST", "http://proxy.invalid/v1", {})) as response:
            body = b"".join([data async for data in response.body])
            headers = response.headers
        await inner.aclose()
    await outer.aclose()
    assert body == SAID
    assert headers["content-type"] == "text/plain"
