"""What OpenAI Responses sends, and what we send it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from providers.dialects.openai_responses import DIALECT
from providers.failures import FailureKind
from providers.parts import (
    CallFragment,
    CallStarted,
    ReasoningDelta,
    Stop,
    UsageReported,
)
from tests.streams import (
    Read,
    call,
    call_events,
    cut_every,
    delta,
    events,
    item,
    message_item,
    read,
    response_end,
    responses_stream,
    sse,
)
from tools.call import JsonObject

MODEL = "gpt-5"
HEIGHT = call("height", "call_h", of="me")
WEIGHT = call("weight", "call_w", of="you")


def read_events(*payloads: JsonObject) -> Read:
    return read(DIALECT.id, events(*payloads), model=MODEL)


def read_answer(**answer: object) -> Read:
    """An answer that did not stream."""
    return read(DIALECT.id, json.dumps(answer).encode(), model=MODEL)


# ------------------------------------------------------------------ the numbered traps


def test_a_result_goes_to_the_call_id_and_not_to_the_items_id() -> None:
    (called,) = read_events(*call_events(0, HEIGHT), response_end()).calls
    assert called.call_id == "call_h"


def test_interleaved_deltas_go_to_the_call_at_their_output_index() -> None:
    height, weight = call_events(0, HEIGHT), call_events(1, WEIGHT)
    answer = read_events(
        height[0],
        weight[0],
        delta("function_call_arguments", 1, '{"of": '),
        delta("function_call_arguments", 0, '{"of": '),
        delta("function_call_arguments", 1, '"you"}'),
        delta("function_call_arguments", 0, '"me"}'),
        weight[-1],
        height[-1],
        response_end(),
    )
    fragments = [(part.key, part.text) for part in answer.parts if isinstance(part, CallFragment)]
    assert fragments == [(1, '{"of": '), (0, '{"of": '), (1, '"you"}'), (0, '"me"}')]


def test_calls_that_end_in_another_order_keep_the_order_of_the_turn() -> None:
    height, weight = call_events(0, HEIGHT), call_events(1, WEIGHT)
    answer = read_events(height[0], weight[0], weight[-1], height[-1], response_end())
    assert answer.turn is not None
    assert [each.name for each in answer.turn.calls] == ["height", "weight"]


def test_an_item_that_changes_its_id_stays_one_item() -> None:
    first, last = call_events(0, HEIGHT)
    piece = delta("function_call_arguments", 0, HEIGHT.text) | {"item_id": "another"}
    assert read_events(first, piece, last, response_end()).plain_calls == [("height", HEIGHT.args)]


def test_without_an_output_index_the_items_id_tells_the_calls_apart() -> None:
    def bare(payload: JsonObject, name: str) -> JsonObject:
        payload = {key: value for key, value in payload.items() if key != "output_index"}
        return payload | {"item_id": name} if "item" not in payload else payload

    told = [bare(payload, "function_call_0") for payload in call_events(0, HEIGHT, HEIGHT.text)]
    told += [bare(payload, "function_call_1") for payload in call_events(1, WEIGHT, WEIGHT.text)]
    assert [name for name, _ in read_events(*told, response_end()).plain_calls] == [
        "height",
        "weight",
    ]


def test_arguments_that_are_an_empty_text_are_an_empty_object() -> None:
    told = call_events(0, call("now"), arguments="")
    assert read_events(*told, response_end()).plain_calls == [("now", {})]


def test_text_before_and_after_a_call_is_joined_in_order() -> None:
    body = responses_stream("Let me see. ", HEIGHT, "Done.")
    answer = read(DIALECT.id, body)
    assert answer.turn is not None
    assert (answer.text, [type(each).__name__ for each in answer.turn.items]) == (
        "Let me see. Done.",
        ["str", "ToolCall", "str"],
    )


@pytest.mark.parametrize(
    "event",
    [
        response_end("failed", error={"code": "server_error", "message": "no"}),
        {"type": "error", "code": "server_error", "message": "no"},
        {"type": "error", "error": {"code": "server_error", "message": "no"}},
        {"error": {"type": "server_error", "message": "no"}},
    ],
)
def test_a_failure_after_the_200_is_a_failure(event: JsonObject) -> None:
    body = (sse(delta("output_text", 0, "Hel")) + sse(event)).encode()
    assert read(DIALECT.id, body).failure is FailureKind.SERVER


def test_what_the_done_events_repeat_is_not_appended() -> None:
    told = [
        delta("output_text", 0, "Hello"),
        {"type": "response.output_text.done", "output_index": 0, "text": "Hello"},
        item("done", 0, "message", **message_item("Hello")),
        response_end(output=[message_item("Hello")]),
    ]
    assert read_events(*told).text == "Hello"


def test_the_done_item_wins_over_the_deltas() -> None:
    told = call_events(0, HEIGHT, '{"of": "someone"}')
    assert read_events(*told, response_end()).plain_calls == [("height", {"of": "me"})]


# ------------------------------------------------------------------ what else is seen


def test_arguments_that_come_only_on_the_done_item_are_shown() -> None:
    answer = read_events(*call_events(0, HEIGHT), response_end())
    shown = "".join(part.text for part in answer.parts if isinstance(part, CallFragment))
    assert shown == HEIGHT.text


def test_a_call_without_an_added_event_is_begun_by_its_first_delta() -> None:
    told = call_events(0, HEIGHT, *HEIGHT.text)[1:]
    answer = read_events(*told, response_end())
    assert isinstance(answer.parts[0], CallStarted)
    assert answer.plain_calls == [("height", HEIGHT.args)]


def test_items_that_stand_only_in_the_final_response_are_read() -> None:
    whole = call_events(0, HEIGHT)[-1]["item"]
    answer = read_events(response_end(output=[whole, message_item("Here.")]))
    assert (answer.plain_calls, answer.text) == ([("height", HEIGHT.args)], "Here.")


def test_items_that_reuse_one_output_index_are_all_read() -> None:
    answer = read_events(*call_events(0, HEIGHT), *call_events(0, WEIGHT), response_end())
    assert [name for name, _ in answer.plain_calls] == ["height", "weight"]


def test_an_item_that_is_done_twice_is_one_call() -> None:
    told = call_events(0, HEIGHT)
    assert len(read_events(*told, told[-1], response_end()).calls) == 1


def test_arguments_that_are_no_json_are_a_broken_call() -> None:
    (broken,) = read_events(*call_events(0, HEIGHT, arguments='{"of":'), response_end()).broken
    assert (broken.call_id, broken.raw) == ("call_h", '{"of":')


def test_half_a_call_of_an_incomplete_answer_is_none() -> None:
    half = call_events(0, HEIGHT, '{"of', status="incomplete", arguments='{"of')
    ended = response_end("incomplete", incomplete_details={"reason": "max_output_tokens"})
    answer = read_events(*half, ended)
    assert (answer.calls, answer.broken, answer.stopped.stop) == ([], [], Stop.LENGTH)


def test_a_call_that_was_never_done_makes_the_answer_none() -> None:
    assert read_events(call_events(0, HEIGHT)[0], response_end()).failure is FailureKind.CUT


def test_a_half_call_takes_its_reasoning_out_of_the_replay() -> None:
    thought = item("done", 0, "reasoning", summary=[])
    half = call_events(1, HEIGHT, status="incomplete", arguments='{"of')
    ended = response_end("incomplete", incomplete_details={"reason": "max_output_tokens"})
    assert read_events(thought, *half, ended).stopped.native == ()


def test_reasoning_is_apart_from_the_answer() -> None:
    answer = read_events(
        delta("reasoning_summary_text", 0, "Hm. "),
        delta("reasoning_text", 0, "So."),
        delta("output_text", 1, "Yes."),
        response_end(),
    )
    thought = "".join(part.text for part in answer.parts if isinstance(part, ReasoningDelta))
    assert (thought, answer.text) == ("Hm. So.", "Yes.")


def test_reasoning_that_did_not_stream_is_shown_too() -> None:
    summary = [{"type": "summary_text", "text": "Hm."}]
    answer = read_events(item("done", 0, "reasoning", summary=summary), response_end())
    assert [part.text for part in answer.parts if isinstance(part, ReasoningDelta)] == ["Hm."]


def test_a_refusal_is_the_visible_answer() -> None:
    answer = read_events(delta("refusal", 0, "I cannot."), response_end())
    assert (answer.text, answer.stopped.stop) == ("I cannot.", Stop.REFUSED)


@pytest.mark.parametrize(
    ("reason", "stop"),
    [
        ("max_output_tokens", Stop.LENGTH),
        ("content_filter", Stop.FILTERED),
        ("something_new", Stop.OTHER),
    ],
)
def test_an_incomplete_answer_says_why(reason: str, stop: Stop) -> None:
    ended = response_end("incomplete", incomplete_details={"reason": reason})
    stopped = read_events(delta("output_text", 0, "Hel"), ended).stopped
    assert (stopped.stop, stopped.raw) == (stop, reason)


@pytest.mark.parametrize(("said", "stop"), [(HEIGHT, Stop.CALLS), ("Hello", Stop.END)])
def test_a_completed_answer_stops_for_its_calls_or_its_end(said: Any, stop: Stop) -> None:
    assert read(DIALECT.id, responses_stream(said)).stopped.stop is stop


def test_usage_is_counted_with_its_details() -> None:
    usage = {
        "input_tokens": 9,
        "input_tokens_details": {"cached_tokens": 4},
        "output_tokens": 7,
        "output_tokens_details": {"reasoning_tokens": 3},
    }
    answer = read_events(response_end(usage=usage))
    (told,) = [part.usage for part in answer.parts if isinstance(part, UsageReported)]
    assert (told.input, told.cached, told.output, told.reasoning) == (9, 4, 7, 3)


def test_items_of_the_server_are_passed_over_and_kept_for_the_replay() -> None:
    search = item("done", 0, "web_search_call", status="completed")
    answer = read_events(search, response_end())
    assert (answer.calls, answer.stopped.native) == ([], (search["item"],))


def test_unknown_events_say_nothing() -> None:
    odd: list[JsonObject] = [{"type": "response.sung.delta", "delta": "la"}, {"type": "keepalive"}]
    assert read_events(*odd, delta("output_text", 0, "Hi"), response_end()).text == "Hi"


def test_a_done_marker_before_the_end_event_ends_nothing() -> None:
    body = (sse(delta("output_text", 0, "Hi")) + sse("[DONE]")).encode()
    assert read(DIALECT.id, body).failure is FailureKind.CUT


def test_a_stream_without_its_end_event_was_cut() -> None:
    assert read_events(*call_events(0, HEIGHT)).failure is FailureKind.CUT


def test_an_answer_that_did_not_stream_is_read_alike() -> None:
    whole = call_events(0, HEIGHT)[-1]["item"]
    answer = read_answer(object="response", status="completed", output=[message_item("A"), whole])
    assert (answer.text, answer.plain_calls) == ("A", [("height", HEIGHT.args)])


def test_an_error_that_did_not_stream_is_that_failure() -> None:
    assert read_answer(error={"code": "invalid_api_key"}).failure is FailureKind.AUTH


@pytest.mark.parametrize("value", [None, 7, "x", [], {}, [None], {"type": 3}])
@pytest.mark.parametrize("field", ["item", "delta", "output_index", "response", "type"])
def test_no_value_of_another_shape_raises(field: str, value: object) -> None:
    told = [*call_events(0, HEIGHT, HEIGHT.text), delta("output_text", 1, "x"), response_end()]
    odd = [payload | {field: value} for payload in told]
    body = "".join(sse(payload) for payload in odd + told).encode()
    assert read(DIALECT.id, body).parts


@given(st.integers(1, 40), st.text(max_size=8), st.text(max_size=8))
def test_any_cut_gives_the_same_parts(size: int, said: str, argument: str) -> None:
    body = responses_stream(f"ã{said}", call("f", "call_1", x=argument), size=3)
    assert read(DIALECT.id, list(cut_every(body, size))).parts == read(DIALECT.id, body).parts


def test_a_call_without_an_id_that_is_done_twice_is_one_call() -> None:
    told = call_events(0, call("now", ""))
    assert len(read_events(*told, told[-1], response_end()).calls) == 1
