"""The bytes are what each format documents."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.simulating import DIALECTS, LOOKUP, answer, asked, post, question

BOTH = "my height and weight"


def names(events: list[tuple[str, Any]]) -> list[str]:
    """The names of the events, each run of equal ones once."""
    return [
        name for place, (name, _) in enumerate(events) if not place or events[place - 1][0] != name
    ]


def of_type(events: list[tuple[str, Any]], name: str) -> list[Any]:
    return [data for event, data in events if event == name]


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_stream_says_that_it_is_one(dialect: str) -> None:
    assert asked(dialect, "hello").headers["content-type"].startswith("text/event-stream")


@pytest.mark.parametrize("dialect", DIALECTS)
def test_the_same_seed_gives_the_same_bytes_and_cuts(dialect: str) -> None:
    assert asked(dialect, "olá").reads == asked(dialect, "olá").reads


@pytest.mark.parametrize("dialect", ["openai-responses", "anthropic"])
def test_the_name_of_an_event_is_its_type(dialect: str) -> None:
    events = asked(dialect, BOTH, LOOKUP, model="vitral-sim-thinking").events
    assert all(name == data["type"] for name, data in events)


def test_responses_sends_its_events_in_their_order() -> None:
    assert names(asked("openai-responses", "What is my height?", LOOKUP).events) == [
        "response.created",
        "response.in_progress",
        "response.output_item.added",
        "response.function_call_arguments.delta",
        "response.function_call_arguments.done",
        "response.output_item.done",
        "response.completed",
    ]


def test_responses_numbers_its_events() -> None:
    events = asked("openai-responses", BOTH, LOOKUP).events
    assert [data["sequence_number"] for _, data in events] == list(range(len(events)))


def test_responses_gives_an_item_another_id_than_its_call() -> None:
    done = of_type(asked("openai-responses", BOTH, LOOKUP).events, "response.output_item.done")
    ids = {item["item"][name] for item in done for name in ("id", "call_id")}
    assert len(ids) == 4


def test_responses_deltas_join_to_the_arguments_of_the_done_item() -> None:
    events = asked("openai-responses", BOTH, LOOKUP).events
    deltas = of_type(events, "response.function_call_arguments.delta")
    for done in of_type(events, "response.output_item.done"):
        pieces = [d["delta"] for d in deltas if d["output_index"] == done["output_index"]]
        assert "".join(pieces) == done["item"]["arguments"]


def test_responses_repeats_all_items_and_counts_tokens_at_the_end() -> None:
    events = asked("openai-responses", BOTH, LOOKUP, model="vitral-sim-thinking").events
    response = events[-1][1]["response"]
    kinds = [item["type"] for item in response["output"]]
    assert kinds == ["reasoning", "function_call", "function_call"]
    assert response["usage"]["total_tokens"] > 0


def test_chat_opens_a_call_with_its_id_and_then_sends_pieces() -> None:
    chunks = [data for _, data in asked("openai-chat", "What is my height?", LOOKUP).events]
    deltas = [
        c["choices"][0]["delta"]["tool_calls"][0]
        for c in chunks[:-1]
        if c["choices"] and "tool_calls" in c["choices"][0]["delta"]
    ]
    assert deltas[0]["function"] == {"name": LOOKUP, "arguments": ""}
    assert deltas[0]["id"].startswith("call_")
    pieces = [delta["function"]["arguments"] for delta in deltas[1:]]
    assert json.loads("".join(pieces)) == {"key": "height"}
    assert all("id" not in delta for delta in deltas[1:])


def test_chat_ends_with_a_reason_then_usage_then_done() -> None:
    finish, usage, done = asked("openai-chat", BOTH, LOOKUP).events[-3:]
    assert finish[1]["choices"][0]["finish_reason"] == "tool_calls"
    assert usage[1]["choices"] == []
    assert usage[1]["usage"]["total_tokens"] > 0
    assert done == ("", "[DONE]")


def test_chat_counts_tokens_only_when_asked() -> None:
    body = question("openai-chat", "hello")
    del body["stream_options"]
    assert b'"usage"' not in answer(post("openai-chat", body)).body


def test_anthropic_sends_its_events_in_their_order() -> None:
    assert names(asked("anthropic", "What is my height?", LOOKUP).events) == [
        "message_start",
        "content_block_start",
        "content_block_delta",
        "content_block_stop",
        "ping",
        "message_delta",
        "message_stop",
    ]


def test_anthropics_first_piece_of_arguments_is_empty() -> None:
    deltas = of_type(asked("anthropic", "my height", LOOKUP).events, "content_block_delta")
    pieces = [delta["delta"]["partial_json"] for delta in deltas]
    assert pieces[0] == ""
    assert json.loads("".join(pieces)) == {"key": "height"}


def test_anthropic_sends_no_more_than_that_for_a_call_without_arguments() -> None:
    deltas = of_type(
        asked("anthropic", "list the files", "list_files").events, "content_block_delta"
    )
    pieces = [d["delta"]["partial_json"] for d in deltas if "partial_json" in d["delta"]]
    assert pieces == [""]


def test_anthropic_signs_its_thinking() -> None:
    events = asked("anthropic", "hello", model="vitral-sim-thinking").events
    kinds = [d["delta"]["type"] for d in of_type(events, "content_block_delta")]
    assert kinds.index("signature_delta") < kinds.index("text_delta")


def test_gemini_frames_with_crlf_and_has_no_done() -> None:
    body = asked("gemini", BOTH, LOOKUP).body
    assert body.count(b"\n") == body.count(b"\r\n")
    assert b"[DONE]" not in body
    assert b"event:" not in body


def gemini_parts(*, model: str) -> list[Any]:
    events = asked("gemini", BOTH, LOOKUP, model=model).events
    return [part for _, data in events for part in data["candidates"][0]["content"]["parts"]]


def test_gemini_sends_whole_calls_without_ids() -> None:
    calls = [p["functionCall"] for p in gemini_parts(model="vitral-sim") if "functionCall" in p]
    assert calls == [{"name": LOOKUP, "args": {"key": key}} for key in ("height", "weight")]


def test_a_newer_gemini_gives_ids_and_signs_the_first_call_only() -> None:
    parts = [part for part in gemini_parts(model="gemini-3-sim") if "functionCall" in part]
    assert all(part["functionCall"]["id"] for part in parts)
    assert ["thoughtSignature" in part for part in parts] == [True, False]


def test_geminis_last_chunk_has_the_finish_reason() -> None:
    _, last = asked("gemini", "hello").events[-1]
    assert last["candidates"][0]["finishReason"] == "STOP"
    assert last["usageMetadata"]["totalTokenCount"] > 0


def test_gemini_without_events_streams_one_json_array() -> None:
    request = post("gemini", question("gemini", "hello"))
    plain = type(request)("POST", request.url.partition("?")[0], {}, request.body)
    assert answer(plain).json[-1]["candidates"][0]["finishReason"] == "STOP"


@pytest.mark.parametrize("dialect", DIALECTS)
def test_an_answer_that_does_not_stream_is_one_object(dialect: str) -> None:
    body = question(dialect, BOTH, LOOKUP, stream=False)
    whole = answer(post(dialect, body, stream=False))
    assert whole.headers["content-type"] == "application/json"
    assert whole.body.decode().count("height") == 1


@pytest.mark.parametrize("dialect", DIALECTS)
def test_some_read_ends_inside_a_character(dialect: str) -> None:
    reads = asked(dialect, "conte uma história").reads

    def cut(data: bytes) -> bool:
        try:
            data.decode()
        except UnicodeDecodeError:
            return True
        return False

    assert any(cut(data) for data in reads)
