"""Google's own client believes the simulator, and reads from it what we read."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

import pytest
from google import genai
from google.genai import errors, types

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

DIALECT = "gemini"
TOOL = types.Tool(
    function_declarations=[
        types.FunctionDeclaration(
            name=LOOKUP, description=DESCRIPTION, parameters_json_schema=PARAMETERS
        )
    ]
)
CONFIG = types.GenerateContentConfig(
    tools=[TOOL],
    automatic_function_calling=types.AutomaticFunctionCallingConfig(disable=True),
)
WITHOUT_IDS = ("vitral-sim", "vitral-sim-thinking")
WITH_IDS = ("gemini-3-sim", "gemini-3-sim-thinking")


def client(lab: Lab, fault: str = HEALTHY, key: str = KEY) -> genai.Client:
    return connected(lab.at(fault), key)


@cache
def connected(url: str, key: str) -> genai.Client:
    """A client costs more to build than anything that it does here."""
    return genai.Client(api_key=key, http_options=types.HttpOptions(base_url=url))


def user(text: str) -> types.Content:
    return types.Content(role="user", parts=[types.Part(text=text)])


def parts_of(responses: Iterable[types.GenerateContentResponse]) -> list[types.Part]:
    return [
        part
        for response in responses
        for candidate in response.candidates or []
        if candidate.content is not None
        for part in candidate.content.parts or []
    ]


def said(parts: list[types.Part]) -> Said:
    calls = [part.function_call for part in parts if part.function_call is not None]
    return Said(
        "".join(part.text or "" for part in parts if not part.thought),
        tuple((call.id or "", call.name or "", call.args or {}) for call in calls),
    )


def without_made_ids(said: Said, model: str) -> Said:
    """Where the server sends no ids we make our own; the client leaves them out."""
    if model in WITH_IDS:
        return said
    return Said(said.text, tuple(("", name, args) for _, name, args in said.calls))


@pytest.mark.parametrize("model", [*WITHOUT_IDS, *WITH_IDS])
@pytest.mark.parametrize("question", [TEXT, ONE, TWO])
def test_its_stream_reads_what_we_read(lab: Lab, model: str, question: str) -> None:
    stream = client(lab).models.generate_content_stream(
        model=model, contents=question, config=CONFIG
    )
    theirs = said(parts_of(stream))
    assert theirs == without_made_ids(lab.ours(DIALECT), model)


@pytest.mark.parametrize("model", [*WITHOUT_IDS, *WITH_IDS])
@pytest.mark.parametrize("question", [TEXT, ONE, TWO])
def test_without_a_stream_it_is_the_same(lab: Lab, model: str, question: str) -> None:
    whole = client(lab).models.generate_content(model=model, contents=question, config=CONFIG)
    assert said(parts_of([whole])) == without_made_ids(lab.ours(DIALECT), model)


@pytest.mark.parametrize("model", [*WITHOUT_IDS, *WITH_IDS])
def test_results_that_it_sends_back_are_answered(lab: Lab, model: str) -> None:
    asked = client(lab).models.generate_content(model=model, contents=TWO, config=CONFIG)
    turn = (asked.candidates or [])[0].content
    assert turn is not None
    given = [
        types.Part(
            function_response=types.FunctionResponse(
                id=call.id, name=call.name, response={"output": RESULTS[(call.args or {})["key"]]}
            )
        )
        for call in asked.function_calls or []
    ]
    history = [user(TWO), turn, types.Content(role="user", parts=given)]
    answer = client(lab).models.generate_content(model=model, contents=history, config=CONFIG)
    assert all(result in (answer.text or "") for result in RESULTS.values())


@pytest.mark.parametrize(
    ("fault", "error", "code"),
    [
        ("status-401", errors.ClientError, 401),
        ("status-404", errors.ClientError, 404),
        ("status-429", errors.ClientError, 429),
        ("status-500", errors.ServerError, 500),
        ("status-529", errors.ServerError, 529),
        ("overloaded", errors.ServerError, 503),
    ],
)
def test_a_failure_is_its_own_exception(
    lab: Lab, fault: str, error: type[errors.APIError], code: int
) -> None:
    with pytest.raises(error) as caught:
        client(lab, fault).models.generate_content(model=WITHOUT_IDS[0], contents=TEXT)
    assert caught.value.code == code


@pytest.mark.parametrize(
    ("fault", "error"), [("status-429", errors.ClientError), ("status-500", errors.ServerError)]
)
def test_a_stream_that_is_refused_raises_it_too(
    lab: Lab, fault: str, error: type[errors.APIError]
) -> None:
    stream = client(lab, fault).models.generate_content_stream(model=WITHOUT_IDS[0], contents=TEXT)
    with pytest.raises(error):
        list(stream)


def test_a_limit_says_how_long_to_wait(lab: Lab) -> None:
    with pytest.raises(errors.ClientError) as caught:
        client(lab, "status-429").models.generate_content(model=WITHOUT_IDS[0], contents=TEXT)
    details = caught.value.details["error"]["details"]
    assert [detail["retryDelay"] for detail in details] == ["2s"]


def test_a_wrong_key_is_a_bad_request(lab: Lab) -> None:
    with pytest.raises(errors.ClientError, match="API key not valid") as caught:
        client(lab, KEYED, "wrong").models.generate_content(model=WITHOUT_IDS[0], contents=TEXT)
    assert caught.value.code == 400


def test_a_model_that_is_none_is_not_found(lab: Lab) -> None:
    with pytest.raises(errors.ClientError) as caught:
        client(lab).models.generate_content(model="nothing", contents=TEXT)
    assert caught.value.code == 404


def test_a_missing_signature_is_refused(lab: Lab) -> None:
    call = types.Part(function_call=types.FunctionCall(name=LOOKUP, args={"key": "height"}))
    given = types.Part(
        function_response=types.FunctionResponse(name=LOOKUP, response={"output": "170 cm"})
    )
    history = [
        user(ONE),
        types.Content(role="model", parts=[call]),
        types.Content(role="user", parts=[given]),
    ]
    with pytest.raises(errors.ClientError, match="thought_signature"):
        client(lab).models.generate_content(model=WITH_IDS[0], contents=history, config=CONFIG)


def test_an_overload_inside_the_stream_is_raised(lab: Lab) -> None:
    stream = client(lab, "overloaded-mid-stream").models.generate_content_stream(
        model=WITHOUT_IDS[0], contents=TEXT
    )
    with pytest.raises(errors.ServerError):
        list(stream)


def test_a_connection_that_breaks_inside_the_stream_is_told(lab: Lab) -> None:
    stream = client(lab, "reset-mid-stream").models.generate_content_stream(
        model=WITHOUT_IDS[0], contents=TEXT
    )
    # Not wrapped: it is the exception of the client's own HTTP library.
    with pytest.raises(Exception, match="peer closed connection"):
        list(stream)


def test_it_lists_the_models(lab: Lab) -> None:
    listed = {model.name for model in client(lab).models.list()}
    assert {f"models/{name}" for name in WITHOUT_IDS} <= listed
