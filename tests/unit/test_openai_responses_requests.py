"""How a request to OpenAI Responses is written, turns of its own and of others included."""

from __future__ import annotations

import json
from typing import Any

import pytest

from providers.dialects.openai_responses import DIALECT
from providers.history import AssistantTurn, Origin, ToolTurn, Turn, UserTurn
from providers.parts import (
    StreamFailed,
)
from providers.request import Choose, OneTool, Request, ToolSpec
from tests.streams import (
    PROVIDER,
    Read,
    call,
    call_events,
    delta,
    events,
    item,
    read,
    response_end,
    responses_stream,
)
from tools.call import BrokenCall, ErrorKind, JsonObject, ToolCall, ToolError, ToolResult

MODEL = "gpt-5"
HEIGHT = call("height", "call_h", of="me")


def read_events(*payloads: JsonObject) -> Read:
    return read(DIALECT.id, events(*payloads), model=MODEL)


def read_answer(**answer: object) -> Read:
    """An answer that did not stream."""
    return read(DIALECT.id, json.dumps(answer).encode(), model=MODEL)


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


def test_a_call_without_an_id_gets_one_that_the_replay_has_too() -> None:
    answer = read_events(*call_events(0, call("now", "")), response_end())
    sent = sent_input(turn_of(answer), results("made_0", 1))
    assert [each["call_id"] for each in sent] == ["made_0", "made_0"]
