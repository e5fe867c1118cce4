"""What a provider's stream says, whatever its server does. In the process: no socket."""

from __future__ import annotations

import asyncio
import math
from collections.abc import AsyncIterator
from contextlib import aclosing

import pytest

from providers.exchange import WireRequest, WireResponse
from providers.failures import FailureKind, When
from providers.parts import Stop, Stopped, StreamFailed, TextDelta
from providers.provider import join, json_bytes
from providers.request import Request
from providers.secret import Secret
from tests.talking import CANARY, answering, failure_heard, heard, parts_heard, provider_at

URL = "http://provider.invalid"
REQUEST = Request(model="m", history=())


async def test_each_read_gives_its_parts_and_the_last_part_is_the_stop() -> None:
    provider = provider_at(URL, handler=answering(b"text a\nte", b"xt b\n", b"end\n"))
    said = await heard(provider)
    assert [received.data for received in said] == [b"text a\nte", b"xt b\n", b"end\n", b""]
    assert said[0].parts == (TextDelta("a"),)
    assert said[-1].parts == (Stopped(Stop.END, "end"),)


async def test_a_whole_json_answer_is_the_decoders_to_read() -> None:
    handler = answering(b'{"text": "all of it"}', content_type="application/json")
    parts = await parts_heard(provider_at(URL, handler=handler))
    assert parts == [TextDelta("all of it"), Stopped(Stop.END, "whole")]


async def test_an_html_page_is_a_protocol_failure() -> None:
    handler = answering(b"<html>Sign in</html>", content_type="text/html; charset=utf-8")
    failure = await failure_heard(provider_at(URL, handler=handler))
    assert failure.kind is FailureKind.PROTOCOL
    assert failure.body == "<html>Sign in</html>"


async def test_a_body_that_ends_too_soon_is_cut() -> None:
    failure = await failure_heard(provider_at(URL, handler=answering(b"text a\n")))
    assert failure.kind is FailureKind.CUT


async def test_a_refusal_is_classified_with_its_request_id() -> None:
    body = b'{"error": {"message": "no such key", "code": "invalid_api_key"}}'
    handler = answering(body, status=401, content_type="application/json", x_request_id="req_1")
    failure = await failure_heard(provider_at(URL, handler=handler))
    assert (failure.kind, failure.status, failure.request_id) == (FailureKind.AUTH, 401, "req_1")


async def test_a_failure_inside_a_stream_has_the_request_id_of_its_answer() -> None:
    handler = answering(b"error overloaded\n", request_id="req_2")
    failure = await failure_heard(provider_at(URL, handler=handler))
    assert (failure.kind, failure.request_id) == (FailureKind.OVERLOADED, "req_2")


async def test_a_dead_network_is_a_failure_and_no_exception() -> None:
    async def dead(request: WireRequest) -> WireResponse:
        raise ConnectionRefusedError(111, "Connection refused")

    failure = await failure_heard(provider_at(URL, handler=dead))
    assert (failure.kind, failure.transient) == (FailureKind.NETWORK, True)


async def test_a_network_that_dies_inside_the_answer_says_so() -> None:
    async def dying(request: WireRequest) -> WireResponse:
        async def body() -> AsyncIterator[bytes]:
            yield b"text a\n"
            raise ConnectionResetError(104, "Connection reset by peer")

        return WireResponse(200, {}, body())

    failure = await failure_heard(provider_at(URL, handler=dying))
    assert (failure.kind, failure.when) == (FailureKind.NETWORK, When.INSIDE)


async def test_a_network_that_dies_after_the_formats_end_is_no_failure() -> None:
    async def dying(request: WireRequest) -> WireResponse:
        async def body() -> AsyncIterator[bytes]:
            yield b"text a\nend\n"
            raise ConnectionResetError

        return WireResponse(200, {}, body())

    assert await parts_heard(provider_at(URL, handler=dying)) == [
        TextDelta("a"),
        Stopped(Stop.END, "end"),
    ]


async def test_a_body_that_stays_open_after_the_formats_end_is_left(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("providers.provider.LINGER", 0.01)

    async def lingering(request: WireRequest) -> WireResponse:
        async def body() -> AsyncIterator[bytes]:
            yield b"end\n"
            await asyncio.Event().wait()

        return WireResponse(200, {}, body())

    assert await parts_heard(provider_at(URL, handler=lingering)) == [Stopped(Stop.END, "end")]


async def test_an_answer_that_failed_is_left_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("providers.provider.LINGER", math.inf)

    async def lingering(request: WireRequest) -> WireResponse:
        async def body() -> AsyncIterator[bytes]:
            yield b"error overloaded\n"
            await asyncio.Event().wait()

        return WireResponse(200, {}, body())

    async with asyncio.timeout(5):
        failure = await failure_heard(provider_at(URL, handler=lingering))
    assert failure.kind is FailureKind.OVERLOADED


async def test_an_answer_that_never_ends_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("providers.provider.ANSWER_LIMIT", 1_000)
    said = await heard(provider_at(URL, handler=answering(*[b"text again\n"] * 5_000)))
    assert sum(len(received.data) for received in said) < 2_000
    (failed,) = said[-1].parts
    assert isinstance(failed, StreamFailed)
    assert failed.failure.kind is FailureKind.PROTOCOL


async def test_silence_is_a_timeout() -> None:
    async def silent(request: WireRequest) -> WireResponse:
        async def body() -> AsyncIterator[bytes]:
            yield b"text a\n"
            await asyncio.Event().wait()

        return WireResponse(200, {}, body())

    failure = await failure_heard(provider_at(URL, handler=silent, silence=0.02))
    assert (failure.kind, failure.when) == (FailureKind.TIMEOUT, When.INSIDE)


async def test_closing_the_stream_closes_the_servers_body_before_it_returns() -> None:
    closed = False

    async def endless(request: WireRequest) -> WireResponse:
        async def body() -> AsyncIterator[bytes]:
            nonlocal closed
            try:
                while True:
                    yield b"text a\n"
            finally:
                closed = True

        return WireResponse(200, {}, body())

    async with aclosing(provider_at(URL, handler=endless).stream(REQUEST)) as stream:
        await anext(stream)
    assert closed


async def test_cancelling_the_reader_closes_the_servers_body() -> None:
    waiting, closed = asyncio.Event(), False

    async def hanging(request: WireRequest) -> WireResponse:
        async def body() -> AsyncIterator[bytes]:
            nonlocal closed
            try:
                waiting.set()
                await asyncio.Event().wait()
                yield b""
            finally:
                closed = True

        return WireResponse(200, {}, body())

    task = asyncio.create_task(heard(provider_at(URL, handler=hanging)))
    await waiting.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert closed


async def test_a_body_is_read_one_piece_at_a_time() -> None:
    made = 0

    async def counting(request: WireRequest) -> WireResponse:
        async def body() -> AsyncIterator[bytes]:
            nonlocal made
            for _ in range(100):
                made += 1
                yield b"text a\n"

        return WireResponse(200, {}, body())

    async with aclosing(provider_at(URL, handler=counting).stream(REQUEST)) as stream:
        await anext(stream)
        assert made == 1


async def test_the_key_and_the_headers_go_out_in_the_dialects_way() -> None:
    asked: list[WireRequest] = []
    handler = answering(b"end\n", seen=asked.append)
    await heard(provider_at(f"{URL}/", handler=handler, key=Secret(CANARY)))
    assert asked[0].url == f"{URL}/v1/ask"
    assert asked[0].headers["authorization"] == f"Bearer {CANARY}"
    assert asked[0].headers["x-version"] == "1"
    assert asked[0].body == b'{"model":"m"}'


async def test_without_a_key_no_authorization_is_sent() -> None:
    asked: list[WireRequest] = []
    await heard(provider_at(URL, handler=answering(b"end\n", seen=asked.append)))
    assert "authorization" not in asked[0].headers


async def test_a_key_that_no_header_can_carry_is_an_auth_failure_and_nothing_is_sent() -> None:
    asked: list[WireRequest] = []
    handler = answering(b"end\n", seen=asked.append)
    failure = await failure_heard(provider_at(URL, handler=handler, key=Secret("sk-a\nb-012345")))
    assert failure.kind is FailureKind.AUTH
    assert asked == []


@pytest.mark.parametrize(
    ("base_url", "path", "address"),
    [
        ("http://h", "/v1/messages", "http://h/v1/messages"),
        ("http://h/v1", "/v1/messages", "http://h/v1/messages"),
        ("http://h/v1/", "/responses", "http://h/v1/responses"),
        ("http://h/api/v1", "/chat/completions", "http://h/api/v1/chat/completions"),
        ("http://h/v1beta", "/v1beta/models/m:go?alt=sse", "http://h/v1beta/models/m:go?alt=sse"),
    ],
)
def test_an_address_may_hold_the_version_or_not(base_url: str, path: str, address: str) -> None:
    assert join(base_url, path) == address


def test_half_a_surrogate_pair_is_sent_as_its_escape() -> None:
    assert json_bytes({"text": "é\ud83d"}) == '{"text":"é\\ud83d"}'.encode()


def test_a_number_that_json_cannot_write_is_sent_as_null() -> None:
    assert json_bytes({"args": [{"a": math.inf}, 1.5]}) == b'{"args":[{"a":null},1.5]}'
