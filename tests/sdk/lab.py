"""A simulator on a socket for the official clients, and what our own decoder makes of its bytes.

The first part of a path says what is to go wrong: `/healthy/v1/…`, `/status-429/v1/…`.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from urllib.parse import urlsplit

from providers.exchange import WireRequest, WireResponse
from providers.reading import read_body
from providers.simulator import FAULTS, Simulator
from providers.simulator.http import address, listen, serving
from tests.simulating import LOOKUP, schema
from tools.call import JsonObject

KEY = "sk-for-the-lab"
HEALTHY = "healthy"
KEYED = "keyed"
"""A server that takes `KEY` and no other."""

TEXT, ONE, TWO = "hello", "What is my height?", "my height and weight"
RESULTS: Mapping[str, str] = MappingProxyType({"height": "170 cm", "weight": "70 kg"})
PARAMETERS: JsonObject = schema("key")
DESCRIPTION = "Looks up a measurement."


@dataclass(frozen=True, slots=True)
class Said:
    """An answer as any client holds it: the visible text, and id, name and arguments of calls."""

    text: str
    calls: tuple[tuple[str, str, JsonObject], ...] = ()


@dataclass(slots=True)
class Lab:
    """The running server. `bodies` holds what it has sent, one for each response."""

    url: str = ""
    bodies: list[bytearray] = field(default_factory=list)
    simulators: dict[str, Simulator] = field(default_factory=dict)

    def at(self, fault: str = HEALTHY, path: str = "") -> str:
        """The address of a server that fails so."""
        return f"{self.url}/{fault}{path}"

    def ours(self, dialect: str) -> Said:
        """The last body as our decoder reads it."""
        reading = read_body(dialect, [bytes(self.bodies[-1])])
        assert reading.complete
        return Said(
            reading.text, tuple((call.call_id, call.name, call.args) for call in reading.calls)
        )

    async def handle(self, request: WireRequest) -> WireResponse:
        fault = urlsplit(request.url).path.split("/")[1]
        response = await self.simulators[fault].handle(request)
        body = bytearray()
        self.bodies.append(body)
        return replace(response, body=_kept(response.body, body))


async def _kept(reads: AsyncIterator[bytes], body: bytearray) -> AsyncIterator[bytes]:
    async for data in reads:
        body += data
        yield data


@contextmanager
def running_lab() -> Iterator[Lab]:
    """The lab, served by a thread of its own: the official clients are not all asynchronous."""
    lab = Lab()
    lab.simulators[HEALTHY] = Simulator(speed=0)
    lab.simulators[KEYED] = Simulator(speed=0, key=KEY)
    lab.simulators |= {fault: Simulator(speed=0, fault=fault) for fault in FAULTS}
    listening = listen()
    lab.url = address(listening)
    ready = threading.Event()
    stops: list[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = []

    async def serve() -> None:
        stop = asyncio.Event()
        stops.append((asyncio.get_running_loop(), stop))
        async with serving(lab.handle, listening):
            ready.set()
            await stop.wait()

    thread = threading.Thread(target=asyncio.run, args=(serve(),))
    thread.start()
    ready.wait()
    try:
        yield lab
    finally:
        (loop, stop) = stops[0]
        loop.call_soon_threadsafe(stop.set)
        thread.join()


__all__ = ["DESCRIPTION", "LOOKUP", "ONE", "PARAMETERS", "RESULTS", "TEXT", "TWO", "Lab", "Said"]
