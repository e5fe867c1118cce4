"""Anthropic Messages as servers really send it; the numbers are the traps' in the wire notes."""

from __future__ import annotations

import json

import pytest

from providers.failures import FailureKind
from providers.parts import (
    CallBroken,
    CallCompleted,
    CallFragment,
    ReasoningDelta,
    Restarted,
    Stop,
    UsageReported,
)
from tests.streams import (
    MESSAGE_STOP,
    Read,
    anthropic_stream,
    block_delta,
    block_start,
    block_stop,
    call,
    events,
    message,
    message_delta,
    message_start,
    read,
    text_block,
    tool_block,
)
from tools.call import JsonObject


def said(*payloads: JsonObject) -> Read:
    return read("anthropic", events(*payloads))


def heard(*blocks: list[JsonObject], stop_reason: str | None = "end_turn") -> Read:
    return read("anthropic", message(*blocks, stop_reason=stop_reason))


def test_text_and_calls_come_out_in_our_terms() -> None:
    told = read("anthropic", anthropic_stream("See:", call("f", "toolu_1", a="é"), call("g", "t2")))
    assert (told.text, told.plain_calls) == ("See:", [("f", {"a": "é"}), ("g", {})])
    assert (told.stopped.stop, told.stopped.raw) == (Stop.CALLS, "tool_use")


@pytest.mark.parametrize("pieces", [(), ("",), ("", "")])
def test_1_no_input_is_an_empty_object(pieces: tuple[str, ...]) -> None:
    assert heard(tool_block(0, call("f"), *pieces)).plain_calls == [("f", {})]


def test_1_an_input_in_the_first_event_is_taken() -> None:
    start = block_start(0, type="tool_use", id="x", name="f", input={"a": 1})
    assert heard([start, block_stop(0)]).plain_calls == [("f", {"a": 1})]


def test_1_deltas_win_over_an_input_in_the_first_event() -> None:
    start = block_start(0, type="tool_use", id="x", name="f", input={"a": 1})
    delta = block_delta(0, "input_json_delta", partial_json='{"a": 2}')
    assert heard([start, delta, block_stop(0)]).plain_calls == [("f", {"a": 2})]


def test_2_a_servers_tool_is_no_call_of_ours_and_goes_back_whole() -> None:
    server = [
        block_start(0, type="server_tool_use", id="srv", name="web_search", input={}),
        block_delta(0, "input_json_delta", partial_json='{"query": '),
        block_delta(0, "input_json_delta", partial_json='"x"}'),
        block_stop(0),
    ]
    told = heard(server, tool_block(1, call("f"), '{"a": 1}'))
    assert told.plain_calls == [("f", {"a": 1})]
    assert told.stopped.native[0]["input"] == {"query": "x"}


def test_3_interleaved_blocks_are_keyed_by_index() -> None:
    f, g = tool_block(0, call("f"), '{"a"', ": 1}"), tool_block(1, call("g", "y"), '{"b"', ": 2}")
    mixed = [event for pair in zip(f, g, strict=True) for event in pair]
    assert heard(mixed).plain_calls == [("f", {"a": 1}), ("g", {"b": 2})]


def test_4_a_second_message_start_starts_over() -> None:
    told = said(
        message_start(),
        *text_block(0, "gone"),
        *tool_block(1, call("f"), "{}"),
        message_start(),
        *text_block(0, "stays"),
        message_delta("end_turn"),
        MESSAGE_STOP,
    )
    assert any(isinstance(part, Restarted) for part in told.parts)
    assert told.turn is not None
    assert (told.turn.items, told.stopped.stop) == (("stays",), Stop.END)
    assert [block["text"] for block in told.stopped.native] == ["stays"]


def test_5_pieces_may_cut_escapes_and_pairs() -> None:
    pieces = ('{"a": "\\', "n\\uD8", "3D\\uDE", '00"}')
    assert heard(tool_block(0, call("f"), *pieces)).plain_calls == [("f", {"a": "\n😀"})]


def test_6_an_input_that_is_no_json_is_broken_and_goes_back_in_an_object() -> None:
    told = heard(tool_block(0, call("f"), '{"a": '), stop_reason="tool_use")
    assert [broken.raw for broken in told.broken] == ['{"a": ']
    assert told.stopped.native[0]["input"] == {"INVALID_JSON": '{"a": '}


def test_7_a_pause_is_told_with_its_blocks() -> None:
    told = heard(text_block(0, "Searching"), stop_reason="pause_turn")
    assert told.stopped.stop is Stop.PAUSED
    assert told.stopped.native == ({"type": "text", "text": "Searching"},)


def test_8_calls_decide_not_the_reason() -> None:
    called = heard(tool_block(0, call("f"), "{}"), stop_reason="end_turn")
    silent = heard(text_block(0, "Hi"), stop_reason="tool_use")
    assert (called.stopped.stop, silent.stopped.stop) == (Stop.CALLS, Stop.END)


def test_9_unknown_blocks_are_passed_over_and_kept() -> None:
    odd = [
        block_start(0, type="new_block", data="x"),
        block_delta(0, "new_delta", data="y"),
        block_stop(0),
    ]
    told = heard(odd, text_block(1, "Hi"))
    assert told.text == "Hi"
    assert told.stopped.native[0] == {"type": "new_block", "data": "x"}


@pytest.mark.parametrize("reason", ["max_tokens", "model_context_window_exceeded"])
@pytest.mark.parametrize("half", ['{"a": "ha', ""])
def test_the_last_call_cut_by_a_limit_is_no_call(reason: str, half: str) -> None:
    told = heard(
        tool_block(0, call("f"), '{"a": 1}'),
        tool_block(1, call("g", "y"), half),
        stop_reason=reason,
    )
    assert (told.plain_calls, told.broken) == ([("f", {"a": 1})], [])
    assert (told.stopped.stop, len(told.stopped.native)) == (Stop.LENGTH, 1)


def test_a_call_whose_block_never_stopped_is_none() -> None:
    told = heard(tool_block(0, call("f"), '{"a": 1}')[:-1])
    assert (told.calls, told.stopped.native) == ([], ())


def test_a_call_completes_with_its_block() -> None:
    told = heard(tool_block(0, call("f"), '{"a": 1}'), text_block(1, "Hi"))
    kinds = [type(part) for part in told.parts]
    assert kinds.index(CallCompleted) == kinds.index(CallFragment) + 1


def test_without_message_stop_the_stream_was_cut() -> None:
    told = said(message_start(), *tool_block(0, call("f"), '{"a": 1}'), message_delta("tool_use"))
    assert told.failure is FailureKind.CUT


def test_an_error_event_is_a_failure() -> None:
    error = {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}
    told = said(message_start(), *text_block(0, "a"), error)
    assert (told.failure, told.text) == (FailureKind.OVERLOADED, "a")


def test_the_type_in_the_data_is_trusted_and_the_events_name_fills_it_in() -> None:
    body = message(text_block(0, "Hi"))
    assert (
        read("anthropic", body.replace(b"event: content_block_delta", b"event: ping")).text == "Hi"
    )
    assert read("anthropic", body.replace(b'"type":"content_block_delta",', b"")).text == "Hi"


def test_thinking_is_apart_and_goes_back_with_its_signature() -> None:
    thought = [
        block_start(0, type="thinking", thinking="", signature=""),
        block_delta(0, "thinking_delta", thinking="h"),
        block_delta(0, "thinking_delta", thinking="m"),
        block_delta(0, "signature_delta", signature="sig"),
        block_stop(0),
    ]
    redacted = [block_start(1, type="redacted_thinking", data="xx"), block_stop(1)]
    told = heard(thought, redacted, text_block(2, "Hi"))
    assert [part.text for part in told.parts if isinstance(part, ReasoningDelta)] == ["h", "m"]
    assert told.stopped.native == (
        {"type": "thinking", "thinking": "hm", "signature": "sig"},
        {"type": "redacted_thinking", "data": "xx"},
        {"type": "text", "text": "Hi"},
    )


def test_citations_go_back_with_their_text() -> None:
    cited = text_block(0, "Hi")
    cited.insert(2, block_delta(0, "citations_delta", citation={"url": "u"}))
    assert heard(cited).stopped.native[0]["citations"] == [{"url": "u"}]


def test_empty_texts_do_not_go_back() -> None:
    assert heard(text_block(0, ""), text_block(1, " \n")).stopped.native == ()


def test_usage_is_cumulative() -> None:
    told = said(
        message_start(input_tokens=9, cache_read_input_tokens=5, output_tokens=1),
        message_delta("end_turn", output_tokens=7),
        MESSAGE_STOP,
    )
    usage = [part.usage for part in told.parts if isinstance(part, UsageReported)][-1]
    assert (usage.input, usage.output, usage.cached) == (9, 7, 5)


@pytest.mark.parametrize(
    ("reason", "stop"),
    [
        ("end_turn", Stop.END),
        ("stop_sequence", Stop.END),
        ("max_tokens", Stop.LENGTH),
        ("refusal", Stop.REFUSED),
        ("something_new", Stop.OTHER),
        (None, Stop.END),
    ],
)
def test_every_stop_reason_has_our_word(reason: str | None, stop: Stop) -> None:
    assert heard(text_block(0, "Hi"), stop_reason=reason).stopped.stop is stop


def test_a_whole_answer_says_the_same_as_its_stream() -> None:
    answer = {
        "type": "message",
        "content": [
            {"type": "thinking", "thinking": "hm", "signature": "s"},
            {"type": "text", "text": "Hi"},
            {"type": "tool_use", "id": "x", "name": "f", "input": {"a": 1}},
            {"type": "tool_use", "id": "y", "name": "g", "input": {}},
        ],
        "stop_reason": "tool_use",
        "usage": {"input_tokens": 1, "output_tokens": 2},
    }
    told = read("anthropic", json.dumps(answer).encode())
    assert (told.text, told.plain_calls) == ("Hi", [("f", {"a": 1}), ("g", {})])
    assert list(told.stopped.native) == answer["content"]


def test_a_whole_error_is_a_failure() -> None:
    error = {"type": "error", "error": {"type": "rate_limit_error", "message": "slow down"}}
    assert read("anthropic", json.dumps(error).encode()).failure is FailureKind.RATE_LIMIT


@pytest.mark.parametrize(
    "odd",
    [
        {"type": "content_block_start", "index": "0", "content_block": None},
        {"type": "content_block_delta", "index": None, "delta": {"type": "input_json_delta"}},
        {"type": "content_block_delta", "index": 9, "delta": {"type": "signature_delta"}},
        {"type": "content_block_stop", "index": 9},
        {"type": "message_delta", "delta": None, "usage": []},
        {"type": ["message_stop"]},
        {"type": "ping"},
        {},
    ],
)
def test_what_says_nothing_is_passed_over(odd: JsonObject) -> None:
    body = message([odd] if "type" in odd else [], text_block(0, "Hi"))
    told = read("anthropic", body)
    assert (told.text, told.stopped.stop) == ("Hi", Stop.END)
    assert not any(isinstance(part, CallBroken) for part in told.parts)


def test_calls_that_all_stand_at_index_0_are_told_apart() -> None:
    one, other = call("f", "call_1"), call("f", "call_2")
    blocks = [*tool_block(0, one, '{"a":1}'), *tool_block(0, other, '{"a":2}')]
    found = said(message_start(), *blocks, message_delta("tool_use"), MESSAGE_STOP)
    assert [(made.call_id, made.args) for made in found.calls] == [
        ("call_1", {"a": 1}),
        ("call_2", {"a": 2}),
    ]


def test_a_call_that_is_told_again_at_its_index_is_one_call() -> None:
    block = tool_block(0, call("f", "call_1"), '{"a":1}')
    found = said(message_start(), *block, *block, message_delta("tool_use"), MESSAGE_STOP)
    assert [made.args for made in found.calls] == [{"a": 1}]
