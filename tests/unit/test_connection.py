"""The connection over a real socket: what only a socket can show."""

from __future__ import annotations

import asyncio
import gzip
import socket
import ssl
import sys
import zlib
from contextlib import aclosing
from subprocess import run

import httpx
import pytest

from providers.failures import FailureKind, When
from providers.parts import Stop, Stopped, TextDelta
from providers.request import Request
from providers.secret import Secret
from providers.transport import Transport, failure_of_http_error
from tests.loopback import Connection, serving, unused_address
from tests.talking import CANARY, failure_heard, heard, parts_heard, provider_at

REQUEST = Request(model="m", history=())


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)


async def test_a_streamed_answer_arrives_read_by_read() -> None:
    async def script(connection: Connection) -> None:
        await connection.begin(content_type="text/event-stream")
        await connection.chunk(b"text a\n")
        await go_on.wait()
        await connection.chunk(b"end\n")
        await connection.finish()

    go_on = asyncio.Event()
    async with (
        serving(script) as server,
        aclosing(provider_at(server.url).stream(REQUEST)) as stream,
    ):
        assert (await anext(stream)).parts == (TextDelta("a"),)
        go_on.set()
        *_, last = [received async for received in stream]
    assert last.parts == (Stopped(Stop.END, "end"),)


async def test_a_refused_connection_is_a_network_failure_that_may_pass() -> None:
    failure = await failure_heard(provider_at(unused_address()))
    assert (failure.kind, failure.transient) == (FailureKind.NETWORK, True)
    assert failure.when is When.BEFORE


@pytest.mark.parametrize("address", ["nonsense", "ftp://127.0.0.1", "http://[::1", "http://"])
async def test_an_address_that_is_none_will_not_pass(address: str) -> None:
    failure = await failure_heard(provider_at(address))
    assert (failure.kind, failure.transient) == (FailureKind.NETWORK, False)


async def test_a_reset_in_mid_body_is_a_network_failure_inside() -> None:
    async def script(connection: Connection) -> None:
        await connection.begin()
        await connection.chunk(b"text a\n")
        await heard_first.wait()
        connection.reset()

    heard_first = asyncio.Event()
    async with (
        serving(script) as server,
        aclosing(provider_at(server.url).stream(REQUEST)) as stream,
    ):
        await anext(stream)
        heard_first.set()
        *_, last = [received async for received in stream]
    failure = last.parts[-1].failure  # type: ignore[union-attr]  # the next line would fail
    assert (failure.kind, failure.when) == (FailureKind.NETWORK, When.INSIDE)


async def test_a_body_shorter_than_promised_is_cut() -> None:
    async def script(connection: Connection) -> None:
        await connection.begin()
        await connection.chunk(b"text a\n")
        connection.writer.close()

    async with serving(script) as server:
        failure = await failure_heard(provider_at(server.url))
    assert (failure.kind, failure.transient) == (FailureKind.CUT, True)


async def test_a_server_that_says_nothing_times_out() -> None:
    async def script(connection: Connection) -> None:
        await connection.begin()
        await asyncio.Event().wait()

    async with serving(script) as server:
        failure = await failure_heard(provider_at(server.url, silence=0.05))
    assert (failure.kind, failure.transient) == (FailureKind.TIMEOUT, True)


async def test_a_redirect_is_not_followed_with_the_key() -> None:
    async def elsewhere(connection: Connection) -> None:
        await connection.answer(b"end\n")

    async with serving(elsewhere) as other:

        async def script(connection: Connection) -> None:
            await connection.answer(b"", status="307 Temporary Redirect", location=other.url)

        async with serving(script) as server:
            failure = await failure_heard(provider_at(server.url, key=Secret(CANARY)))
    assert (failure.status, failure.transient) == (307, False)
    assert other.requests == []


async def test_closing_the_stream_closes_the_socket_at_once() -> None:
    async def script(connection: Connection) -> None:
        await connection.begin()
        await connection.chunk(b"text a\n")
        await asyncio.Event().wait()

    async with serving(script) as server:
        async with aclosing(provider_at(server.url).stream(REQUEST)) as stream:
            await anext(stream)
        await asyncio.wait_for(server.connections[0].gone.wait(), 2)


async def test_cancelling_the_reader_closes_the_socket_at_once() -> None:
    async def script(connection: Connection) -> None:
        asked.set()
        await asyncio.Event().wait()

    asked = asyncio.Event()
    async with serving(script) as server:
        task = asyncio.create_task(heard(provider_at(server.url)))
        await asked.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await asyncio.wait_for(server.connections[0].gone.wait(), 2)


async def test_a_whole_json_answer_over_a_socket() -> None:
    async def script(connection: Connection) -> None:
        await connection.answer(b'{"text": "whole"}', content_type="application/json")

    async with serving(script) as server:
        parts = await parts_heard(provider_at(server.url))
    assert parts == [TextDelta("whole"), Stopped(Stop.END, "whole")]


async def test_an_html_page_over_a_socket() -> None:
    async def script(connection: Connection) -> None:
        await connection.answer(b"<html>", content_type="text/html")

    async with serving(script) as server:
        assert (await failure_heard(provider_at(server.url))).kind is FailureKind.PROTOCOL


async def test_a_compressed_stream_is_read_as_it_comes() -> None:
    async def script(connection: Connection) -> None:
        packer = zlib.compressobj(wbits=31)
        await connection.begin(content_encoding="gzip")
        await connection.chunk(packer.compress(b"text a\n") + packer.flush(zlib.Z_SYNC_FLUSH))
        await go_on.wait()
        await connection.chunk(packer.compress(b"end\n") + packer.flush())
        await connection.finish()

    go_on = asyncio.Event()
    async with (
        serving(script) as server,
        aclosing(provider_at(server.url).stream(REQUEST)) as stream,
    ):
        assert (await anext(stream)).parts == (TextDelta("a"),)
        go_on.set()
        *_, last = [received async for received in stream]
    assert last.parts == (Stopped(Stop.END, "end"),)


async def test_a_body_that_is_not_compressed_as_it_says_is_a_protocol_failure() -> None:
    async def script(connection: Connection) -> None:
        await connection.answer(b"not gzip at all", content_encoding="gzip")

    async with serving(script) as server:
        assert (await failure_heard(provider_at(server.url))).kind is FailureKind.PROTOCOL


async def test_a_compressed_refusal_is_classified_by_its_text() -> None:
    async def script(connection: Connection) -> None:
        refusal = gzip.compress(b'{"error": {"code": "insufficient_quota"}}')
        await connection.answer(refusal, status="429 Too Many", content_encoding="gzip")

    async with serving(script) as server:
        assert (await failure_heard(provider_at(server.url))).kind is FailureKind.QUOTA


async def test_a_connection_is_used_again_after_a_whole_answer() -> None:
    async def script(connection: Connection) -> None:
        await connection.begin()
        await connection.chunk(b"end\n")
        await connection.finish()

    async with serving(script) as server:
        provider = provider_at(server.url)
        await heard(provider)
        await heard(provider)
        await provider.transport.aclose()
    assert (len(server.requests), len(server.connections)) == (2, 1)


async def test_a_certificate_file_that_is_missing_is_a_failure(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", "/nowhere/at/all.pem")
    failure = await failure_heard(provider_at("http://127.0.0.1:9"))
    assert (failure.kind, failure.transient) == (FailureKind.NETWORK, False)


async def test_the_proxy_of_the_environment_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    async def script(connection: Connection) -> None:
        await connection.answer(b"end\n")

    async with serving(script) as proxy:
        monkeypatch.setenv("HTTP_PROXY", proxy.url)
        await heard(provider_at("http://provider.invalid"))
    assert proxy.requests[0].startswith(b"POST http://provider.invalid/v1/ask ")


async def test_a_server_on_this_machine_is_asked_without_the_proxy(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def script(connection: Connection) -> None:
        await connection.answer(b"end\n")

    monkeypatch.setenv("HTTP_PROXY", unused_address())
    async with serving(script) as server:
        assert await parts_heard(provider_at(server.url)) == [Stopped(Stop.END, "end")]


def caused_by(error: Exception, cause: Exception) -> Exception:
    error.__cause__ = cause
    return error


@pytest.mark.parametrize(
    ("cause", "transient"),
    [
        (ssl.SSLCertVerificationError("certificate verify failed"), False),
        (socket.gaierror(socket.EAI_NONAME, "Name or service not known"), False),
        (socket.gaierror(socket.EAI_AGAIN, "Temporary failure in name resolution"), True),
        (OSError("no route"), True),
    ],
)
def test_what_kept_us_from_connecting_decides_whether_it_may_pass(
    cause: Exception, transient: bool
) -> None:
    error = caused_by(httpx.ConnectError("outer"), caused_by(OSError("inner"), cause))
    failure = failure_of_http_error(error)
    assert (failure.kind, failure.transient) == (FailureKind.NETWORK, transient)


async def test_a_transport_can_be_warmed_and_closed_without_a_request() -> None:
    transport = Transport()
    await transport.warm()
    await transport.aclose()


def test_importing_the_connection_does_not_import_the_http_library() -> None:
    code = "import sys, providers.provider, providers.catalogue; assert 'httpx' not in sys.modules"
    run([sys.executable, "-c", code], check=True)
