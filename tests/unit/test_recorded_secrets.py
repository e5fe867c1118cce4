"""Nothing that says who asked is in a recording's bytes, whatever made it and wherever it stood."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from app.cli.sources import Source, served
from app.messages import Messages
from providers.cassette import load
from providers.exchange import Handler, WireRequest, WireResponse
from providers.simulator.http import address, listen, serving
from providers.transport import Transport
from tests.simulating import DIALECTS, LOOKUP, post, question

KEY = "canary-key-of-no-known-shape"
IN_QUERY = "canary-key-in-the-query"
COOKIE = "canary-cookie-0123456789"
GIVEN_COOKIE = "canary-cookie-that-was-given"
ORGANISATION = "org-CanaryOrganisation1"
PROJECT = "proj_CanaryProject12345"
CANARIES = (KEY, IN_QUERY, COOKIE, GIVEN_COOKIE, ORGANISATION, PROJECT, "canary")

KEY_HEADERS = {
    "openai-responses": {"authorization": f"Bearer {KEY}"},
    "openai-chat": {"authorization": f"Bearer {KEY}"},
    "anthropic": {"x-api-key": KEY},
    "gemini": {"x-goog-api-key": KEY},
}


def asking(dialect: str) -> WireRequest:
    """A request that tells everything about who asks, in its body too."""
    own = {"cookie": f"session={COOKIE}", "openai-organization": ORGANISATION}
    text = f"hello, my key is {KEY} and I am {ORGANISATION}"
    request = post(
        dialect, question(dialect, text, LOOKUP), headers={**KEY_HEADERS[dialect], **own}
    )
    url = f"{request.url}{'&' if '?' in request.url else '?'}key={IN_QUERY}"
    return WireRequest(request.method, url, request.headers, request.body)


async def telltale(request: WireRequest) -> WireResponse:
    """A server that says back who asked, in its headers and in its words, a byte a read."""
    headers = {
        "content-type": "application/json",
        "set-cookie": f"__cf_bm={GIVEN_COOKIE}; path=/",
        "openai-organization": ORGANISATION,
        "openai-project": PROJECT,
    }
    said = f"{KEY} of {ORGANISATION} in {PROJECT}, with {COOKIE} and {GIVEN_COOKIE}; {IN_QUERY}"
    body = json.dumps({"error": {"message": said}}).encode()

    async def reads() -> AsyncIterator[bytes]:
        for place in range(len(body)):
            yield body[place : place + 1]

    return WireResponse(429, headers, reads())


@asynccontextmanager
async def on_a_socket(handler: Handler) -> AsyncIterator[str]:
    listening = listen()
    async with serving(handler, listening):
        yield address(listening)


async def ask(handler: Handler, request: WireRequest) -> bytes:
    """What a client of this server hears."""
    transport = Transport(handler=handler)
    try:
        async with transport.open(request) as response:
            return b"".join([data async for data in response.body])
    finally:
        await transport.aclose()


def leaks(tape: Path) -> list[str]:
    """The canaries in the file's bytes, whatever their case."""
    everything = tape.read_bytes().lower()
    return [canary for canary in CANARIES if canary.lower().encode() in everything]


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_recording_proxy_passes_everything_on_and_keeps_nothing_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, dialect: str
) -> None:
    tape = tmp_path / "t.jsonl"

    async def go() -> bytes:
        async with on_a_socket(telltale) as url:
            monkeypatch.setenv("OPENAI_BASE_URL", url)
            source = Source(record=str(tape), record_from="openai")
            with served(source, Messages("en")) as handler:
                return await ask(handler, asking(dialect))

    heard = asyncio.run(go())
    assert GIVEN_COOKIE.encode() in heard, "the client itself hears all of it"
    (exchange,) = load(tape.read_text().splitlines())
    assert len(exchange.body) == len(heard)
    assert leaks(tape) == []


@pytest.mark.parametrize("dialect", DIALECTS)
def test_the_recorded_simulator_keeps_nothing_of_it(tmp_path: Path, dialect: str) -> None:
    tape = tmp_path / "t.jsonl"
    with served(Source(speed=0, record=str(tape)), Messages("en")) as handler:
        asyncio.run(ask(handler, asking(dialect)))
    (exchange,) = load(tape.read_text().splitlines())
    assert exchange.response is not None
    assert exchange.response.status == 200
    assert leaks(tape) == []
