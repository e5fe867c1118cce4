"""What OpenAI Responses sends, and what we send it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from providers.dialects.openai_responses import DIALECT
from providers.failures import FailureKind
from providers.history import AssistantTurn, Origin, ToolTurn, Turn, UserTurn
from providers.parts import (
    CallFragment,
    CallStarted,
    ReasoningDelta,
    Stop,
    StreamFailed,
    UsageReported,
)
from providers.request import Choose, OneTool, Request, ToolSpec
from tests.streams import (
    PROVIDER,
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
from tools.call import BrokenCall, ErrorKind, JsonObject, ToolCall, ToolError, ToolResult

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


def test_a_replayed_turn_holds_its_reasoning_unchanged_before_its_call() -> None:
    thought = item("done", 0, "reasoning", summary=[], encrypted_content="sealed")
    answer = read_events(thought, *call_events(1, HEIGHT), response_end())
    sent = sent_input(UserTurn("hi"), turn_of(answer), results("call_h", "170"))
    assert sent[1] == thought["item"]
    assert [each.get("type") for each in sent[1:]] == [
        "reasoning",
        "function_call",
        "function_call_output",
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


def test_a_call_without_an_id_gets_one_that_the_replay_has_too() -> None:
    answer = read_events(*call_events(0, call("now", "")), response_end())
    sent = sent_input(turn_of(answer), results("made_0", 1))
    assert [each["call_id"] for each in sent] == ["made_0", "made_0"]


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


# ------------------------------------------------------------------ requests


def turn_of(answer: Read) -> AssistantTurn:
    assert answer.turn is not None
    return answer.turn


def results(call_id: str, output: object) -> ToolTurn:
    return ToolTurn((ToolResult(call_id, "any", output),))


def sent_body(*history: Turn, **fields: Any) -> JsonObject:
    fields = {"model": MODEL, **fields}
    return DIALECT.encode(Request(history=history, **fields)).body


def sent_input(*history: Turn) -> list[JsonObject]:
    told: list[JsonObject] = sent_body(*history)["input"]
    return told


def foreign(*items: str | ToolCall | BrokenCall) -> AssistantTurn:
    """A turn that another provider wrote."""
    native = ({"role": "assistant", "content": "opaque"},)
    return AssistantTurn(items, Origin("other", "anthropic", "claude"), native=native)


def test_the_request_keeps_nothing_on_the_server() -> None:
    body = sent_body(UserTurn("hi"))
    assert (body["store"], body["include"]) == (False, ["reasoning.encrypted_content"])


def test_a_model_that_does_not_reason_is_not_asked_for_its_reasoning() -> None:
    assert "include" not in sent_body(UserTurn("hi"), model="gpt-4o-mini")


def test_system_and_user_text_stand_where_the_format_wants_them() -> None:
    body = sent_body(UserTurn("hi"), system="Be kind.")
    assert body["instructions"] == "Be kind."
    assert body["input"] == [{"role": "user", "content": [{"type": "input_text", "text": "hi"}]}]


def test_tools_are_flat_and_not_strict() -> None:
    spec = ToolSpec("f", "does f", {"type": "object", "properties": {}})
    (tool,) = sent_body(UserTurn("hi"), tools=(spec,))["tools"]
    assert tool == {
        "type": "function",
        "name": "f",
        "description": "does f",
        "parameters": spec.parameters,
        "strict": False,
    }


def test_without_tools_neither_tools_nor_a_choice_are_sent() -> None:
    assert not {"tools", "tool_choice"} & sent_body(UserTurn("hi")).keys()


@pytest.mark.parametrize(
    ("choice", "sent"),
    [
        (Choose.AUTO, "auto"),
        (Choose.REQUIRED, "required"),
        (Choose.NONE, "none"),
        (OneTool("f"), {"type": "function", "name": "f"}),
    ],
)
def test_the_tool_choice_is_written(choice: Any, sent: Any) -> None:
    tools = (ToolSpec("f", "", {"type": "object", "properties": {}}),)
    assert sent_body(UserTurn("hi"), tools=tools, choice=choice)["tool_choice"] == sent


def test_limits_are_sent_only_when_set() -> None:
    body = sent_body(UserTurn("hi"), max_output_tokens=50, temperature=0.0)
    assert (body["max_output_tokens"], body["temperature"]) == (50, 0.0)
    assert not {"max_output_tokens", "temperature"} & sent_body(UserTurn("hi")).keys()


def test_extra_fields_lie_over_the_body() -> None:
    assert sent_body(UserTurn("hi"), extra={"store": True, "x": 1})["store"] is True


def test_an_answer_that_shall_not_stream_is_asked_for_as_json() -> None:
    encoded = DIALECT.encode(Request(MODEL, (UserTurn("hi"),), stream=False))
    assert (encoded.body["stream"], encoded.headers["accept"]) == (False, "application/json")


def test_a_turn_that_another_model_wrote_is_written_anew() -> None:
    turn = foreign("Let me see.", ToolCall("f", {"a": 1}, "other", "toolu_1"))
    sent = sent_input(UserTurn("hi"), turn, results("toolu_1", {"b": "é"}))
    assert sent[1:] == [
        {
            "type": "message",
            "role": "assistant",
            "content": [{"type": "output_text", "text": "Let me see."}],
        },
        {"type": "function_call", "call_id": "toolu_1", "name": "f", "arguments": '{"a": 1}'},
        {"type": "function_call_output", "call_id": "toolu_1", "output": '{"b": "é"}'},
    ]


def test_an_id_that_is_too_long_is_changed_on_both_sides() -> None:
    long = "x" * 200
    _, wrote, answered = sent_input(
        UserTurn("hi"), foreign(ToolCall("f", {}, "other", long)), results(long, 1)
    )
    assert wrote["call_id"] == answered["call_id"] != long
    assert len(wrote["call_id"]) <= 64


def test_a_broken_call_of_another_model_goes_as_an_object_with_its_text() -> None:
    turn = foreign(BrokenCall("f", '{"a":', "not JSON", "other", "c1"))
    wrote = sent_input(turn, results("c1", 1))[0]
    assert '{"a":' in json.loads(wrote["arguments"]).values()


def test_a_broken_call_goes_back_as_the_text_that_came() -> None:
    answer = read_events(*call_events(0, HEIGHT, arguments='{"of":'), response_end())
    assert sent_input(turn_of(answer), results("call_h", 1))[0]["arguments"] == '{"of":'


def test_a_text_result_goes_as_it_is() -> None:
    answer = read_events(*call_events(0, HEIGHT), response_end())
    assert sent_input(turn_of(answer), results("call_h", "170 cm"))[-1]["output"] == "170 cm"


def test_an_error_result_is_an_output_that_says_so() -> None:
    error = ToolError(ErrorKind.INVALID_ARGUMENTS, "key is missing")
    answer = read_events(*call_events(0, HEIGHT), response_end())
    turn = ToolTurn((ToolResult("call_h", "height", error=error),))
    told = json.loads(sent_input(turn_of(answer), turn)[-1]["output"])
    assert told["error"] == {"kind": "invalid_arguments", "message": "key is missing"}


def test_a_turn_of_the_same_model_goes_back_item_by_item() -> None:
    answer = read(DIALECT.id, responses_stream("A", HEIGHT), model=MODEL)
    sent = sent_input(turn_of(answer), results("call_h", 1))
    assert tuple(sent[:-1]) == answer.stopped.native


def test_empty_texts_are_left_out() -> None:
    assert sent_input(UserTurn(""), foreign("")) == []


def test_the_key_goes_in_the_authorization() -> None:
    assert DIALECT.authorize("k") == ("authorization", "Bearer k")


def test_the_failure_is_the_last_part_and_the_only_one_of_its_kind() -> None:
    parts = read_events(delta("output_text", 0, "x"), response_end("failed")).parts
    assert [isinstance(part, StreamFailed) for part in parts] == [False, True]


def test_calls_say_which_provider_asked() -> None:
    (called,) = read_events(*call_events(0, HEIGHT), response_end()).calls
    assert called.provider == PROVIDER
