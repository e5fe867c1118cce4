"""Models that answer as odd servers do: the oddity is in the bytes, and we read through it."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest

from providers.reading import Reading, read_body
from providers.simulator.models import SERVED
from providers.simulator.quirks import QUIRKS
from tests.simulating import DIALECTS, LOOKUP, Answer, answer, asked, post, question
from tools.call import JsonObject

BOTH = "my height and weight"
ARGUMENTS = [{"key": "height"}, {"key": "weight"}]
BROKEN_OFF = ("quirk-error-inside", "quirk-cut-at-length")
"""Quirks that leave no whole answer."""


def stream(quirk: str, text: str = BOTH) -> Answer:
    return asked("openai-chat", text, LOOKUP, "list_files", model=quirk)


def reading(quirk: str, text: str = BOTH) -> Reading:
    return read_body("openai-chat", [stream(quirk, text).body])


def chunks(quirk: str, text: str = BOTH) -> list[JsonObject]:
    return [data for _, data in stream(quirk, text).events if isinstance(data, dict)]


def fragments(quirk: str, text: str = BOTH) -> list[JsonObject]:
    return [call for chunk in chunks(quirk, text) for call in calls_of(chunk)]


def calls_of(chunk: JsonObject) -> list[JsonObject]:
    choices = chunk.get("choices") or [{}]
    calls: list[JsonObject] = (choices[0].get("delta") or {}).get("tool_calls", [])
    return calls


def reasons(quirk: str, text: str = BOTH) -> list[str]:
    found = [choice["finish_reason"] for chunk in chunks(quirk, text) for choice in odd(chunk)]
    return [reason for reason in found if reason]


def odd(chunk: JsonObject) -> list[Any]:
    return chunk.get("choices") or []


def ids(quirk: str) -> list[object]:
    return [call["id"] for call in fragments(quirk) if "id" in call]


def names(quirk: str) -> list[str]:
    functions = (call["function"] for call in fragments(quirk))
    return [function["name"] for function in functions if "name" in function]


def indexes(quirk: str) -> list[int]:
    return [call["index"] for call in fragments(quirk)]


def first_of_each(quirk: str) -> list[JsonObject]:
    return [call for call in fragments(quirk) if call["function"].get("name")]


def delta_of_text(quirk: str) -> list[object]:
    deltas = [choice["delta"] for chunk in chunks(quirk, "hello") for choice in odd(chunk)]
    return [delta["content"] for delta in deltas if delta and delta.get("content")]


SHOWN: dict[str, Callable[[str], bool]] = {
    "quirk-no-index": lambda q: all("index" not in call for call in fragments(q)),
    "quirk-index-0": lambda q: set(indexes(q)) == {0} and len(ids(q)) == 2,
    "quirk-index-0-no-ids": lambda q: set(indexes(q)) == {0} and not ids(q),
    "quirk-repeated-id": lambda q: len(ids(q)) == len(names(q)) == len(fragments(q)) > 4,
    "quirk-whole-calls": lambda q: len(fragments(q)) == 2,
    "quirk-call-twice": lambda q: len(fragments(q)) == 4 and len(set(ids(q))) == 2,
    "quirk-no-ids": lambda q: not ids(q),
    "quirk-empty-ids": lambda q: ids(q) == ["", ""],
    "quirk-null-ids": lambda q: ids(q) == [None, None],
    "quirk-object-arguments": lambda q: (
        [call["function"]["arguments"] for call in fragments(q)] == ARGUMENTS
    ),
    "quirk-null-arguments": lambda q: (
        [call["function"]["arguments"] for call in fragments(q, "list the files")] == [None]
    ),
    "quirk-wrong-reason": lambda q: (
        reasons(q) == ["stop"] and reasons(q, "hello") == ["tool_calls"]
    ),
    "quirk-no-reason": lambda q: not reasons(q) and b"[DONE]" in stream(q).body,
    "quirk-no-done": lambda q: bool(reasons(q)) and b"[DONE]" not in stream(q).body,
    "quirk-cut-name": lambda q: len(names(q)) == 4 and LOOKUP not in names(q),
    "quirk-error-inside": lambda q: "error" in chunks(q)[-1] and stream(q).status == 200,
    "quirk-odd-chunks": lambda q: any("choices" not in chunk for chunk in chunks(q)),
    "quirk-late-id": lambda q: all("id" not in call for call in first_of_each(q)),
    "quirk-odd-ids": lambda q: all(len(str(i)) > 50 and "/" in str(i) for i in ids(q)),
    "quirk-interleaved": lambda q: sum(a != b for a, b in pairwise(indexes(q))) > 4,
    "quirk-late-calls": lambda q: bool(calls_of([c for c in chunks(q) if odd(c)][-1])),
    "quirk-cut-at-length": lambda q: reasons(q) == ["length"],
    "quirk-typed-content": lambda q: all(isinstance(said, list) for said in delta_of_text(q)),
}
"""What each quirk must show on the wire."""


def test_each_quirk_has_its_model_and_its_test() -> None:
    assert SHOWN.keys() == QUIRKS.keys() <= SERVED.keys()


@pytest.mark.parametrize("quirk", SHOWN)
def test_the_oddity_is_on_the_wire(quirk: str) -> None:
    assert SHOWN[quirk](quirk)


@pytest.mark.parametrize("quirk", [name for name in QUIRKS if name not in BROKEN_OFF])
def test_we_read_the_calls_through_it_and_none_twice(quirk: str) -> None:
    assert [call.args for call in reading(quirk).calls] == ARGUMENTS


@pytest.mark.parametrize("quirk", [name for name in QUIRKS if name not in BROKEN_OFF])
def test_we_read_the_text_through_it(quirk: str) -> None:
    assert reading(quirk, "hello").text == reading("vitral-sim", "hello").text


def test_an_error_inside_leaves_no_call() -> None:
    read = reading("quirk-error-inside")
    assert (read.complete, read.calls, read.broken) == (False, (), ())


def test_a_call_that_was_cut_at_the_limit_is_none() -> None:
    read = reading("quirk-cut-at-length")
    assert [call.args for call in read.calls] == ARGUMENTS[:1]
    assert read.stop == {"reason": "length", "raw": "length"}


@pytest.mark.parametrize("quirk", QUIRKS)
@pytest.mark.parametrize("dialect", DIALECTS)
def test_an_answer_without_stream_is_read_too(quirk: str, dialect: str) -> None:
    body = question(dialect, BOTH, LOOKUP, stream=False, model=quirk)
    whole = answer(post(dialect, body, stream=False, model=quirk))
    assert [call.args for call in read_body(dialect, [whole.body]).calls] == ARGUMENTS


LIMIT = {
    "openai-responses": "max_output_tokens",
    "openai-chat": "max_completion_tokens",
    "anthropic": "max_tokens",
}


def limited(dialect: str, tokens: int, text: str, *, stream: bool = True) -> Answer:
    """The answer to a question that may have this many tokens."""
    body = question(dialect, text, LOOKUP, stream=stream)
    if dialect == "gemini":
        body["generationConfig"] = {"maxOutputTokens": tokens}
    else:
        body[LIMIT[dialect]] = tokens
    return answer(post(dialect, body, stream=stream))


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("stream", [True, False])
def test_a_text_ends_at_the_limit(dialect: str, stream: bool) -> None:
    cut = read_body(dialect, [limited(dialect, 16, "hello", stream=stream).body])
    assert len(cut.text) == 16 * 4
    assert cut.stop is not None
    assert cut.stop["reason"] == "length"


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_call_that_does_not_fit_is_no_call(dialect: str) -> None:
    size = (len(LOOKUP) + len('{"key": "height"}')) // 4
    read = read_body(dialect, [limited(dialect, size + 8, BOTH).body])
    assert [call.args for call in read.calls] == ARGUMENTS[:1]
    assert read.stop is not None
    assert read.stop["reason"] == "length"


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_limit_that_is_not_reached_changes_nothing(dialect: str) -> None:
    read = read_body(dialect, [limited(dialect, 1000, "hello").body])
    assert read.stop is not None
    assert read.stop["reason"] == "end"


@pytest.mark.parametrize("tokens", [0, -1])
@pytest.mark.parametrize("dialect", LIMIT)
def test_a_limit_below_the_least_is_refused(dialect: str, tokens: int) -> None:
    assert limited(dialect, tokens, "hello").status == 400


def test_vertex_streams_arguments_in_pieces() -> None:
    sent = asked("gemini", BOTH, LOOKUP, model="gemini-3-sim-partial-args")
    assert sent.body.count(b"partialArgs") > 4
    assert [call.args for call in read_body("gemini", [sent.body]).calls] == ARGUMENTS


@pytest.mark.parametrize(("model", "with_ids"), [("gemini-2.5-sim", False), ("gemini-3-sim", True)])
def test_older_models_send_no_ids_and_newer_ones_do(model: str, with_ids: bool) -> None:
    body = asked("gemini", BOTH, LOOKUP, model=model).body
    assert (b'"id"' in body, b"thoughtSignature" in body) == (with_ids, with_ids)
