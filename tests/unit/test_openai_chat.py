"""Chat Completions as its servers really send it; the numbers are the quirks' in the wire notes."""

from __future__ import annotations

import json

import pytest

from providers.failures import FailureKind
from providers.parts import (
    CallNamed,
    CallStarted,
    Part,
    ReasoningDelta,
    Stop,
    StreamFailed,
    UsageReported,
)
from tests.streams import (
    Read,
    call,
    calls,
    chat_stream,
    chunk,
    chunks,
    fragment,
    read,
    sse,
)
from tools.call import JsonObject


def said(*payloads: object, done: bool = True) -> Read:
    return read("openai-chat", chunks(*payloads, done=done))


def reasoning(parts: list[Part]) -> str:
    return "".join(part.text for part in parts if isinstance(part, ReasoningDelta))


def test_text_and_calls_come_out_in_our_terms() -> None:
    heard = read(
        "openai-chat", chat_stream("Let me ", "see.", call("f", a="é"), call("g", "call_2"))
    )
    assert heard.text == "Let me see."
    assert heard.plain_calls == [("f", {"a": "é"}), ("g", {})]
    assert (heard.stopped.stop, heard.stopped.raw) == (Stop.CALLS, "tool_calls")


def test_1_without_index_a_new_id_opens_a_call_and_no_id_goes_on() -> None:
    heard = said(
        calls(fragment('{"a"', index=None, call_id="x", name="f")),
        calls(fragment(": 1}", index=None)),
        calls(fragment("{}", index=None, call_id="y", name="g")),
    )
    assert heard.plain_calls == [("f", {"a": 1}), ("g", {})]


def test_1_without_index_a_known_id_goes_on_with_its_call() -> None:
    heard = said(
        calls(fragment('{"a"', index=None, call_id="x", name="f")),
        calls(fragment("{}", index=None, call_id="y", name="g")),
        calls(fragment(": 1}", index=None, call_id="x")),
    )
    assert heard.plain_calls == [("f", {"a": 1}), ("g", {})]


def test_2_a_new_id_at_the_same_index_opens_a_call() -> None:
    heard = said(
        calls(fragment('{"a": 1}', call_id="x", name="f")),
        calls(fragment('{"a": 2}', call_id="y", name="f")),
        calls(fragment("", call_id="x")),
    )
    assert [(done.call_id, done.args) for done in heard.calls] == [("x", {"a": 1}), ("y", {"a": 2})]


def test_2_two_ids_at_one_index_in_one_chunk_are_two_calls() -> None:
    heard = said(calls(fragment(call_id="x", name="f"), fragment(call_id="y", name="g")))
    assert heard.plain_calls == [("f", {}), ("g", {})]


@pytest.mark.parametrize("index", [0, None])
def test_3_a_name_after_whole_arguments_opens_a_call(index: int | None) -> None:
    heard = said(
        calls(fragment('{"a": "}"', index=index, name="f"), fragment("}", index=index)),
        calls(fragment('{"b": 2}', index=index, name="f")),
    )
    assert heard.plain_calls == [("f", {"a": "}"}), ("f", {"b": 2})]


@pytest.mark.parametrize("index", [0, None])
def test_3_two_names_in_one_chunk_are_two_calls(index: int | None) -> None:
    heard = said(calls(fragment(index=index, name="f"), fragment(index=index, name="g")))
    assert heard.plain_calls == [("f", {}), ("g", {})]


@pytest.mark.parametrize("index", [0, None])
def test_4_id_and_name_on_every_fragment_are_one_call(index: int | None) -> None:
    heard = said(
        *(
            calls(fragment(piece, index=index, call_id="x", name="f"))
            for piece in ("", '{"a"', ": 1", "}", "")
        )
    )
    assert heard.plain_calls == [("f", {"a": 1})]


def test_5_a_whole_call_in_one_chunk_is_normal() -> None:
    assert said(calls(fragment('{"a": 1}', call_id="x", name="f"))).plain_calls == [("f", {"a": 1})]


@pytest.mark.parametrize("arguments", ["{}", '{"a": 1}'])
def test_6_a_whole_call_sent_twice_runs_once(arguments: str) -> None:
    twice = calls(fragment(arguments, call_id="x", name="f"))
    assert said(twice, twice).plain_calls == [("f", json.loads(arguments))]


def test_6_a_call_sent_twice_in_pieces_never_runs_twice() -> None:
    pieces = [calls(fragment(piece, call_id="x", name="f")) for piece in ("{", "}")]
    assert len(said(*pieces, *pieces).calls) <= 1


def test_6_an_id_that_stands_twice_hides_no_call() -> None:
    heard = said(
        calls(fragment('{"a": 1}', call_id="x", name="f")),
        calls(fragment('{"a": 2}', call_id="x", name="f")),
    )
    assert heard.plain_calls == [("f", {"a": 1}), ("f", {"a": 2})]


@pytest.mark.parametrize("call_id", ["", None, 7])
def test_7_a_call_without_id_gets_the_same_new_one_in_both_places(call_id: object) -> None:
    heard = said(calls(fragment("{}", call_id=call_id, name="f")))
    assert [done.call_id for done in heard.calls] == heard.made_ids
    assert heard.stopped.native[0]["tool_calls"][0]["id"] == heard.made_ids[0]


def test_8_arguments_that_are_an_object_are_taken_as_they_are() -> None:
    assert said(calls(fragment({"a": [1]}, name="f"))).plain_calls == [("f", {"a": [1]})]


@pytest.mark.parametrize("arguments", [None, "", 5])
def test_9_no_arguments_are_an_empty_object(arguments: object) -> None:
    entry = fragment(call_id="x", name="f")
    entry["function"]["arguments"] = arguments
    assert said(calls(entry)).plain_calls == [("f", {})]


def test_10_calls_decide_not_the_reason() -> None:
    called = said(calls(fragment("{}", name="f")), chunk(finish_reason="stop"))
    silent = said(chunk({"content": "Hi"}, finish_reason="tool_calls"))
    assert (called.stopped.stop, silent.stopped.stop) == (Stop.CALLS, Stop.END)


def test_11_done_alone_completes_the_stream() -> None:
    assert said(chunk({"content": "Hi"})).stopped.stop is Stop.END


def test_11_a_finish_reason_alone_completes_the_stream() -> None:
    heard = said(calls(fragment("{}", name="f")), chunk(finish_reason="tool_calls"), done=False)
    assert heard.plain_calls == [("f", {})]


@pytest.mark.parametrize("reason", [None, ""])
def test_11_neither_is_a_cut(reason: str | None) -> None:
    heard = said(chunk({"content": "Hi"}, finish_reason=reason), done=False)
    assert heard.failure is FailureKind.CUT


def test_12_a_name_in_pieces_is_joined() -> None:
    heard = said(
        calls(fragment(call_id="x", name="get_")),
        calls(fragment(name="weather")),
        calls(fragment('{"a": 1}')),
        calls(fragment(name="get_weather")),
    )
    assert heard.plain_calls == [("get_weather", {"a": 1})]


def test_12_the_whole_name_again_is_no_piece() -> None:
    entry = calls(fragment("", call_id="x", name="f"))
    assert said(entry, entry, calls(fragment("{}"))).plain_calls == [("f", {})]


@pytest.mark.parametrize(
    "event",
    [
        sse({"error": {"message": "busy", "code": 503}}),
        sse({"choices": [], "error": "busy: overloaded_error"}),
        sse(chunk({"content": ""}, error={"message": "busy"})),
        sse({"choices": [{"index": 0, "delta": {}, "error": {"code": 502, "message": "no"}}]}),
        sse({"error": {"message": "busy"}}, "error"),
        sse({"object": "error", "message": "busy", "code": 500}),
    ],
)
def test_13_an_error_in_the_stream_is_a_failure(event: str) -> None:
    body = (sse(chunk({"content": "a"})) + event + sse("[DONE]")).encode()
    heard = read("openai-chat", body)
    assert isinstance(heard.parts[-1], StreamFailed)
    assert heard.text == "a"


def test_13_an_empty_error_is_none() -> None:
    assert said(chunk({"content": "a"}, error=None)).stopped.stop is Stop.END


@pytest.mark.parametrize(
    "payload",
    [
        chunk({}),
        {"choices": [{"index": 0, "delta": None}]},
        {"choices": None},
        {"choices": []},
        {"choices": [{"index": 1, "delta": {"content": "another"}}]},
        {"prompt_filter_results": []},
        chunk({"unknown": {"content": "no"}, "content": None}),
        chunk({"tool_calls": None}),
        chunk({"tool_calls": [None, "f", {"index": 0, "type": "custom", "custom": {}}]}),
        [1, None],
        "null",
    ],
)
def test_14_what_says_nothing_is_passed_over(payload: object) -> None:
    heard = said(chunk({"content": "a"}), payload, chunk({"content": "b"}))
    assert (heard.text, heard.calls, heard.stopped.stop) == ("ab", [], Stop.END)


def test_15_an_id_that_comes_late_is_taken() -> None:
    heard = said(
        calls(fragment(name="f")), calls(fragment("{}")), calls({"index": 0, "id": "late"})
    )
    assert [done.call_id for done in heard.calls] == ["late"]


def test_15_a_late_id_is_told() -> None:
    heard = said(calls(fragment(name="f")), calls(fragment("{}", call_id="late")))
    assert [p.call_id for p in heard.parts if isinstance(p, CallStarted | CallNamed)] == [
        "",
        "late",
    ]


def test_16_odd_ids_are_kept() -> None:
    odd = "functions.add:0/" + "x" * 60
    assert [done.call_id for done in said(calls(fragment(call_id=odd, name="f"))).calls] == [odd]


def test_17_interleaved_fragments_go_to_their_own_calls() -> None:
    heard = said(
        calls(fragment("", call_id="x", name="f"), fragment("", index=1, call_id="y", name="g")),
        calls(fragment('{"b"', index=1)),
        calls(fragment('{"a"')),
        calls(fragment(": 2}", index=1), fragment(": 1}")),
    )
    assert heard.plain_calls == [("f", {"a": 1}), ("g", {"b": 2})]


def test_18_calls_after_the_finish_reason_are_read() -> None:
    heard = said(chunk(finish_reason="stop"), calls(fragment('{"a": 1}', name="f")))
    assert heard.plain_calls == [("f", {"a": 1})]


@pytest.mark.parametrize("arguments", ['{"a": "ha', ""])
def test_19_a_call_cut_by_the_limit_is_no_call(arguments: str) -> None:
    heard = said(
        calls(fragment("{}", call_id="x", name="f")),
        calls(fragment(arguments, index=1, call_id="y", name="g")),
        chunk(finish_reason="length"),
    )
    assert (heard.plain_calls, heard.broken) == ([("f", {})], [])
    assert heard.stopped.stop is Stop.LENGTH
    assert len(heard.stopped.native[0]["tool_calls"]) == 1


def test_arguments_that_are_no_json_are_a_broken_call() -> None:
    heard = said(calls(fragment('{"a": ', call_id="x", name="f")), chunk(finish_reason="stop"))
    assert [(b.name, b.call_id, b.raw) for b in heard.broken] == [("f", "x", '{"a": ')]
    assert heard.stopped.stop is Stop.CALLS


@pytest.mark.parametrize(
    ("delta", "wanted"),
    [
        ({"reasoning_content": "hm"}, "hm"),
        ({"reasoning": "hm", "reasoning_content": "hm"}, "hm"),
        ({"reasoning": "hm", "reasoning_details": [{"text": "hm"}]}, "hm"),
        ({"reasoning_details": [{"text": "h"}, {"summary": "m"}]}, "hm"),
        ({"content": [{"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]}]}, "hm"),
    ],
)
def test_reasoning_is_told_once_and_apart(delta: object, wanted: str) -> None:
    heard = said(chunk(delta), chunk({"content": "a"}))
    assert (reasoning(heard.parts), heard.text) == (wanted, "a")


def test_typed_content_is_text() -> None:
    assert said(chunk({"content": [{"type": "text", "text": "Hi"}]})).text == "Hi"


def test_a_refusal_is_the_visible_answer() -> None:
    heard = said(chunk({"refusal": "No."}), chunk(finish_reason="stop"))
    assert (heard.text, heard.stopped.stop) == ("No.", Stop.REFUSED)


@pytest.mark.parametrize("place", ["usage", "x_groq"])
def test_usage_is_counted_wherever_it_stands(place: str) -> None:
    usage = {
        "prompt_tokens": 9,
        "completion_tokens": 4,
        "prompt_tokens_details": {"cached_tokens": 8},
        "completion_tokens_details": {"reasoning_tokens": 3},
    }
    told: JsonObject = {
        "choices": [],
        place: usage if place == "usage" else {"id": "r", "usage": usage},
    }
    found = [p.usage for p in said(chunk(), told).parts if isinstance(p, UsageReported)]
    assert [(u.input, u.output, u.cached, u.reasoning) for u in found] == [(9, 4, 8, 3)]


def test_what_servers_want_back_goes_back() -> None:
    entry = fragment("{}", call_id="x", name="f") | {"extra_content": {"google": {"sig": "s"}}}
    native = said(chunk({"reasoning_content": "hm"}), calls(entry)).stopped.native
    assert native[0]["reasoning_content"] == "hm"
    assert native[0]["tool_calls"][0]["extra_content"] == {"google": {"sig": "s"}}


def test_a_whole_answer_says_the_same_as_its_stream() -> None:
    called = fragment('{"a": 1}', call_id="x", name="f")
    answer = {
        "choices": [
            {
                "message": {"role": "assistant", "content": "Hi", "tool_calls": [called]},
                "finish_reason": "tool_calls",
            }
        ]
    }
    heard = read("openai-chat", json.dumps(answer).encode())
    assert (heard.text, heard.plain_calls) == ("Hi", [("f", {"a": 1})])
