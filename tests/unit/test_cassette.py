"""A cassette holds what went over the wire, none of what must not be told, and plays it again."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest

from providers.cassette import CassetteError, Ending, Exchange, dialect_of, dump, load, made_from
from providers.exchange import Handler, WireRequest, WireResponse
from providers.masking import kept_url, masked_reads
from providers.player import Player
from providers.reading import read_body
from providers.recorder import CassetteFile, RecordingTransport
from providers.simulator import Simulator
from providers.transport import ConnectionFailed, Transport
from tests.simulating import DIALECTS, LOOKUP, asked, post, question

KEY = "sk-canary-0123456789abcdef"
PLAIN_KEY = "canary-key-of-no-known-shape"
ORGANISATION = "org-CanaryOrganisation1"
COOKIE = "canary-cookie-value"
BOTH = "my height and weight"


async def recorded(handler: Handler, request: WireRequest, reads: int | None = None) -> Exchange:
    """The exchange of one request, of which the client takes this many reads."""
    kept: list[Exchange] = []
    ticks = count()
    inner = Transport(handler=handler)
    transport = RecordingTransport(inner, kept.append, clock=lambda: float(next(ticks)))
    try:
        async with transport.open(request) as response:
            taken = 0
            async for _ in response.body:
                taken += 1
                if taken == reads:
                    break
    except ConnectionFailed:
        assert kept, "a failure is recorded before it is told"
    finally:
        await transport.aclose()
    (exchange,) = kept
    return exchange


def saying(*reads: bytes, headers: Mapping[str, str] | None = None) -> Handler:
    """A server that says these reads."""

    async def handler(_: WireRequest) -> WireResponse:
        async def body() -> AsyncIterator[bytes]:
            for data in reads:
                yield data

        return WireResponse(200, headers or {}, body())

    return handler


def asking(dialect: str = "openai-chat") -> WireRequest:
    return post(dialect, question(dialect, BOTH, LOOKUP))


@pytest.mark.parametrize("dialect", DIALECTS)
async def test_what_was_recorded_is_read_as_it_was_then(dialect: str) -> None:
    exchange = await recorded(Simulator(speed=0).handle, asking(dialect))
    (again,) = load([dump(exchange)])
    assert again == exchange
    assert again.dialect == dialect
    calls = read_body(dialect, [read.data for read in again.reads]).calls
    assert [call.args for call in calls] == [{"key": "height"}, {"key": "weight"}]


async def test_bytes_that_are_no_text_are_kept_as_they_are() -> None:
    exchange = await recorded(saying(b"\xff\xc3", "é".encode()[:1], b"a"), asking())
    (again,) = load([dump(exchange)])
    assert [read.data for read in again.reads] == [b"\xff\xc3", b"\xc3", b"a"]


async def test_each_read_has_its_time() -> None:
    exchange = await recorded(saying(b"a", b"b"), asking())
    assert exchange.response is not None
    assert [exchange.response.after, *(read.after for read in exchange.reads)] == [1, 2, 3]


async def test_a_body_that_holds_nothing_and_halves_is_kept() -> None:
    body = b'{"a": null, "b": "\\ud83d"}'
    exchange = await recorded(saying(b""), replace(asking(), body=body))
    (again,) = load([dump(exchange)])
    assert again.request.raw is not None
    assert again.request.raw.data == body


async def test_nulls_of_a_body_are_kept() -> None:
    exchange = await recorded(saying(b""), replace(asking(), body=b'{"a": null}'))
    assert load([dump(exchange)])[0].request.json_body == {"a": None}


async def test_a_client_that_leaves_is_told_from_an_end() -> None:
    assert (await recorded(saying(b"a", b"b"), asking(), reads=1)).ending is Ending.CLOSED
    assert (await recorded(saying(b"a", b"b"), asking())).ending is Ending.WHOLE


async def test_a_network_that_fails_is_recorded() -> None:
    exchange = await recorded(Simulator(fault="unreachable").handle, asking())
    assert (exchange.response, exchange.ending, exchange.failure) == (
        None,
        Ending.FAILED,
        "network",
    )


CANARIES = (KEY, PLAIN_KEY, ORGANISATION, COOKIE, "canary")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("authorization", f"Bearer {KEY}"),
        ("authorization", f"Bearer {PLAIN_KEY}"),
        ("x-api-key", PLAIN_KEY),
        ("x-goog-api-key", PLAIN_KEY),
        ("api-key", PLAIN_KEY),
        ("cookie", f"session={COOKIE}; theme=dark"),
        ("openai-organization", ORGANISATION),
        ("openai-project", "proj_CanaryProject1"),
        ("x-unheard-of", "canary"),
    ],
)
async def test_a_header_that_says_who_asks_leaves_no_trace(
    tmp_path: Path, name: str, value: str
) -> None:
    said = f"you are {value.removeprefix('Bearer ')}".encode() if name != "x-unheard-of" else b""
    request = replace(asking(), headers={name: value}, body=b'{"said": "' + said + b'"}')
    exchange = await recorded(saying(said[:12], said[12:]), request)
    assert leaks(tmp_path, exchange) == []


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("set-cookie", f"__cf_bm={COOKIE}; path=/"),
        ("openai-organization", "canary-company"),
        ("anthropic-organization-id", "canary-0000-4000"),
    ],
)
async def test_a_header_of_the_answer_leaves_no_trace(
    tmp_path: Path, name: str, value: str
) -> None:
    said = value.partition(";")[0].partition("=")[2] or value
    exchange = await recorded(saying(said.encode(), headers={name: value}), asking())
    assert leaks(tmp_path, exchange) == []


@pytest.mark.parametrize("secret", [KEY, ORGANISATION, "AIzaCanary0123456789abcdefgh"])
async def test_what_has_the_shape_of_a_secret_leaves_no_trace(tmp_path: Path, secret: str) -> None:
    body = json.dumps({"error": f"Limit reached in organization {secret} today"}).encode()
    cut = [body[place : place + 1] for place in range(len(body))]
    assert leaks(tmp_path, await recorded(saying(*cut), asking())) == []


@pytest.mark.parametrize(
    "url",
    [
        f"https://host.invalid/v1/messages?key={PLAIN_KEY}",
        f"https://name:{PLAIN_KEY}@host.invalid/v1/messages",
        f"https://host.invalid/{KEY}/v1/messages",
    ],
)
async def test_an_address_tells_no_key(tmp_path: Path, url: str) -> None:
    exchange = await recorded(saying(b"a"), replace(asking(), url=url))
    assert leaks(tmp_path, exchange) == []
    assert exchange.dialect == "anthropic"


def leaks(folder: Path, exchange: Exchange) -> list[bytes]:
    """The canaries that stand in the file's bytes, in any case and as base64 too."""
    path = folder / "cassette.jsonl"
    cassette = CassetteFile(path)
    cassette.keep(exchange)
    cassette.close()
    everything = path.read_bytes() + exchange.body
    return [canary.encode() for canary in CANARIES if canary.lower().encode() in everything.lower()]


def test_an_address_keeps_how_its_answer_comes() -> None:
    url = "https://host.invalid/v1beta/models/m:streamGenerateContent"
    assert kept_url(f"{url}?alt=sse&key=k#f") == f"{url}?alt=sse"


def test_a_mask_moves_no_read() -> None:
    reads = [b"a sk-0123", b"456789 b", b"", b"c"]
    assert masked_reads(reads, ()) == [b"a *******", b"****** b", b"", b"c"]


def test_words_that_only_look_alike_are_kept() -> None:
    reads = [b"a task-oriented org-chart, ask-me-anything-now"]
    assert masked_reads(reads, ()) == reads


def test_a_file_grows_by_a_line_and_is_its_owners(tmp_path: Path) -> None:
    path = tmp_path / "cassette.jsonl"
    for _ in range(2):
        cassette = CassetteFile(path)
        cassette.keep(Exchange())
        cassette.close()
    assert len(load(path.read_text().splitlines())) == 2
    assert path.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("nothing", "Invalid JSON"),
        ('{"vitral": 2}', "vitral: Input should be 1"),
        ('{"reads": [{"after": 0}]}', "reads.0: Value error, either text or base64"),
        ('{"reads": [{"after": 0, "base64": "?"}]}', "reads.0: Value error, base64:"),
    ],
)
def test_a_line_that_is_no_exchange_is_told_by_its_number(line: str, problem: str) -> None:
    with pytest.raises(CassetteError) as caught:
        load(["", dump(Exchange()), line])
    assert caught.value.line == 3
    assert caught.value.problem.startswith(problem)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_body_becomes_a_cassette(dialect: str) -> None:
    body = asked(dialect, BOTH, LOOKUP).body
    exchange = made_from(body, dialect, 0.5)
    assert exchange.body == body
    assert [read.after for read in exchange.reads[:3]] == [0.5, 1.0, 1.5]
    assert all(read.data.endswith(b"\n") for read in exchange.reads)


@pytest.mark.parametrize(
    ("url", "dialect"),
    [
        ("https://h/v1/chat/completions?api-version=1", "openai-chat"),
        ("https://h/v1/responses/", "openai-responses"),
        ("https://h/v1beta/models/m:generateContent", "gemini"),
        ("https://h/v1/models", ""),
    ],
)
def test_an_address_tells_its_dialect(url: str, dialect: str) -> None:
    assert dialect_of(url) == dialect


async def test_a_player_says_the_answers_in_their_order_and_begins_again() -> None:
    player = Player([made_from(body, "openai-chat", 1) for body in (b"one", b"two")], speed=0)
    said = [(await recorded(player.handle, asking())).body for _ in range(3)]
    assert said == [b"one", b"two", b"one"]


async def test_a_player_answers_in_the_dialect_that_it_is_asked_in() -> None:
    player = Player([made_from(b"one", "anthropic", 1)], speed=0)
    answer = await recorded(player.handle, asking("gemini"))
    assert answer.response is not None
    assert answer.response.status == 404


async def test_a_player_keeps_the_pace() -> None:
    waits: list[float] = []

    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    exchange = made_from(b"a\n\nb\n\n", "openai-chat", 3.0)
    player = Player([exchange], speed=2, sleep=sleep)
    await recorded(player.handle, asking())
    assert waits == [1.5, 1.5]


async def test_a_player_fails_where_the_network_failed() -> None:
    dead = await recorded(Simulator(fault="unreachable").handle, asking())
    again = await recorded(Player([dead]).handle, asking())
    assert again.ending is Ending.FAILED
