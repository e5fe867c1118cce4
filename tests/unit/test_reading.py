"""A recorded body as one plain answer, and the ways to cut it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from providers.reading import cuts, read_body
from tests.streams import (
    call,
    call_events,
    chat_stream,
    events,
    function_call,
    gemini_body,
    gemini_event,
    responses_stream,
)


def test_a_whole_answer_has_every_field() -> None:
    reading = read_body("openai-responses", [responses_stream("Hi", call("f", "call_1", a=1))])
    assert reading.as_json() == {
        "text": "Hi",
        "reasoning_chars": 0,
        "calls": [{"call_id": "call_1", "name": "f", "args": {"a": 1}}],
        "broken": [],
        "stop": {"reason": "calls", "raw": "completed"},
        "usage": None,
        "error": None,
        "complete": True,
    }


def test_a_cut_answer_keeps_its_text_and_has_no_call() -> None:
    body = events(*call_events(0, call("f"), "{}"))
    reading = read_body("openai-responses", [body]).as_json()
    assert (reading["calls"], reading["broken"], reading["stop"]) == ([], [], None)
    assert (reading["complete"], reading["error"]["kind"]) == (False, "cut")


def test_a_broken_call_is_told_with_its_raw_text() -> None:
    body = gemini_body(gemini_event(function_call("f", args='{"a"'), finish="STOP"))
    assert read_body("gemini", [body]).as_json()["broken"] == [
        {"call_id": "call_1", "name": "f", "raw": '{"a"'}
    ]


def test_a_failure_after_the_end_is_told_beside_the_end() -> None:
    error = {"error": {"code": 503, "message": "busy", "status": "UNAVAILABLE"}}
    body = gemini_body(gemini_event({"text": "Hi"}, finish="STOP"), error)
    reading = read_body("gemini", [body])
    assert (reading.text, reading.complete) == ("Hi", True)
    assert reading.error == {"kind": "overloaded", "code": "UNAVAILABLE", "message": "busy"}


def test_reasoning_is_counted_and_not_told() -> None:
    body = gemini_body(gemini_event({"text": "Hmm", "thought": True}, finish="STOP"))
    reading = read_body("gemini", [body])
    assert (reading.reasoning_chars, reading.text) == (3, "")


def test_ids_of_our_own_making_are_the_same_each_time() -> None:
    told = gemini_event(function_call("f"), function_call("g"), finish="STOP")
    readings = [read_body("gemini", [gemini_body(told)]) for _ in range(2)]
    assert [[each.call_id for each in reading.calls] for reading in readings] == [
        ["call_1", "call_2"],
        ["call_1", "call_2"],
    ]


def test_an_unknown_dialect_is_refused() -> None:
    with pytest.raises(ValueError, match="smoke-signals"):
        read_body("smoke-signals", [b""])


def test_an_empty_body_was_cut() -> None:
    assert read_body("anthropic", []).complete is False


@pytest.mark.parametrize(
    ("reads", "wanted"), [(None, [b"abcde"]), (2, [b"ab", b"cd", b"e"]), (9, [b"abcde"])]
)
def test_reads_are_of_the_size_that_was_asked_for(reads: int | None, wanted: list[bytes]) -> None:
    assert list(cuts(b"abcde", reads)) == wanted


@given(st.binary(max_size=300), st.integers(1, 9) | st.none(), st.integers() | st.none())
def test_the_reads_join_to_the_body(data: bytes, reads: int | None, seed: int | None) -> None:
    assert b"".join(cuts(data, reads, seed)) == data


def test_one_seed_cuts_alike_each_time() -> None:
    data = chat_stream("Hello, world. " * 20)
    assert list(cuts(data, split_seed=3)) == list(cuts(data, split_seed=3))
    assert list(cuts(data, split_seed=3)) != list(cuts(data, split_seed=4))
