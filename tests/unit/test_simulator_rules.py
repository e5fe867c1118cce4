"""The simulator refuses what the real servers refuse, in their words."""

from __future__ import annotations

from typing import Any, TypeAlias

import pytest

from providers.exchange import WireRequest
from tests.simulating import DIALECTS, LOOKUP, answer, post, question, schema

# --- writers: one for each kind of thing that a body can hold

USER = {"role": "user", "content": "hi"}


def responses(*items: Any, **more: Any) -> dict[str, Any]:
    return {"model": "vitral-sim", "input": list(items), "stream": True, **more}


def r_call(call_id: Any = "call_a", **more: Any) -> dict[str, Any]:
    call = {"type": "function_call", "call_id": call_id, "name": LOOKUP, "arguments": "{}"}
    return {**call, **more}


def r_output(call_id: str = "call_a") -> dict[str, Any]:
    return {"type": "function_call_output", "call_id": call_id, "output": "170 cm"}


def r_reasoning(item_id: str = "rs_1", **more: Any) -> dict[str, Any]:
    return {"type": "reasoning", "id": item_id, "summary": [], **more}


def chat(*messages: Any, **more: Any) -> dict[str, Any]:
    return {"model": "vitral-sim", "messages": list(messages), "stream": True, **more}


def c_calls(*call_ids: Any, arguments: Any = "{}") -> dict[str, Any]:
    function = {"name": LOOKUP, "arguments": arguments}
    calls = [{"id": call_id, "type": "function", "function": function} for call_id in call_ids]
    return {"role": "assistant", "content": None, "tool_calls": calls}


def c_result(call_id: str = "a", content: Any = "170 cm") -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": call_id, "content": content}


def anthropic(*messages: Any, **more: Any) -> dict[str, Any]:
    body = {"model": "vitral-sim", "messages": list(messages), "max_tokens": 1000, "stream": True}
    return {**body, **more}


def a_says(*blocks: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": list(blocks)}


def a_user(*blocks: Any) -> dict[str, Any]:
    return {"role": "user", "content": list(blocks)}


def a_text(text: str = "hi") -> dict[str, Any]:
    return {"type": "text", "text": text}


def a_use(call_id: Any = "a", **more: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": call_id, "name": LOOKUP, "input": {}, **more}


def a_result(call_id: str = "a") -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": call_id, "content": "170 cm"}


def gemini(*contents: Any, **more: Any) -> dict[str, Any]:
    return {"contents": list(contents), **more}


def g_user(*parts: Any) -> dict[str, Any]:
    return {"role": "user", "parts": list(parts)}


def g_model(*parts: Any) -> dict[str, Any]:
    return {"role": "model", "parts": list(parts)}


def g_call(name: str = LOOKUP, **more: Any) -> dict[str, Any]:
    return {"functionCall": {"name": name, "args": {}, **more}}


def g_result(name: str = LOOKUP, **more: Any) -> dict[str, Any]:
    return {"functionResponse": {"name": name, "response": {"output": "170 cm"}, **more}}


def r_tool(name: str = LOOKUP, parameters: Any = None, **more: Any) -> dict[str, Any]:
    parameters = schema("key") if parameters is None else parameters
    return {"type": "function", "name": name, "parameters": parameters, **more}


def c_tool(name: str = LOOKUP, parameters: Any = None, **more: Any) -> dict[str, Any]:
    function = r_tool(name, parameters, **more)
    return {"type": function.pop("type"), "function": function}


G_HI = g_user({"text": "hi"})
STRICT = {**schema("key", "unit"), "additionalProperties": False}

# --- what is refused, with a telling part of the server's words

Cases: TypeAlias = list[tuple[dict[str, Any], str]]

RESPONSES: Cases = [
    ({"input": "hi"}, "Missing required parameter: 'model'."),
    ({"model": "vitral-sim"}, "Missing required parameter: 'input'."),
    (responses(USER, r_call()), "No tool output found for function call call_a."),
    (responses(USER, r_call(), USER), "No tool output found for function call call_a."),
    (
        responses(USER, r_call("call_a"), r_call("call_b"), r_output("call_b"), r_output("call_a")),
        "No tool output found for function call call_a.",
    ),
    (
        responses(USER, r_output("call_x")),
        "No tool call found for function call output with call_id call_x.",
    ),
    (responses(USER, r_output(), r_call()), "No tool call found for function call output"),
    (responses(USER, r_call(), r_output(), r_output()), "No tool call found for function call"),
    (responses(USER, r_call("")), "Invalid 'input[1].call_id': empty string."),
    (responses(USER, r_call("x" * 65)), "Invalid 'input[1].call_id': string too long."),
    (
        responses(USER, r_call(arguments={})),
        "Invalid type for 'input[1].arguments': expected a string, but got an object instead.",
    ),
    (
        responses(USER, r_reasoning(), USER),
        "Item 'rs_1' of type 'reasoning' was provided without its required following item.",
    ),
    (responses(USER, r_reasoning()), "without its required following item."),
    (responses(USER, r_reasoning(encrypted_content="x"), r_call()), "could not be verified."),
    (
        responses(USER, r_reasoning(), r_call(), r_output(), r_reasoning(), r_call()),
        "Duplicate item found with id rs_1.",
    ),
    (
        responses({"role": "user", "content": [{"type": "text", "text": "hi"}]}),
        "Invalid value: 'text'.",
    ),
    (
        responses(USER, tools=[{"type": "function", "function": {"name": LOOKUP}}]),
        "Missing required parameter: 'tools[0].name'.",
    ),
    (responses(USER, tool_choice="required"), "Tool choice 'required' must be specified"),
    (responses(USER, tools=[r_tool("no name")]), "Invalid 'tools[0].name': string does not match"),
    (
        responses(USER, tools=[r_tool(parameters={"type": "string"})]),
        f"Invalid schema for function '{LOOKUP}': schema must be a JSON Schema of 'type: "
        '"object"\', got \'type: "string"\'.',
    ),
    (responses(USER, tools=[r_tool(parameters={})]), "got 'type: \"None\"'."),
    (
        responses(USER, tools=[r_tool(parameters={"type": "object"})]),
        "In context=(), object schema missing properties.",
    ),
    (
        responses(USER, tools=[r_tool(strict=True)]),
        "In context=(), 'additionalProperties' is required to be supplied and to be false.",
    ),
]

CHAT: Cases = [
    ({"messages": [USER]}, "Missing required parameter: 'model'."),
    (chat(), "Invalid 'messages': empty array."),
    (chat(USER, tools=[]), "Invalid 'tools': empty array. Expected an array with minimum length 1"),
    (chat(USER, tool_choice="auto"), "'tool_choice' is only allowed when 'tools' are specified."),
    (
        chat(USER, c_calls("a", "b")),
        "The following tool_call_ids did not have response messages: a, b",
    ),
    (chat(USER, c_calls("a"), USER), "An assistant message with 'tool_calls' must be followed by"),
    (
        chat(USER, c_calls("a", "b"), c_result("a"), USER, c_result("b")),
        "The following tool_call_ids did not have response messages: b",
    ),
    (
        chat(USER, c_calls("a", "b"), c_result("b"), c_result("a")),
        "The following tool_call_ids did not have response messages: a",
    ),
    (chat(USER, c_result()), "messages with role 'tool' must be a response to a preceeding"),
    (
        chat(USER, c_calls("a"), c_result("a"), c_result("a")),
        "messages with role 'tool' must be a response to a preceeding",
    ),
    (
        chat(USER, c_calls("a"), c_result("x")),
        "'tool_call_id' of 'x' not found in 'tool_calls' of previous message.",
    ),
    (chat(USER, c_calls()), "Invalid 'messages[1].tool_calls': empty array."),
    (chat(USER, c_calls("x" * 65)), "Invalid 'messages[1].tool_calls[0].id': string too long."),
    (
        chat(USER, c_calls("a", arguments={})),
        "Invalid type for 'messages[1].tool_calls[0].function.arguments'",
    ),
    (chat(USER, c_calls("a"), c_result("a", None)), "expected a string, got null."),
    (chat({"role": "user", "content": None}), "expected a string, got null."),
    (chat({"role": "robot", "content": "hi"}), "Invalid value: 'robot'."),
    (chat(USER, tools=[c_tool("é")]), "Invalid 'tools[0].function.name': string does not match"),
    (chat(USER, tools=[c_tool(parameters=[])]), f"Invalid schema for function '{LOOKUP}'"),
    (
        chat(
            USER,
            tools=[c_tool(parameters={"type": "object", "properties": {"a": {"type": "array"}}})],
        ),
        "In context=('properties', 'a'), array schema missing items.",
    ),
    (
        chat(USER, tools=[c_tool(parameters={**STRICT, "required": ["key"]}, strict=True)]),
        "including every key in properties. Missing 'unit'.",
    ),
    (
        chat(
            USER,
            tools=[
                c_tool(
                    parameters={
                        **STRICT,
                        "properties": {"key": {"default": 1}},
                        "required": ["key"],
                    },
                    strict=True,
                )
            ],
        ),
        "In context=('properties', 'key'), 'default' is not permitted.",
    ),
]

ANTHROPIC: Cases = [
    ({"messages": [USER], "max_tokens": 9}, "model: Field required"),
    ({"messages": [USER], "model": "vitral-sim"}, "max_tokens: Field required"),
    (anthropic(), "messages: at least one message is required"),
    (anthropic(a_says(a_text())), 'messages: first message must use the "user" role'),
    (anthropic(USER, {"role": "system", "content": "x"}), 'messages: Unexpected role "system".'),
    (
        anthropic(USER, a_says(a_use("a"), a_use("b")), a_user(a_result("a"))),
        "messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: b.",
    ),
    (anthropic(USER, a_says(a_use())), "messages.1: `tool_use` ids were found without"),
    (anthropic(USER, a_says(a_use()), USER), "blocks immediately after: a."),
    (
        anthropic(USER, a_says(a_use()), a_user(a_text(), a_result())),
        "blocks immediately after: a.",
    ),
    (
        anthropic(USER, a_says(a_use("a"), a_use("b")), a_user(a_result("b"), a_result("a"))),
        "blocks immediately after: a, b.",
    ),
    (
        anthropic(USER, a_says(a_text()), a_user(a_result())),
        "messages.2.content.0: unexpected `tool_use_id` found in `tool_result` blocks: a.",
    ),
    (
        anthropic(USER, a_says(a_use()), a_user(a_result(), a_result())),
        "messages.2.content.1: each tool_use must have a single result.",
    ),
    (anthropic(USER, a_says(a_use(), a_use())), "messages.1.content.1: `tool_use` ids must be uni"),
    (
        anthropic(USER, a_says(a_use("functions.add:0"))),
        "messages.1.content.0.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'",
    ),
    (anthropic(USER, a_says(a_use(None))), "messages.1.content.0.tool_use.id: Field required"),
    (anthropic(USER, a_says(a_use(input="{}"))), "Input should be a valid dictionary"),
    (anthropic(USER, a_says(a_text("")), USER), "text content blocks must be non-empty"),
    (anthropic(USER, a_says(a_text(" \n")), USER), "must contain non-whitespace text"),
    (anthropic(USER, a_says(a_text("so: "))), "cannot end with trailing whitespace"),
    (anthropic(USER, a_says(), USER), "messages.1: all messages must have non-empty content"),
    (
        anthropic(USER, a_says({"type": "thinking", "thinking": "no", "signature": "x"}, a_text())),
        "messages.1.content.0: Invalid `signature` in `thinking` block",
    ),
    (anthropic(USER, tools=[{"name": LOOKUP}]), "tools.0.custom.input_schema: Field required"),
    (
        anthropic(USER, tools=[{"name": LOOKUP, "input_schema": {}}]),
        "tools.0.custom.input_schema.type: Input should be 'object'",
    ),
    (
        anthropic(USER, tools=[{"name": LOOKUP, "input_schema": schema()}] * 2),
        "tools: Tool names must be unique.",
    ),
    (
        anthropic(USER, thinking={"type": "enabled", "budget_tokens": 2048}),
        "`max_tokens` must be greater than `thinking.budget_tokens`.",
    ),
    (
        anthropic(USER, tools=[{"name": "no name", "input_schema": schema()}]),
        "tools.0.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'",
    ),
    (
        anthropic(USER, tools=[{"name": LOOKUP, "input_schema": {**schema(), "required": True}}]),
        "tools.0.custom.input_schema: JSON schema is invalid. It must match JSON Schema draft 2020",
    ),
    (
        anthropic(USER, a_says({"type": "redacted_thinking", "data": "x"}, a_text())),
        "messages.1.content.0: Invalid `data` in `redacted_thinking` block",
    ),
    (anthropic(USER, max_tokens=0), "max_tokens: Input should be greater than or equal to 1"),
    (
        anthropic(USER, tool_choice={"type": "any"}),
        "tool_choice: `tool_choice` may only be specified while providing `tools`.",
    ),
]

COUNT = "number of function response parts is equal to the number of function call parts"

GEMINI: Cases = [
    ({}, "contents is not specified"),
    (gemini(g_user()), "contents[0].parts: contents.parts must not be empty."),
    (gemini({"role": "tool", "parts": [{"text": "x"}]}), "Please use a valid role: user, model."),
    (gemini(G_HI, g_model(g_call())), COUNT),
    (gemini(G_HI, g_model(g_call()), G_HI), COUNT),
    (gemini(G_HI, g_model(g_call(), g_call()), g_user(g_result())), COUNT),
    (gemini(G_HI, g_model(g_call()), g_user(g_result(), g_result())), COUNT),
    (
        gemini(G_HI, g_model(g_call("a"), g_call("b")), g_user(g_result("b"), g_result("a"))),
        COUNT,
    ),
    (gemini(G_HI, g_model(g_call(id="x")), g_user(g_result(id="y"))), COUNT),
    (gemini(G_HI, g_user(g_result())), "function response turn comes immediately after"),
    (gemini(g_model(g_call())), "function call turn comes immediately after a user turn"),
    (
        gemini(G_HI, g_model(g_call()), g_user(g_result(response="170 cm"))),
        "Invalid value at 'contents[2].parts[0].function_response.response'",
    ),
    (gemini(G_HI, g_model(g_call(args="{}"))), "parts[0].function_call.args'"),
    (gemini(G_HI, tools=[{"functionDeclarations": [{"name": "9"}]}]), "Invalid function name."),
    (gemini(G_HI, tools=[{"functionDeclarations": []}]), "required one_of 'tool_type'"),
    (
        gemini(
            G_HI,
            tools=[
                {"functionDeclarations": [{"name": "f", "parameters": {"additionalProperties": 1}}]}
            ],
        ),
        'Unknown name "additionalProperties"',
    ),
    (
        gemini(G_HI, toolConfig={"functionCallingConfig": {"mode": "ANY"}}),
        "Function calling config is set without function_declarations.",
    ),
    (
        gemini(G_HI, tools=[{"functionDeclarations": [{"name": "f"}, {"name": "f"}]}]),
        "Duplicate function declaration found: f",
    ),
]

TABLES: tuple[Cases, ...] = (RESPONSES, CHAT, ANTHROPIC, GEMINI)
REFUSED = [
    pytest.param(dialect, body, words, id=f"{dialect}-{words[:60]}-{place}")
    for dialect, cases in zip(DIALECTS, TABLES, strict=True)
    for place, (body, words) in enumerate(cases)
]


@pytest.mark.parametrize(("dialect", "body", "words"), REFUSED)
def test_a_request_that_breaks_a_rule_is_refused_in_the_servers_words(
    dialect: str, body: dict[str, Any], words: str
) -> None:
    refused = answer(post(dialect, body))
    assert refused.status == 400
    assert words in refused.error["message"]


CODES = {
    "Missing required parameter": "missing_required_parameter",
    "Invalid type for": "invalid_type",
    "Invalid value: '": "invalid_value",
    "empty string.": "empty_string",
    "string too long.": "string_above_max_length",
    "string does not match pattern.": "invalid_value",
    "empty array.": "empty_array",
    "Invalid schema for function": "invalid_function_parameters",
    "could not be verified.": "invalid_encrypted_content",
}
"""What OpenAI's code says for words of its message; it has none for all others."""


@pytest.mark.parametrize(("dialect", "body", "words"), REFUSED)
def test_a_refusal_has_the_type_and_the_code_that_the_server_gives_it(
    dialect: str, body: dict[str, Any], words: str
) -> None:
    refused = answer(post(dialect, body))
    message = refused.error["message"]
    match dialect:
        case "anthropic":
            assert refused.json["type"] == "error"
            assert refused.error["type"] == "invalid_request_error"
        case "gemini":
            assert (refused.error["status"], refused.error["code"]) == ("INVALID_ARGUMENT", 400)
        case _:
            code = next((code for said, code in CODES.items() if said in message), None)
            assert (refused.error["type"], refused.error["code"]) == ("invalid_request_error", code)
            assert "param" in refused.error


ACCEPTED: list[tuple[str, dict[str, Any]]] = [
    ("openai-responses", responses(USER, r_call(), r_output(), USER)),
    (
        "openai-responses",
        responses(
            USER, r_call("a"), r_call("b"), r_output("a"), r_output("b"), r_call(), r_output()
        ),
    ),
    ("openai-chat", chat(USER, c_calls("a", "b"), c_result("a"), c_result("b"), USER)),
    ("openai-chat", chat(USER, c_calls("a"), c_result("a"), c_calls("a"), c_result("a"))),
    ("anthropic", anthropic(USER, a_says(a_text(), a_use()), a_user(a_result(), a_text()))),
    (
        "anthropic",
        anthropic(
            USER, a_says(a_use("a"), a_use("b")), a_user(a_result("a")), a_user(a_result("b"))
        ),
    ),
    ("gemini", gemini(G_HI, g_model(g_call(), g_call()), g_user(g_result(), g_result()), G_HI)),
    ("gemini", gemini(G_HI, g_model(g_call(id="x")), g_user(g_result(id="x")))),
    ("openai-responses", responses(USER, tools=[r_tool(parameters=STRICT, strict=True)])),
    ("openai-chat", chat(USER, tools=[c_tool(parameters=STRICT, strict=True)])),
    ("openai-chat", chat(USER, tools=[{"type": "function", "function": {"name": LOOKUP}}])),
]


@pytest.mark.parametrize(("dialect", "body"), ACCEPTED)
def test_a_request_that_keeps_the_rules_is_answered(dialect: str, body: dict[str, Any]) -> None:
    assert answer(post(dialect, body)).status == 200


SIGNED = "Function call is missing a thought_signature in functionCall parts."


@pytest.mark.parametrize(
    ("signature", "words"), [(None, SIGNED), ("bm9uZQ==", "Corrupted thought signature.")]
)
def test_a_newer_gemini_wants_its_own_signature_back(signature: str | None, words: str) -> None:
    part = {**g_call(), **({"thoughtSignature": signature} if signature else {})}
    request = post("gemini", gemini(G_HI, g_model(part), g_user(g_result())), model="gemini-3-sim")
    assert words in answer(request).error["message"]


def test_a_newer_gemini_takes_the_documented_signature_for_foreign_calls() -> None:
    part = {**g_call(), "thoughtSignature": "skip_thought_signature_validator"}
    request = post("gemini", gemini(G_HI, g_model(part), g_user(g_result())), model="gemini-3-sim")
    assert answer(request).status == 200


def test_anthropic_wants_a_version_header() -> None:
    request = post("anthropic", anthropic(USER))
    bare = WireRequest(request.method, request.url, {}, request.body)
    assert answer(bare).error["message"] == "anthropic-version: header is required"


@pytest.mark.parametrize(
    ("dialect", "status", "type_name", "code"),
    [
        ("openai-responses", "type", "invalid_request_error", "missing_required_parameter"),
        ("openai-chat", "type", "invalid_request_error", "missing_required_parameter"),
        ("anthropic", "type", "invalid_request_error", None),
        ("gemini", "status", "INVALID_ARGUMENT", 400),
    ],
)
def test_a_refusal_has_the_servers_type_and_code(
    dialect: str, status: str, type_name: str, code: object
) -> None:
    error = answer(post(dialect, {})).error
    assert (error[status], error.get("code")) == (type_name, code)


@pytest.mark.parametrize(
    ("dialect", "status", "words"),
    [
        ("openai-responses", 400, "The requested model 'nobody' does not exist."),
        ("openai-chat", 404, "The model `nobody` does not exist or you do not have access to it."),
        ("anthropic", 404, "model: nobody"),
        ("gemini", 404, "models/nobody is not found for API version v1beta"),
    ],
)
def test_an_unknown_model_is_not_found(dialect: str, status: int, words: str) -> None:
    refused = answer(post(dialect, question(dialect, "hi", model="nobody"), model="nobody"))
    assert refused.status == status
    assert words in refused.error["message"]


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("data", [b"", b"{", b"[]", b"\xff", b'{"model": "\\ud83d"}'])
def test_a_body_that_is_no_json_object_is_refused(dialect: str, data: bytes) -> None:
    request = post(dialect, {})
    refused = answer(WireRequest(request.method, request.url, request.headers, data))
    assert refused.status == 400
