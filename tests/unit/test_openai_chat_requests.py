"""How a request for Chat Completions is written."""

from __future__ import annotations

import json
from typing import Any

import pytest

from providers.dialects.openai_chat import DIALECT
from providers.history import AssistantTurn, Origin, ToolTurn, Turn, UserTurn
from providers.request import Choose, OneTool, Request, ToolChoice, ToolSpec
from tests.streams import Read, call, calls, chat_stream, chunk, chunks, fragment, read
from tools.call import BrokenCall, ErrorKind, JsonObject, ToolCall, ToolError, ToolResult

MODEL = "some-model"
TOOL = ToolSpec("f", "Does f.", {"type": "object", "properties": {}})
ELSEWHERE = Origin("other", "anthropic", "claude")


def body_of(*history: Turn, **fields: Any) -> JsonObject:
    return DIALECT.encode(Request(**{"model": MODEL, "history": history, **fields})).body


def messages_of(*history: Turn, model: str = MODEL) -> list[JsonObject]:
    messages: list[JsonObject] = body_of(*history, model=model)["messages"]
    return messages


def turn_of(heard: Read) -> AssistantTurn:
    assert heard.turn is not None
    return heard.turn


def results(*outputs: object) -> ToolTurn:
    return ToolTurn(tuple(ToolResult("x", "f", output=output) for output in outputs))


def test_the_body_holds_what_was_asked_and_nothing_else() -> None:
    assert body_of(UserTurn("Hi"), system="Be kind.", temperature=0.5) == {
        "model": MODEL,
        "messages": [
            {"role": "system", "content": "Be kind."},
            {"role": "user", "content": "Hi"},
        ],
        "stream": True,
        "stream_options": {"include_usage": True},
        "temperature": 0.5,
    }


def test_a_request_that_does_not_stream_asks_for_no_stream_options() -> None:
    body = body_of(UserTurn("Hi"), stream=False)
    assert (body["stream"], "stream_options" in body) == (False, False)


@pytest.mark.parametrize(
    ("choice", "wanted"),
    [
        (Choose.AUTO, "auto"),
        (Choose.REQUIRED, "required"),
        (Choose.NONE, "none"),
        (OneTool("f"), {"type": "function", "function": {"name": "f"}}),
    ],
)
def test_every_tool_choice_has_its_word(choice: ToolChoice, wanted: object) -> None:
    assert body_of(tools=(TOOL,), choice=choice)["tool_choice"] == wanted


def test_a_tool_stands_in_its_envelope() -> None:
    function = {"name": "f", "description": "Does f.", "parameters": TOOL.parameters}
    assert body_of(tools=(TOOL,))["tools"] == [{"type": "function", "function": function}]


def test_without_tools_neither_list_nor_choice_is_sent() -> None:
    assert not {"tools", "tool_choice"} & body_of(choice=Choose.REQUIRED).keys()


@pytest.mark.parametrize(
    ("model", "field"),
    [
        ("gpt-5-mini", "max_completion_tokens"),
        ("o3", "max_completion_tokens"),
        ("gpt-oss-20b", "max_tokens"),
        ("llama3", "max_tokens"),
    ],
)
def test_the_limit_has_the_name_that_the_models_server_knows(model: str, field: str) -> None:
    assert body_of(model=model, max_output_tokens=9)[field] == 9


def test_extra_fields_are_merged_last() -> None:
    body = body_of(UserTurn("Hi"), extra={"stream": False, "top_k": 3})
    assert (body["stream"], body["top_k"]) == (False, 3)


def test_a_turn_of_its_own_goes_back_unchanged_with_its_results() -> None:
    turn = turn_of(read("openai-chat", chat_stream("See:", call("f", "a:0", a=1))))
    assert messages_of(turn, results({"n": 1})) == [
        {
            "role": "assistant",
            "content": "See:",
            "tool_calls": [
                {
                    "id": "a:0",
                    "type": "function",
                    "function": {"name": "f", "arguments": '{"a": 1}'},
                }
            ],
        },
        {"role": "tool", "tool_call_id": "a:0", "content": '{"n": 1}'},
    ]


def test_broken_arguments_of_its_own_go_back_as_they_came() -> None:
    turn = turn_of(
        read("openai-chat", chunks(calls(fragment('{"a"', call_id="x", name="f")), chunk()))
    )
    (message, _) = messages_of(turn, results("no"))
    assert message["tool_calls"][0]["function"]["arguments"] == '{"a"'


def test_a_turn_of_another_model_is_written_anew_with_equal_ids() -> None:
    turn = AssistantTurn(
        ("See:", ToolCall("f", {"a": "é"}, "other", "toolu_1"), BrokenCall("g", "{", "", "o", "")),
        ELSEWHERE,
        native=({"type": "thinking"},),
    )
    assistant, *told = messages_of(turn, results("one", "two"))
    ids = [entry["id"] for entry in assistant["tool_calls"]]
    arguments = [json.loads(entry["function"]["arguments"]) for entry in assistant["tool_calls"]]
    assert (assistant["content"], arguments) == ("See:", [{"a": "é"}, {"INVALID_JSON": "{"}])
    assert [message["tool_call_id"] for message in told] == ids
    assert all(len(call_id) == 9 and call_id.isalnum() for call_id in ids)


def test_the_same_dialect_with_another_model_is_another_writer() -> None:
    body = chunks(chunk({"reasoning_content": "hm"}), chunk({"content": "Hi"}))
    turn = turn_of(read("openai-chat", body))
    assert messages_of(turn, model="another") == [{"role": "assistant", "content": "Hi"}]


def test_an_error_result_says_what_to_mend() -> None:
    turn = AssistantTurn((ToolCall("f", {}, "other", "x"),), ELSEWHERE)
    error = ToolError(ErrorKind.UNKNOWN_TOOL, "There is no f.")
    told = messages_of(turn, ToolTurn((ToolResult("x", "f", error=error),)))[-1]
    assert json.loads(told["content"]) == {
        "error": {"kind": "unknown_tool", "message": "There is no f."}
    }


def test_empty_texts_are_dropped() -> None:
    assert messages_of(UserTurn(""), AssistantTurn((), ELSEWHERE)) == []


def test_the_key_goes_into_its_header() -> None:
    assert DIALECT.authorize("k") == ("authorization", "Bearer k")
