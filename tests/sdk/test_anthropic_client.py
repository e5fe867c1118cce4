"""Anthropic's own client believes the simulator, and reads from it what we read."""

from __future__ import annotations

from functools import cache

import anthropic
import pytest
from anthropic.types import Message, MessageParam, ToolParam, ToolResultBlockParam

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

DIALECT = "anthropic"
TOOL: ToolParam = {"name": LOOKUP, "description": DESCRIPTION, "input_schema": PARAMETERS}
MODELS = ("vitral-sim", "vitral-sim-thinking")
LONG = 1000


def client(lab: Lab, fault: str = HEALTHY, key: str = KEY) -> anthropic.Anthropic:
    return connected(lab.at(fault), key)


@cache
def connected(url: str, key: str) -> anthropic.Anthropic:
    """A client costs more to build than anything that it does here."""
    return anthropic.Anthropic(api_key=key, base_url=url, max_retries=0)


def user(text: str) -> list[MessageParam]:
    return [{"role": "user", "content": text}]


def said(message: Message) -> Said:
    return Said(
        "".join(block.text for block in message.content if block.type == "text"),
        tuple(
            (block.id, block.name, dict(block.input))
            for block in message.content
            if block.type == "tool_use"
        ),
    )


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("question", [TEXT, ONE, TWO])
def test_its_streaming_helper_reads_what_we_read(lab: Lab, model: str, question: str) -> None:
    with client(lab).messages.stream(
        model=model, max_tokens=LONG, messages=user(question), tools=[TOOL]
    ) as stream:
        final = stream.get_final_message()
    assert said(final) == lab.ours(DIALECT)


@pytest.mark.parametrize("question", [TEXT, TWO])
def test_the_pieces_of_its_helper_join_to_the_whole(lab: Lab, question: str) -> None:
    texts: list[str] = []
    snapshots: dict[int, object] = {}
    with client(lab).messages.stream(
        model=MODELS[0], max_tokens=LONG, messages=user(question), tools=[TOOL]
    ) as stream:
        block = 0
        for event in stream:
            if event.type == "text":
                texts.append(event.text)
            elif event.type == "content_block_start":
                block = event.index
            elif event.type == "input_json":
                snapshots[block] = event.snapshot
    ours = lab.ours(DIALECT)
    assert "".join(texts) == ours.text
    assert list(snapshots.values()) == [args for _, _, args in ours.calls]


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("question", [TEXT, ONE, TWO])
def test_without_a_stream_it_is_the_same(lab: Lab, model: str, question: str) -> None:
    message = client(lab).messages.create(
        model=model, max_tokens=LONG, messages=user(question), tools=[TOOL]
    )
    assert said(message) == lab.ours(DIALECT)


@pytest.mark.parametrize("model", MODELS)
def test_results_that_it_sends_back_are_answered(lab: Lab, model: str) -> None:
    messages = user(TWO)
    with client(lab).messages.stream(
        model=model, max_tokens=LONG, messages=messages, tools=[TOOL]
    ) as stream:
        asked = stream.get_final_message()
    results: list[ToolResultBlockParam] = [
        {"type": "tool_result", "tool_use_id": call_id, "content": RESULTS[args["key"]]}
        for call_id, _, args in said(asked).calls
    ]
    messages += [
        {"role": "assistant", "content": asked.content},
        {"role": "user", "content": results},
    ]
    with client(lab).messages.stream(
        model=model, max_tokens=LONG, messages=messages, tools=[TOOL]
    ) as stream:
        answer = stream.get_final_text()
    assert all(result in answer for result in RESULTS.values())


@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize(
    ("fault", "error"),
    [
        ("status-401", anthropic.AuthenticationError),
        ("status-404", anthropic.NotFoundError),
        ("status-429", anthropic.RateLimitError),
        ("status-500", anthropic.InternalServerError),
        ("unreachable", anthropic.APIConnectionError),
    ],
)
def test_a_failure_is_its_own_exception(
    lab: Lab, fault: str, error: type[anthropic.AnthropicError], stream: bool
) -> None:
    with pytest.raises(error):
        client(lab, fault).messages.create(
            model=MODELS[0], max_tokens=LONG, messages=user(TEXT), stream=stream
        )


def test_an_overload_is_its_529(lab: Lab) -> None:
    with pytest.raises(anthropic.InternalServerError) as caught:
        client(lab, "overloaded").messages.create(
            model=MODELS[0], max_tokens=LONG, messages=user(TEXT)
        )
    assert caught.value.status_code == 529
    assert caught.value.request_id


def test_a_limit_says_how_long_to_wait(lab: Lab) -> None:
    with pytest.raises(anthropic.RateLimitError) as caught:
        client(lab, "status-429").messages.create(
            model=MODELS[0], max_tokens=LONG, messages=user(TEXT)
        )
    assert caught.value.response.headers["retry-after"] == "2"


def test_a_wrong_key_is_refused(lab: Lab) -> None:
    with pytest.raises(anthropic.AuthenticationError, match="invalid x-api-key"):
        client(lab, KEYED, "sk-wrong").messages.create(
            model=MODELS[0], max_tokens=LONG, messages=user(TEXT)
        )


def test_a_model_that_is_none_is_not_found(lab: Lab) -> None:
    with pytest.raises(anthropic.NotFoundError):
        client(lab).messages.create(model="nothing", max_tokens=LONG, messages=user(TEXT))


def test_an_overload_inside_the_stream_is_raised(lab: Lab) -> None:
    with (
        pytest.raises(anthropic.APIStatusError, match="Overloaded"),
        client(lab, "overloaded-mid-stream").messages.stream(
            model=MODELS[0], max_tokens=LONG, messages=user(TEXT)
        ) as stream,
    ):
        stream.until_done()


def test_a_connection_that_breaks_inside_the_stream_leaves_no_message(lab: Lab) -> None:
    with (
        # Not wrapped: it is the exception of the client's own HTTP library.
        pytest.raises(Exception, match="peer closed connection"),
        client(lab, "reset-mid-stream").messages.stream(
            model=MODELS[0], max_tokens=LONG, messages=user(TEXT)
        ) as stream,
    ):
        stream.until_done()


def test_it_lists_the_models(lab: Lab) -> None:
    assert set(MODELS) <= {model.id for model in client(lab).models.list()}
