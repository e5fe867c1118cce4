"""How a request to Anthropic is written."""

from __future__ import annotations

from typing import Any

import pytest

from providers.dialects.anthropic import DIALECT
from providers.history import AssistantTurn, Origin, ToolTurn, Turn, UserTurn
from providers.request import Choose, OneTool, Request, ToolChoice, ToolSpec
from tests.streams import block_delta, block_start, block_stop, call, message, read, tool_block
from tools.call import BrokenCall, ErrorKind, JsonObject, ToolCall, ToolError, ToolResult

MODEL = "some-model"
TOOL = ToolSpec("f", "Does f.", {"type": "object", "properties": {}})
ELSEWHERE = Origin("other", "openai-chat", "gpt")


def body_of(*history: Turn, **fields: Any) -> JsonObject:
    return DIALECT.encode(Request(**{"model": MODEL, "history": history, **fields})).body


def messages_of(*history: Turn, model: str = MODEL) -> list[JsonObject]:
    messages: list[JsonObject] = body_of(*history, model=model)["messages"]
    return messages


def own_turn(*blocks: list[JsonObject], stop_reason: str = "tool_use") -> AssistantTurn:
    turn = read("anthropic", message(*blocks, stop_reason=stop_reason)).turn
    assert turn is not None
    return turn


def text(words: str) -> JsonObject:
    return {"type": "text", "text": words}


def result(call_id: str, content: str) -> JsonObject:
    return {"type": "tool_result", "tool_use_id": call_id, "content": content}


def test_the_body_holds_what_was_asked_and_the_limit_that_is_demanded() -> None:
    assert body_of(UserTurn("Hi"), system="Be kind.") == {
        "model": MODEL,
        "max_tokens": 8192,
        "system": [text("Be kind.") | {"cache_control": {"type": "ephemeral"}}],
        "messages": [{"role": "user", "content": [text("Hi")]}],
        "stream": True,
    }


@pytest.mark.parametrize(
    ("choice", "wanted"),
    [
        (Choose.AUTO, {"type": "auto"}),
        (Choose.REQUIRED, {"type": "any"}),
        (Choose.NONE, {"type": "none"}),
        (OneTool("f"), {"type": "tool", "name": "f"}),
    ],
)
def test_every_tool_choice_has_its_word(choice: ToolChoice, wanted: object) -> None:
    assert body_of(tools=(TOOL,), choice=choice)["tool_choice"] == wanted


def test_tools_stream_their_arguments_and_the_last_is_marked_for_the_cache() -> None:
    first, last = body_of(tools=(TOOL, TOOL))["tools"]
    assert first == {
        "name": "f",
        "description": "Does f.",
        "input_schema": TOOL.parameters,
        "eager_input_streaming": True,
    }
    assert last == first | {"cache_control": {"type": "ephemeral"}}


def test_a_request_that_does_not_stream_asks_for_no_eager_streaming() -> None:
    body = body_of(tools=(TOOL,), stream=False)
    assert (body["stream"], "eager_input_streaming" in body["tools"][0]) == (False, False)


def test_without_tools_neither_list_nor_choice_is_sent() -> None:
    assert not {"tools", "tool_choice"} & body_of(choice=Choose.REQUIRED).keys()


def test_extra_fields_are_merged_last() -> None:
    assert body_of(max_output_tokens=5, extra={"max_tokens": 7})["max_tokens"] == 7


def test_a_turn_of_its_own_goes_back_block_by_block() -> None:
    thought = [
        block_start(0, type="thinking", thinking="", signature=""),
        block_delta(0, "thinking_delta", thinking="hm"),
        block_delta(0, "signature_delta", signature="sig"),
        block_stop(0),
    ]
    turn = own_turn(thought, tool_block(1, call("f", "toolu_1"), '{"a": 1}'))
    results = ToolTurn((ToolResult("toolu_1", "f", output="one"),))
    assert messages_of(turn, results, UserTurn("And?")) == [
        {
            "role": "assistant",
            "content": [
                {"type": "thinking", "thinking": "hm", "signature": "sig"},
                {"type": "tool_use", "id": "toolu_1", "name": "f", "input": {"a": 1}},
            ],
        },
        {"role": "user", "content": [result("toolu_1", "one"), text("And?")]},
    ]


def test_thinking_is_left_out_for_another_model() -> None:
    thought = [block_start(0, type="thinking", thinking="hm", signature="s"), block_stop(0)]
    turn = own_turn(thought, tool_block(1, call("f", "toolu_1"), "{}"))
    (assistant, _) = messages_of(turn, model="another")
    assert [block["type"] for block in assistant["content"]] == ["tool_use"]


def test_a_turn_of_another_provider_is_written_anew_in_its_order() -> None:
    turn = AssistantTurn(
        (
            "One",
            ToolCall("f", {"a": 1}, "other", "call_1"),
            "two",
            BrokenCall("no name", "{", "", "other", "functions.g:0"),
        ),
        ELSEWHERE,
        native=({"role": "assistant"},),
    )
    error = ToolError(ErrorKind.BROKEN_CALL, "no")
    results = ToolTurn(
        (ToolResult("call_1", "f", output={"n": 1}), ToolResult("functions.g:0", "g", error=error))
    )
    assistant, user = messages_of(turn, results)
    odd = assistant["content"][3]["id"]
    assert odd.startswith("call_")
    assert assistant["content"] == [
        text("One"),
        {"type": "tool_use", "id": "call_1", "name": "f", "input": {"a": 1}},
        text("two"),
        {"type": "tool_use", "id": odd, "name": "no_name", "input": {"INVALID_JSON": "{"}},
    ]
    assert [block["tool_use_id"] for block in user["content"]] == ["call_1", odd]
    assert [block.get("is_error") for block in user["content"]] == [None, True]


def test_neighbours_of_one_role_are_merged_and_empty_texts_dropped() -> None:
    history = (UserTurn("One"), UserTurn(" "), AssistantTurn((), ELSEWHERE), UserTurn("two"))
    assert messages_of(*history) == [{"role": "user", "content": [text("One"), text("two")]}]


def test_a_last_answer_does_not_end_in_white_space() -> None:
    turn = own_turn(
        [block_start(0, type="text", text="Wait \n"), block_stop(0)], stop_reason="pause_turn"
    )
    assert messages_of(turn)[0]["content"] == [text("Wait")]
    assert turn.native == (text("Wait \n"),)


def test_the_key_goes_into_its_header() -> None:
    assert DIALECT.authorize("k") == ("x-api-key", "k")


def test_the_version_is_sent() -> None:
    assert DIALECT.encode(Request(MODEL, ())).headers == {"anthropic-version": "2023-06-01"}
