"""Whatever a server sends, and wherever it is cut: the same parts, and never an exception."""

from __future__ import annotations

import json
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from providers.parts import Part, Stopped, StreamFailed
from tests.streams import anthropic_stream, call, chat_stream, cut_every, read, sse

DIALECTS = ("openai-chat", "anthropic")
SAID = ("Olá 😀\r\n", call("height", "call_1", of="mé\\"), call("weight", "call_2"), "fim")
BODIES = {
    "openai-chat": chat_stream(*SAID, size=3),
    "anthropic": anthropic_stream(*SAID, size=3),
}
END = {"openai-chat": b'finish_reason":"', "anthropic": b'"type":"message_stop"'}

NAMES = st.sampled_from(
    [
        "type",
        "index",
        "delta",
        "content_block",
        "message",
        "content",
        "choices",
        "tool_calls",
        "function",
        "arguments",
        "name",
        "id",
        "usage",
        "error",
        "finish_reason",
        "stop_reason",
        "text",
        "partial_json",
        "input",
        "reasoning_details",
        "citation",
        "refusal",
        "x_groq",
        "object",
        "thinking",
    ]
)
WORDS = st.sampled_from(
    [
        "message_start",
        "content_block_start",
        "content_block_delta",
        "content_block_stop",
        "message_delta",
        "message_stop",
        "tool_use",
        "text",
        "thinking",
        "text_delta",
        "input_json_delta",
        "thinking_delta",
        "signature_delta",
        "citations_delta",
        "error",
        "custom",
        "stop",
        "length",
    ]
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-1, 2) | st.floats() | WORDS | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=5),
    max_leaves=12,
)


def cut_at(body: bytes, places: list[int]) -> list[bytes]:
    edges = [0, *sorted(place % (len(body) + 1) for place in places), len(body)]
    return [body[start:end] for start, end in pairwise(edges)]


def bent(draw: st.DrawFn, value: object) -> object:
    """The value with something else at some place in it."""
    if not isinstance(value, dict | list) or not value or draw(st.integers(0, 4)) == 0:
        return draw(JSON)
    if isinstance(value, dict):
        name = draw(st.sampled_from(sorted(value)))
        return value | {name: bent(draw, value[name])}
    place = draw(st.integers(0, len(value) - 1))
    return [*value[:place], bent(draw, value[place]), *value[place + 1 :]]


@st.composite
def bent_streams(draw: st.DrawFn) -> tuple[str, bytes]:
    """A stream of which some events have another shape than they should."""
    dialect_id = draw(st.sampled_from(DIALECTS))
    lines = BODIES[dialect_id].decode().splitlines()
    for place in draw(st.lists(st.integers(0, len(lines) - 1), min_size=1, max_size=3)):
        data = lines[place].removeprefix("data: ")
        if data.startswith("{"):
            lines[place] = f"data: {json.dumps(bent(draw, json.loads(data)))}"
    return dialect_id, "\n".join([*lines, "", ""]).encode()


def endings(parts: list[Part]) -> list[int]:
    return [at for at, part in enumerate(parts) if isinstance(part, Stopped | StreamFailed)]


@pytest.mark.parametrize("line_end", [b"\n", b"\r\n", b"\r"])
@pytest.mark.parametrize("size", [1, 2, 3, 7])
@pytest.mark.parametrize("dialect_id", DIALECTS)
def test_reads_of_any_size_say_the_same(dialect_id: str, size: int, line_end: bytes) -> None:
    body = BODIES[dialect_id].replace(b"\n", line_end)
    assert read(dialect_id, list(cut_every(body, size))).parts == read(dialect_id, body).parts


@given(st.sampled_from(DIALECTS), st.lists(st.integers(0, 1 << 16), max_size=20))
def test_cuts_anywhere_say_the_same(dialect_id: str, places: list[int]) -> None:
    body = BODIES[dialect_id]
    assert read(dialect_id, cut_at(body, places)).parts == read(dialect_id, body).parts


@given(st.sampled_from(DIALECTS), st.integers(0, 1 << 16))
def test_a_body_without_its_end_runs_no_call(dialect_id: str, place: int) -> None:
    body = BODIES[dialect_id]
    prefix = body[: place % body.rindex(END[dialect_id])]
    assert isinstance(read(dialect_id, prefix).parts[-1], StreamFailed)


@settings(max_examples=300)
@given(st.sampled_from(DIALECTS), st.lists(JSON, max_size=6), st.sampled_from(["", "error", "x"]))
def test_any_events_end_in_one_ending(dialect_id: str, payloads: list[object], name: str) -> None:
    body = "".join(sse(payload, name) for payload in payloads).encode("utf-8", "replace")
    parts = read(dialect_id, body).parts
    assert endings(parts) == [len(parts) - 1]


@settings(max_examples=200)
@given(st.sampled_from(DIALECTS), JSON)
def test_any_whole_answer_ends_in_one_ending(dialect_id: str, answer: object) -> None:
    parts = read(dialect_id, json.dumps(answer).encode()).parts
    assert endings(parts) == [len(parts) - 1]


@given(st.sampled_from(DIALECTS), st.binary(max_size=60), st.lists(st.integers(0, 60), max_size=4))
def test_any_bytes_end_in_one_ending_under_any_cut(
    dialect_id: str, body: bytes, places: list[int]
) -> None:
    parts = read(dialect_id, cut_at(body, places)).parts
    assert endings(parts) == [len(parts) - 1]


@settings(max_examples=300)
@given(bent_streams())
def test_any_shape_in_the_place_of_another_ends_in_one_ending(stream: tuple[str, bytes]) -> None:
    parts = read(*stream).parts
    assert endings(parts) == [len(parts) - 1]
