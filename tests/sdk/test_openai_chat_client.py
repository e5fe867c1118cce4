"""OpenAI's own client believes the simulator's Chat Completions, and reads what we read."""

from __future__ import annotations

import json
from functools import cache
from typing import cast

import openai
import pytest
from openai.types.chat import (
    ChatCompletionMessage,
    ChatCompletionMessageParam,
    ChatCompletionToolParam,
)

from tests.sdk.lab import (
    DESCRIPTION,
    HEALTHY,
    KEY,
    KEYED,
    LOOKUP,
    ONE,
    PARAMETERS,
    RESULTS,
    TEXT,
    TWO,
    Lab,
    Said,
)

DIALECT = "openai-chat"
TOOL: ChatCompletionToolParam = {
    "type": "function",
    "function": {"name": LOOKUP, "description": DESCRIPTION, "parameters": PARAMETERS},
}
STRICT: ChatCompletionToolParam = {
    "type": "function",
    "function": {
        **TOOL["function"],
        "parameters": {**PARAMETERS, "additionalProperties": False},
        "strict": True,
    },
}
"""The streaming helper takes no other: it parses the arguments by the schema."""
MODELS = ("vitral-sim", "vitral-sim-thinking")


def client(lab: Lab, fault: str = HEALTHY, key: str = KEY) -> openai.OpenAI:
    return connected(lab.at(fault, "/v1"), key)


@cache
def connected(url: str, key: str) -> openai.OpenAI:
    """A client costs more to build than anything that it does here."""
    return openai.OpenAI(api_key=key, base_url=url, max_retries=0)


def user(text: str) -> list[ChatCompletionMessageParam]:
    return [{"role": "user", "content": text}]


def said(message: ChatCompletionMessage) -> Said:
    return Said(
        message.content or "",
        tuple(
            (call.id, call.function.name, json.loads(call.function.arguments))
            for call in message.tool_calls or []
            if call.type == "function"
        ),
    )


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("question", [TEXT, ONE, TWO])
def test_its_streaming_helper_reads_what_we_read(lab: Lab, model: str, question: str) -> None:
    with client(lab).chat.completions.stream(
        model=model, messages=user(question), tools=[STRICT]
    ) as stream:
        final = stream.get_final_completion()
    assert said(final.choices[0].message) == lab.ours(DIALECT)


def test_the_helper_tells_of_each_call_that_is_done(lab: Lab) -> None:
    with client(lab).chat.completions.stream(
        model=MODELS[0], messages=user(TWO), tools=[STRICT]
    ) as stream:
        done = [
            (event.name, json.loads(event.arguments))
            for event in stream
            if event.type == "tool_calls.function.arguments.done"
        ]
    assert done == [(name, args) for _, name, args in lab.ours(DIALECT).calls]


@pytest.mark.parametrize("question", [TEXT, ONE, TWO])
def test_chunks_end_with_the_usage(lab: Lab, question: str) -> None:
    *_, last = client(lab).chat.completions.create(
        model=MODELS[0],
        messages=user(question),
        tools=[TOOL],
        stream=True,
        stream_options={"include_usage": True},
    )
    assert last.usage is not None
    assert last.usage.total_tokens == last.usage.prompt_tokens + last.usage.completion_tokens


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("question", [TEXT, ONE, TWO])
def test_without_a_stream_it_is_the_same(lab: Lab, model: str, question: str) -> None:
    whole = client(lab).chat.completions.create(model=model, messages=user(question), tools=[TOOL])
    assert said(whole.choices[0].message) == lab.ours(DIALECT)


@pytest.mark.parametrize("model", MODELS)
def test_results_that_it_sends_back_are_answered(lab: Lab, model: str) -> None:
    messages = user(TWO)
    asked = client(lab).chat.completions.create(model=model, messages=messages, tools=[TOOL])
    message = asked.choices[0].message
    # What the client's documentation does, though its own types do not permit it.
    messages.append(cast("ChatCompletionMessageParam", message.to_dict()))
    for call_id, _, args in said(message).calls:
        content = RESULTS[args["key"]]
        messages.append({"role": "tool", "tool_call_id": call_id, "content": content})
    with client(lab).chat.completions.stream(
        model=model, messages=messages, tools=[STRICT]
    ) as stream:
        answer = stream.get_final_completion().choices[0].message.content or ""
    assert all(result in answer for result in RESULTS.values())


@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize(
    ("fault", "error"),
    [
        ("status-401", openai.AuthenticationError),
        ("status-404", openai.NotFoundError),
        ("status-429", openai.RateLimitError),
        ("status-500", openai.InternalServerError),
        ("status-529", openai.InternalServerError),
        ("overloaded", openai.InternalServerError),
        ("unreachable", openai.APIConnectionError),
    ],
)
def test_a_failure_is_its_own_exception(
    lab: Lab, fault: str, error: type[openai.OpenAIError], stream: bool
) -> None:
    with pytest.raises(error):
        client(lab, fault).chat.completions.create(
            model=MODELS[0], messages=user(TEXT), stream=stream
        )


def test_a_limit_says_how_long_to_wait(lab: Lab) -> None:
    with pytest.raises(openai.RateLimitError) as caught:
        client(lab, "status-429").chat.completions.create(model=MODELS[0], messages=user(TEXT))
    assert caught.value.response.headers["retry-after"] == "2"


def test_a_wrong_key_is_refused(lab: Lab) -> None:
    with pytest.raises(openai.AuthenticationError) as caught:
        client(lab, KEYED, "sk-wrong").chat.completions.create(model=MODELS[0], messages=user(TEXT))
    assert caught.value.code == "invalid_api_key"


def test_a_model_that_is_none_is_not_found(lab: Lab) -> None:
    with pytest.raises(openai.NotFoundError) as caught:
        client(lab).chat.completions.create(model="nothing", messages=user(TEXT))
    assert caught.value.code == "model_not_found"


def test_an_overload_inside_the_stream_is_raised(lab: Lab) -> None:
    stream = client(lab, "overloaded-mid-stream").chat.completions.create(
        model=MODELS[0], messages=user(TEXT), stream=True
    )
    with pytest.raises(openai.APIError, match="overloaded"):
        list(stream)


def test_a_connection_that_breaks_inside_the_stream_is_its_own_exception(lab: Lab) -> None:
    with pytest.raises(openai.APIConnectionError):
        list(
            client(lab, "reset-mid-stream").chat.completions.create(
                model=MODELS[0], messages=user(TEXT), stream=True
            )
        )
