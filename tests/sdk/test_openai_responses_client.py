"""OpenAI's own client believes the simulator's Responses, and reads from it what we read."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from typing import cast

import openai
import pytest
from openai.types.responses import FunctionToolParam, Response, ResponseInputParam
from openai.types.responses.response_input_param import FunctionCallOutput

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

DIALECT = "openai-responses"
TOOL = FunctionToolParam(
    type="function", name=LOOKUP, description=DESCRIPTION, parameters=PARAMETERS, strict=False
)
MODELS = ("vitral-sim", "vitral-sim-thinking")


def client(lab: Lab, fault: str = HEALTHY, key: str = KEY) -> openai.OpenAI:
    return connected(lab.at(fault, "/v1"), key)


@cache
def connected(url: str, key: str) -> openai.OpenAI:
    """A client costs more to build than anything that it does here."""
    return openai.OpenAI(api_key=key, base_url=url, max_retries=0)


def said(response: Response) -> Said:
    return Said(
        response.output_text,
        tuple(
            (item.call_id, item.name, json.loads(item.arguments))
            for item in response.output
            if item.type == "function_call"
        ),
    )


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("question", [TEXT, ONE, TWO])
def test_its_streaming_helper_reads_what_we_read(lab: Lab, model: str, question: str) -> None:
    with client(lab).responses.stream(model=model, input=question, tools=[TOOL]) as stream:
        final = stream.get_final_response()
    assert said(final) == lab.ours(DIALECT)


@pytest.mark.parametrize("question", [TEXT, TWO])
def test_the_deltas_of_its_helper_join_to_the_whole(lab: Lab, question: str) -> None:
    texts, arguments = [], []
    with client(lab).responses.stream(model=MODELS[0], input=question, tools=[TOOL]) as stream:
        for event in stream:
            if event.type == "response.output_text.delta":
                texts.append(event.delta)
                assert event.snapshot == "".join(texts)
            elif event.type == "response.function_call_arguments.done":
                arguments.append(json.loads(event.arguments))
    ours = lab.ours(DIALECT)
    assert "".join(texts) == ours.text
    assert arguments == [args for _, _, args in ours.calls]


@pytest.mark.parametrize("question", [TEXT, ONE, TWO])
def test_a_plain_stream_ends_with_the_whole_response(lab: Lab, question: str) -> None:
    stream = client(lab).responses.create(
        model=MODELS[0], input=question, tools=[TOOL], stream=True
    )
    *_, last = stream
    assert last.type == "response.completed"
    assert said(last.response) == lab.ours(DIALECT)


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("question", [TEXT, ONE, TWO])
def test_without_a_stream_it_is_the_same(lab: Lab, model: str, question: str) -> None:
    response = client(lab).responses.create(model=model, input=question, tools=[TOOL])
    assert said(response) == lab.ours(DIALECT)


@pytest.mark.parametrize("model", MODELS)
def test_results_that_it_sends_back_are_answered(lab: Lab, model: str) -> None:
    history: ResponseInputParam = [{"role": "user", "content": TWO}]
    asked = client(lab).responses.create(model=model, input=history, tools=[TOOL])
    # What the client's documentation does, though its own types do not permit it.
    history += cast("ResponseInputParam", [item.to_dict() for item in asked.output])
    history += list(results(said(asked)))
    with client(lab).responses.stream(model=model, input=history, tools=[TOOL]) as stream:
        final = stream.get_final_response()
    assert all(result in final.output_text for result in RESULTS.values())


def results(
    asked: Said,
) -> Iterator[FunctionCallOutput]:
    for call_id, _, args in asked.calls:
        output = RESULTS[args["key"]]
        yield {"type": "function_call_output", "call_id": call_id, "output": output}


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
        client(lab, fault).responses.create(model=MODELS[0], input=TEXT, stream=stream)


def test_a_limit_says_how_long_to_wait(lab: Lab) -> None:
    with pytest.raises(openai.RateLimitError) as caught:
        client(lab, "status-429").responses.create(model=MODELS[0], input=TEXT)
    assert caught.value.response.headers["retry-after"] == "2"
    assert caught.value.code == "rate_limit_exceeded"


def test_it_waits_as_told_and_asks_again(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float] = []
    monkeypatch.setattr("time.sleep", waits.append)
    with pytest.raises(openai.RateLimitError):
        client(lab, "status-429").with_options(max_retries=1).responses.create(
            model=MODELS[0], input=TEXT
        )
    assert waits == [2.0]


def test_a_wrong_key_is_refused(lab: Lab) -> None:
    with pytest.raises(openai.AuthenticationError) as caught:
        client(lab, KEYED, "sk-wrong").responses.create(model=MODELS[0], input=TEXT)
    assert caught.value.code == "invalid_api_key"


def test_a_model_that_is_none_is_refused(lab: Lab) -> None:
    with pytest.raises(openai.BadRequestError) as caught:
        client(lab).responses.create(model="nothing", input=TEXT)
    assert caught.value.code == "model_not_found"


def test_an_overload_inside_the_stream_is_raised(lab: Lab) -> None:
    with (
        pytest.raises(openai.APIError, match="overloaded"),
        client(lab, "overloaded-mid-stream").responses.stream(
            model=MODELS[0], input=TEXT
        ) as stream,
    ):
        stream.until_done()


def test_it_lists_the_models(lab: Lab) -> None:
    assert set(MODELS) <= {model.id for model in client(lab).models.list()}


def test_a_connection_that_breaks_inside_the_stream_is_its_own_exception(lab: Lab) -> None:
    with pytest.raises(openai.APIConnectionError):
        list(
            client(lab, "reset-mid-stream").responses.create(
                model=MODELS[0], input=TEXT, stream=True
            )
        )
