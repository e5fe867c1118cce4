"""Recording and replaying from the command line: the same calls come out, and no key is kept."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import click
import pytest

from app.cli.codes import Code
from app.cli.running import run
from app.cli.sources import Source, served
from app.messages import Messages
from providers.cassette import Exchange, dump, load, made_from
from providers.exchange import WireRequest
from providers.transport import Transport
from tests.loopback import unused_address
from tests.sdk.lab import KEY, KEYED, Lab, running_lab
from tests.simulating import DIALECTS, LOOKUP, Answer, asked, post, question

BOTH = "What is my height and weight?"
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def vitral(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Run:
    """Runs a command in this process: exit code, standard output, standard error."""
    monkeypatch.setenv("VITRAL_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("LANGUAGE", "en")
    monkeypatch.chdir(tmp_path)

    def run_it(*arguments: str) -> tuple[int, str, str]:
        code = run(arguments)
        out, err = capsys.readouterr()
        return int(code), out, err

    return run_it


@pytest.fixture(scope="module")
def lab() -> Iterator[Lab]:
    with running_lab() as lab:
        yield lab


def lines(out: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in out.splitlines()]


def ask(vitral: Run, *arguments: str) -> dict[str, Any]:
    _, out, _ = vitral("ask", BOTH, "--speed", "10000", "--record", "t.jsonl", "--json", *arguments)
    (said,) = lines(out)
    return said


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_recorded_run_plays_the_same_calls(vitral: Run, dialect: str) -> None:
    said = ask(vitral, "--dialect", dialect)
    code, out, err = vitral("replay", "t.jsonl", "--json")
    first, second = lines(out)
    assert (code, err) == (Code.ANSWERED, "")
    assert [call["args"] for call in first["calls"]] == [call["args"] for call in said["calls"]]
    assert second["text"] == said["answer"]
    assert {first["dialect"], second["dialect"]} == {dialect}


def test_a_refusal_is_replayed_as_an_error(vitral: Run) -> None:
    ask(vitral, "--fault", "status-401")
    _, out, _ = vitral("replay", "t.jsonl", "--json")
    (refused,) = lines(out)
    assert (refused["status"], refused["error"]["kind"]) == (401, "auth")
    assert (refused["calls"], refused["complete"]) == ([], False)


def test_a_cut_stream_is_replayed_without_its_call(vitral: Run) -> None:
    ask(vitral, "--fault", "cut-in-arguments")
    _, out, _ = vitral("replay", "t.jsonl", "--json")
    assert {(line["error"]["kind"], len(line["calls"])) for line in lines(out)} == {("cut", 0)}


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_fault_strikes_what_was_recorded_whole(vitral: Run, dialect: str) -> None:
    ask(vitral, "--dialect", dialect)
    _, out, _ = vitral("replay", "t.jsonl", "--fault", "cut-before-end", "--json")
    assert {(line["error"]["kind"], len(line["calls"])) for line in lines(out)} == {("cut", 0)}


def test_a_fault_can_strike_the_first_exchanges_only(vitral: Run) -> None:
    ask(vitral)
    options = ("--fault", "status-429,drip", "--fault-times", "1")
    _, out, _ = vitral("replay", "t.jsonl", *options, "--json")
    first, second = lines(out)
    assert (first["status"], first["error"]["kind"]) == (429, "rate_limit")
    assert (second["status"], second["error"]) == (200, None)


def test_the_seed_says_where_a_recording_is_struck(vitral: Run) -> None:
    ask(vitral)

    def read(seed: int) -> str:
        options = ("--fault", "cut-at-byte,drip", "--fault-seed", str(seed))
        return vitral("replay", "t.jsonl", *options, "--json")[1]

    assert read(1) == read(1)
    assert len({read(seed) for seed in range(4)}) > 1


@pytest.mark.parametrize(
    ("fault", "kind"),
    [("reset-mid-stream", "network"), ("hang", "timeout"), ("unreachable", "network")],
)
def test_a_connection_that_fails_is_told_as_it_failed(
    vitral: Run, monkeypatch: pytest.MonkeyPatch, fault: str, kind: str
) -> None:
    monkeypatch.setattr("providers.faults.tapes._SILENCE", 0.05)
    ask(vitral)
    _, out, _ = vitral("replay", "t.jsonl", "--fault", fault, "--json")
    assert {line["error"]["kind"] for line in lines(out)} == {kind}
    _, out, _ = vitral("replay", "t.jsonl", "--fault", fault, "--speed", "0")
    assert kind in out


def test_an_error_in_the_stream_is_believed_at_once(vitral: Run) -> None:
    ask(vitral)
    _, out, _ = vitral("replay", "t.jsonl", "--fault", "error-then-silence", "--json")
    assert {(line["error"]["kind"], line["ending"]) for line in lines(out)} == {
        ("server", "closed")
    }


def test_a_body_alone_can_be_struck(vitral: Run, tmp_path: Path) -> None:
    (tmp_path / "body.sse").write_bytes(asked("gemini", BOTH, LOOKUP).body)
    vitral("cassette", "from", "body.sse", "--dialect", "gemini", "--output", "t.jsonl")
    _, out, _ = vitral("replay", "t.jsonl", "--fault", "no-ids", "--json")
    assert len(lines(out)[0]["calls"]) == 2


def test_a_person_sees_text_and_calls(vitral: Run) -> None:
    ask(vitral)
    _, out, _ = vitral("replay", "t.jsonl", "--speed", "0")
    assert f'→ {LOOKUP} {{"key": "height"}}\n→ {LOOKUP} {{"key": "weight"}}\n' in out
    assert "Your height is 170 cm." in out


def test_each_key_shows_one_thing_more(
    vitral: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    body = asked("openai-chat", "my height", LOOKUP).body
    (tmp_path / "t.jsonl").write_text(dump(made_from(body, "openai-chat", 60.0)))
    shown: list[str] = []

    def key() -> str:
        shown.append(capsys.readouterr().out)
        return " "

    monkeypatch.setattr("sys.stdin.isatty", lambda: True)
    monkeypatch.setattr("click.getchar", key)
    _, rest, _ = vitral("replay", "t.jsonl", "--step")
    assert shown[:2] == ["1. openai-chat · 200\n", f"→ {LOOKUP} "]
    assert "".join([*shown[2:], rest]).startswith('{"key": "height"}\n')
    assert len(shown) > 6


def test_steps_need_keys(vitral: Run) -> None:
    ask(vitral)
    code, out, err = vitral("replay", "t.jsonl", "--step")
    assert (code, out) == (Code.USAGE, "")
    assert "--step waits for keys" in err


def test_a_recording_cannot_drive_the_terminal(vitral: Run, tmp_path: Path) -> None:
    body = b'data: {"choices": [{"delta": {"content": "\\u001b]0;title\\u0007"}}]}\n\n'
    tape = dump(made_from(body, "openai-chat", 0.0))
    (tmp_path / "t.jsonl").write_text(tape)
    _, out, _ = vitral("replay", "t.jsonl", "--speed", "0")
    assert "title" in out
    assert "\x1b" not in out


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_body_made_a_cassette_says_what_decode_says(
    vitral: Run, tmp_path: Path, dialect: str
) -> None:
    (tmp_path / "body.sse").write_bytes(asked(dialect, BOTH, LOOKUP).body)
    made = vitral("cassette", "from", "body.sse", "--dialect", dialect, "--output", "t.jsonl")
    assert made == (Code.ANSWERED, "", "")
    (replayed,) = lines(vitral("replay", "t.jsonl", "--json")[1])
    (decoded,) = lines(vitral("decode", "body.sse", "--dialect", dialect, "--json")[1])
    del decoded["file"]
    assert decoded.items() <= replayed.items()


def test_without_an_output_the_cassette_is_printed(vitral: Run, tmp_path: Path) -> None:
    body = asked("gemini", BOTH, LOOKUP).body
    (tmp_path / "body.sse").write_bytes(body)
    _, out, _ = vitral("cassette", "from", "body.sse", "--dialect", "gemini")
    (exchange,) = load(out.splitlines())
    assert exchange.body == body


@pytest.mark.parametrize(
    ("tape", "error"),
    [
        ("nothing", "t.jsonl is no cassette; line 1: Invalid JSON"),
        (dump(Exchange()), "t.jsonl holds no answer of a model."),
        (None, "t.jsonl cannot be read: No such file or directory"),
    ],
)
def test_a_file_that_cannot_be_played_is_an_error_of_usage(
    vitral: Run, tmp_path: Path, tape: str | None, error: str
) -> None:
    if tape is not None:
        (tmp_path / "t.jsonl").write_text(tape)
    code, out, err = vitral("replay", "t.jsonl")
    assert (code, out) == (Code.USAGE, "")
    assert error in err


def test_a_file_that_cannot_be_written_is_an_error_of_usage(vitral: Run) -> None:
    code, _, err = vitral("ask", BOTH, "--record", "nowhere/t.jsonl")
    assert code == Code.USAGE
    assert "nowhere/t.jsonl cannot be written" in err


@pytest.mark.parametrize("dialect", ["openai-responses", "openai-chat"])
def test_a_run_with_a_key_records_none(
    vitral: Run, lab: Lab, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, dialect: str
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    said = ask(
        vitral,
        *("--provider", "openai", "--base-url", lab.at(KEYED, "/v1")),
        *("--model", "vitral-sim", "--dialect", dialect),
    )
    assert said["ending"] == "answered"
    assert KEY.encode() not in (tmp_path / "t.jsonl").read_bytes()


def answer_of(source: Source, request: WireRequest) -> Answer:
    """What is served for a request."""
    return asyncio.run(_answer_of(source, request))


async def _answer_of(source: Source, request: WireRequest) -> Answer:
    with served(source, Messages("en")) as handler:
        transport = Transport(handler=handler)
        async with transport.open(request) as response:
            reads = [data async for data in response.body]
        await transport.aclose()
    return Answer(response.status, dict(response.headers), tuple(reads))


def asking(dialect: str, key: str | None = KEY) -> WireRequest:
    named = {} if key is None else {"authorization": f"Bearer {key}"}
    return post(dialect, question(dialect, BOTH, LOOKUP), headers=named)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_cassette_is_served(tmp_path: Path, dialect: str) -> None:
    body = asked(dialect, BOTH, LOOKUP).body
    path = tmp_path / "t.jsonl"
    path.write_text(dump(made_from(body, dialect, 1.0)))
    heard = answer_of(Source(speed=0, cassette=str(path)), asking(dialect))
    assert (heard.status, heard.body) == (200, body)


def test_a_recording_proxy_passes_all_on_and_keeps_no_key(
    lab: Lab, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", lab.at(KEYED, "/v1"))
    path = tmp_path / "t.jsonl"
    source = Source(record=str(path), record_from="openai")
    heard = answer_of(source, asking("openai-chat"))
    (exchange,) = load(path.read_text().splitlines())
    assert heard.status == 200
    assert exchange.body == heard.body == bytes(lab.bodies[-1])
    assert KEY.encode() not in path.read_bytes()


def test_a_recording_proxy_lends_no_key_of_ours(
    lab: Lab, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", lab.at(KEYED, "/v1"))
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    source = Source(record=str(tmp_path / "t.jsonl"), record_from="openai")
    assert answer_of(source, asking("openai-chat", key=None)).status == 401


def test_a_provider_that_cannot_be_reached_is_a_bad_gateway(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", unused_address())
    source = Source(record=str(tmp_path / "t.jsonl"), record_from="openai")
    heard = answer_of(source, asking("openai-chat"))
    assert heard.status == 502
    (exchange,) = load((tmp_path / "t.jsonl").read_text().splitlines())
    assert exchange.failure == "network"


@pytest.mark.parametrize(
    "source",
    [
        Source(record_from="openai"),
        Source(record_from="openai", record="t.jsonl", scene="height"),
        Source(record_from="openai", record="t.jsonl", cassette="t.jsonl"),
        Source(record_from="nobody", record="t.jsonl"),
        Source(cassette="nothing.jsonl"),
    ],
)
def test_what_cannot_be_served_is_an_error_of_usage(source: Source) -> None:
    with pytest.raises(click.UsageError), served(source, Messages("en")):
        pass
