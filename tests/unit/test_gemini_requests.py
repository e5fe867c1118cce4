"""How a request to Gemini is written, turns of its own and of others included."""

from __future__ import annotations

from typing import Any

import pytest

from providers.dialects.gemini import DIALECT
from providers.history import AssistantTurn, Origin, ToolTurn, Turn, UserTurn
from providers.request import Choose, OneTool, Request, ToolSpec
from tests.streams import (
    Read,
    function_call,
    gemini_body,
    gemini_event,
    read,
)
from tools.call import BrokenCall, ErrorKind, JsonObject, ToolCall, ToolError, ToolResult

MODEL = "gemini-3-pro"
SIGNED = function_call("height", args={"of": "me"}) | {"thoughtSignature": "c2ln"}


def read_parts(*parts: JsonObject, finish: str = "STOP") -> Read:
    """An answer with each part in an event of its own."""
    told = [gemini_event(part) for part in parts]
    return read(DIALECT.id, gemini_body(*told, gemini_event(finish=finish)), model=MODEL)


def turn_of(answer: Read) -> AssistantTurn:
    assert answer.turn is not None
    return answer.turn


def results(*ids: str) -> ToolTurn:
    return ToolTurn(tuple(ToolResult(name, "height", f"result of {name}") for name in ids))


def sent_body(*history: Turn, **fields: Any) -> JsonObject:
    fields = {"model": MODEL, **fields}
    return DIALECT.encode(Request(history=history, **fields)).body


def sent_contents(*history: Turn, model: str = MODEL) -> list[JsonObject]:
    told: list[JsonObject] = sent_body(*history, model=model)["contents"]
    return told


def foreign(*items: str | ToolCall | BrokenCall) -> AssistantTurn:
    """A turn that another provider wrote."""
    return AssistantTurn(items, Origin("other", "anthropic", "claude"), native=({"type": "x"},))


CALLED = foreign("See.", ToolCall("height", {"of": "me"}, "other", "toolu_1"))


def test_system_user_and_limits_stand_where_the_format_wants_them() -> None:
    body = sent_body(UserTurn("hi"), system="Be kind.", max_output_tokens=9, temperature=0.5)
    assert body == {
        "contents": [{"role": "user", "parts": [{"text": "hi"}]}],
        "systemInstruction": {"parts": [{"text": "Be kind."}]},
        "generationConfig": {"maxOutputTokens": 9, "temperature": 0.5},
    }


@pytest.mark.parametrize(
    ("model", "stream", "path"),
    [
        ("gemini-3-pro", True, "/v1beta/models/gemini-3-pro:streamGenerateContent?alt=sse"),
        ("gemini-3-pro", False, "/v1beta/models/gemini-3-pro:generateContent"),
        ("tunedModels/x?y", False, "/v1beta/tunedModels/x%3Fy:generateContent"),
    ],
)
def test_the_model_and_the_way_of_answering_stand_in_the_path(
    model: str, stream: bool, path: str
) -> None:
    assert DIALECT.encode(Request(model, (UserTurn("hi"),), stream=stream)).path == path


def test_tools_are_declared_with_their_json_schema() -> None:
    spec = ToolSpec("f", "does f", {"type": "object", "properties": {}})
    (tools,) = sent_body(UserTurn("hi"), tools=(spec,))["tools"]
    assert tools["functionDeclarations"] == [
        {"name": "f", "description": "does f", "parametersJsonSchema": spec.parameters}
    ]


def test_without_tools_neither_tools_nor_a_choice_are_sent() -> None:
    assert sent_body(UserTurn("hi")).keys() == {"contents"}


@pytest.mark.parametrize(
    ("choice", "sent"),
    [
        (Choose.AUTO, {"mode": "AUTO"}),
        (Choose.REQUIRED, {"mode": "ANY"}),
        (Choose.NONE, {"mode": "NONE"}),
        (OneTool("f"), {"mode": "ANY", "allowedFunctionNames": ["f"]}),
    ],
)
def test_the_tool_choice_is_written(choice: Any, sent: JsonObject) -> None:
    tools = (ToolSpec("f", "", {"type": "object", "properties": {}}),)
    config = sent_body(UserTurn("hi"), tools=tools, choice=choice)["toolConfig"]
    assert config == {"functionCallingConfig": sent}


def test_extra_fields_lie_over_the_body() -> None:
    assert sent_body(UserTurn("hi"), extra={"cachedContent": "c"})["cachedContent"] == "c"


def test_a_foreign_call_is_written_without_an_id() -> None:
    _, model, user = sent_contents(UserTurn("hi"), CALLED, results("toolu_1"), model="gemini-2.5")
    assert model["parts"] == [{"text": "See."}, function_call("height", args={"of": "me"})]
    assert user["parts"] == [
        {
            "functionResponse": {
                "name": "height",
                "response": {"output": "result of toolu_1"},
            }
        }
    ]


@pytest.mark.parametrize(
    ("model", "signed"),
    [
        ("gemini-3-flash-preview", True),
        ("gemini-flash-latest", True),
        ("models/gemini-3-pro", True),
        ("gemini-2.5-pro", False),
        ("gemini-1.5-pro", False),
        ("gemma-3", False),
    ],
)
def test_only_gemini_3_gets_a_stand_in_for_the_signature(model: str, signed: bool) -> None:
    sent = sent_contents(UserTurn("hi"), CALLED, results("toolu_1"), model=model)
    assert (sent[1]["parts"][1].get("thoughtSignature") is not None) is signed


def test_only_the_first_foreign_call_of_a_turn_gets_the_stand_in() -> None:
    same = ToolCall("height", {}, "other", "c")
    sent = sent_contents(foreign(same, same), results("c", "c"))
    assert ["thoughtSignature" in part for part in sent[0]["parts"]] == [True, False]


def test_an_error_result_stands_under_error() -> None:
    error = ToolError(ErrorKind.FAILED, "the file is gone")
    turn = ToolTurn((ToolResult("toolu_1", "height", error=error),))
    sent = sent_contents(CALLED, turn)[-1]["parts"][0]["functionResponse"]["response"]
    assert sent == {"error": {"kind": "failed", "message": "the file is gone"}}


def test_a_broken_foreign_call_goes_as_an_object_with_its_text() -> None:
    turn = foreign(BrokenCall("height", '{"a":', "not JSON", "other", "toolu_1"))
    sent = sent_contents(turn, results("toolu_1"))
    assert '{"a":' in sent[0]["parts"][0]["functionCall"]["args"].values()


def test_a_broken_call_of_its_own_goes_back_as_an_object_too() -> None:
    answer = read_parts(function_call("height", args='{"a":'))
    sent = sent_contents(turn_of(answer), results("made_0"))
    assert '{"a":' in sent[0]["parts"][0]["functionCall"]["args"].values()


def test_what_one_side_says_twice_in_a_row_is_one_content() -> None:
    sent = sent_contents(CALLED, results("toolu_1"), UserTurn("and?"), UserTurn("so?"))
    assert [content["role"] for content in sent] == ["model", "user"]


def test_encoding_leaves_the_turns_own_parts_as_they_were() -> None:
    turn = turn_of(read_parts({"text": "A"}))
    before = list(turn.native)
    sent_contents(turn, turn)
    assert list(turn.native) == before


def test_empty_texts_are_left_out() -> None:
    assert sent_contents(UserTurn(""), foreign("")) == []


def test_the_key_goes_in_a_header_and_never_in_the_address() -> None:
    assert DIALECT.authorize("k") == ("x-goog-api-key", "k")


def test_an_id_of_our_own_making_is_not_sent_back() -> None:
    sent = sent_contents(turn_of(read_parts(SIGNED)), results("made_0"))
    assert "id" not in sent[-1]["parts"][0]["functionResponse"]


def test_an_id_that_the_call_had_goes_back_with_its_result() -> None:
    answer = read_parts(function_call("height", id="8hd01vsf"))
    sent = sent_contents(turn_of(answer), results("8hd01vsf"))
    assert sent[-1]["parts"][0]["functionResponse"]["id"] == "8hd01vsf"


def test_two_calls_of_one_name_are_told_apart_by_their_order() -> None:
    answer = read_parts(function_call("height", args={"of": 1}), function_call("height"))
    sent = sent_contents(turn_of(answer), results("made_0", "made_1"))
    outputs = [part["functionResponse"]["response"]["output"] for part in sent[-1]["parts"]]
    assert outputs == ["result of made_0", "result of made_1"]


def test_a_signature_goes_back_on_the_part_that_it_came_with() -> None:
    answer = read_parts(SIGNED, function_call("weight"))
    sent = sent_contents(turn_of(answer), results("made_0", "made_1"))
    assert sent[0] == {"role": "model", "parts": [SIGNED, function_call("weight")]}
