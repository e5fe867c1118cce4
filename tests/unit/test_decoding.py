"""The frame of every decoder: what is a stream, what is not, and how it ends."""

from __future__ import annotations

import json

import pytest

from providers.dialects import dialect
from providers.failures import FailureKind
from providers.parts import Stopped, StreamFailed, TextDelta
from tests.simulating import DIALECTS
from tests.streams import call, chat_stream, chunk, chunks, cut_every, read, sse

CHAT = "openai-chat"
WHOLE = {"choices": [{"message": {"content": "Hi"}, "finish_reason": "stop"}]}


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b"", FailureKind.CUT),
        (b"\n\n", FailureKind.CUT),
        (b": OPENROUTER PROCESSING\n\n", FailureKind.CUT),
        (b"<!DOCTYPE html><p>Bad gateway</p>", FailureKind.PROTOCOL),
        (b"upstream connect error", FailureKind.PROTOCOL),
        (b"data: {half\n\ndata: [DONE]\n\n", FailureKind.PROTOCOL),
        (b'{"choices": [{"mess', FailureKind.CUT),
        (b'{"a": 1}\n{"a": 2}\n', FailureKind.PROTOCOL),
        (b'{"hello": 1}', FailureKind.PROTOCOL),
        (b"[]", FailureKind.CUT),
        (b'{"error": {"message": "no", "type": "overloaded_error"}}', FailureKind.OVERLOADED),
    ],
)
@pytest.mark.parametrize("size", [1, 1000])
def test_a_body_that_is_no_answer_fails_in_its_own_way(
    body: bytes, kind: FailureKind, size: int
) -> None:
    assert read(CHAT, list(cut_every(body, size))).failure is kind


@pytest.mark.parametrize("size", [1, 1000])
def test_one_whole_json_answer_is_read_like_a_stream(size: int) -> None:
    body = ("\ufeff " + json.dumps(WHOLE)).encode()
    said = read(CHAT, list(cut_every(body, size)))
    assert (said.text, type(said.parts[-1])) == ("Hi", Stopped)


def test_a_failing_page_is_kept_for_the_diagnostics() -> None:
    last = read(CHAT, list(cut_every(b"<html>Bad gateway", 1))).parts[-1]
    assert isinstance(last, StreamFailed)
    assert last.failure.body == "<html>Bad gateway"


def test_a_page_without_end_is_left_once_its_start_is_kept() -> None:
    decoder = dialect(CHAT).decoder(provider="tests", new_id=str)
    for _ in range(1_000):
        decoder.feed(b"<p>" * 7)
    assert decoder.finished
    (*_, last) = decoder.end()
    assert isinstance(last, StreamFailed)
    assert len(last.failure.body) == 4096


def test_feed_gives_no_ending_and_end_gives_one() -> None:
    endings = [part for part in read(CHAT, chat_stream("Hi")).parts if isinstance(part, Stopped)]
    assert len(endings) == 1


def test_a_cut_stream_completes_no_call() -> None:
    body = chat_stream(call("f", a=1))
    said = read(CHAT, body[: body.index(b'"finish_reason":"tool_calls"')])
    assert (said.calls, said.failure) == ([], FailureKind.CUT)


def test_nothing_is_shown_after_a_failure() -> None:
    body = chunks({"error": {"message": "no"}}, chunk({"content": "late"}))
    assert read(CHAT, body).text == ""


def test_the_last_event_counts_without_its_blank_line() -> None:
    body = chunks(chunk({"content": "Hi"}), chunk(finish_reason="stop"), done=False)
    assert read(CHAT, body.rstrip(b"\n")).text == "Hi"


def test_the_last_event_is_a_cut_when_it_is_half() -> None:
    body = chunks(chunk(finish_reason="stop"), chunk({"content": "Hi"}), done=False)
    assert read(CHAT, body[:-30]).failure is FailureKind.CUT


def test_a_done_without_line_end_is_one() -> None:
    assert isinstance(read(CHAT, b"data: [DONE]").parts[-1], Stopped)


@pytest.mark.parametrize("size", [1, 64, 1000])
def test_an_event_past_the_limit_is_a_protocol_failure(size: int) -> None:
    body = chunks(chunk({"content": "x" * 1000}))
    assert read(CHAT, list(cut_every(body, size)), event_limit=500).failure is FailureKind.PROTOCOL


def test_an_error_event_in_plain_words_is_a_failure() -> None:
    assert read(CHAT, sse("went wrong", "error").encode()).failure is FailureKind.SERVER


def test_halves_of_a_character_in_two_events_meet() -> None:
    body = chunks(chunk({"content": "a\ud83d"}), chunk({"content": "\ude00b"}))
    assert read(CHAT, body).text == "a😀b"


def test_half_a_character_alone_becomes_a_replacement() -> None:
    body = chunks(
        chunk({"content": "a\ud83d"}), chunk({"content": "b"}), chunk({"content": "\ud83d"})
    )
    assert read(CHAT, body).text == "a\ufffdb\ufffd"


def test_json_nested_without_end_is_a_protocol_failure() -> None:
    body = f"data: {'[' * 100_000}\n\n".encode()
    assert read(CHAT, body).failure is FailureKind.PROTOCOL


def test_a_parts_span_is_its_events_place_in_the_body() -> None:
    body = b": note\n\n" + chunks(chunk({"content": "Hi"}))
    start, end = next(part.span for part in read(CHAT, body).parts if isinstance(part, TextDelta))
    assert json.loads(body[start:end].removeprefix(b"data: ")) == chunk({"content": "Hi"})


BARE_ERRORS = [
    {"error": {"type": "overloaded_error", "message": "Overloaded"}},
    {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}},
    {"type": "error", "code": "server_is_overloaded", "message": "busy"},
    {"errors": [{"code": "service_unavailable_error", "message": "busy"}]},
    [{"error": {"code": 503, "status": "UNAVAILABLE", "message": "busy"}}],
]


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("name", ["", "error"])
@pytest.mark.parametrize("payload", BARE_ERRORS)
def test_an_error_is_read_as_one_in_any_shape_and_with_or_without_its_name(
    dialect: str, name: str, payload: object
) -> None:
    assert read(dialect, sse(payload, name).encode()).failure is FailureKind.OVERLOADED


@pytest.mark.parametrize("dialect", DIALECTS)
def test_an_error_of_nothing_is_no_error(dialect: str) -> None:
    assert read(dialect, sse({"error": None}).encode()).failure is FailureKind.CUT
