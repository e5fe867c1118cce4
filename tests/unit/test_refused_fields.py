"""A field that a server refuses by name is dropped, and the server asked again."""

from __future__ import annotations

import json

from providers.exchange import Handler, WireRequest, WireResponse
from providers.failures import Failure, FailureKind
from providers.parts import Stop, Stopped
from providers.refused_fields import RefusedFields, refused_field, without
from tests.talking import answering, failure_heard, parts_heard, provider_at
from tools.call import JsonObject

URL = "http://odd.invalid"
STOPPED = [Stopped(Stop.END, "end")]


def refusing(name: str, bodies: list[JsonObject], status: int = 400) -> Handler:
    """A server that refuses one field by its name and writes down what it was sent."""

    async def handle(request: WireRequest) -> WireResponse:
        bodies.append(json.loads(request.body))
        if f'"{name}"'.encode() not in request.body:
            return await answering(b"end\n")(request)
        refusal = json.dumps({"error": {"message": f"Unknown parameter: '{name}'."}})
        return await answering(refusal.encode(), status=status)(request)

    return handle


async def test_a_refused_field_is_dropped_and_the_server_asked_once_more() -> None:
    bodies: list[JsonObject] = []
    provider = provider_at(
        URL,
        handler=refusing("stream_options", bodies),
        body={"model": "m", "stream_options": {"include_usage": True}},
    )
    assert await parts_heard(provider) == STOPPED
    assert bodies[1:] == [{"model": "m"}]


async def test_a_refused_field_of_the_tools_is_dropped_from_each() -> None:
    bodies: list[JsonObject] = []
    tools = [{"name": name, "eager_input_streaming": True} for name in "ab"]
    provider = provider_at(
        URL, handler=refusing("eager_input_streaming", bodies, 422), body={"tools": tools}
    )
    assert await parts_heard(provider) == STOPPED
    assert bodies[1] == {"tools": [{"name": "a"}, {"name": "b"}]}


async def test_what_was_refused_is_remembered_for_the_run() -> None:
    bodies: list[JsonObject] = []
    memory = RefusedFields()
    for _ in range(2):
        provider = provider_at(
            URL,
            handler=refusing("stream_options", bodies),
            body={"stream_options": {}},
            refused=memory,
        )
        await parts_heard(provider)
    assert bodies == [{"stream_options": {}}, {}, {}]


async def test_a_refusal_that_goes_on_is_the_failure_and_nothing_is_remembered() -> None:
    memory = RefusedFields()
    refusal = b'{"error": {"message": "stream_options and all else is wrong"}}'
    provider = provider_at(
        URL,
        handler=answering(refusal, status=400),
        body={"stream_options": {}},
        refused=memory,
    )
    assert (await failure_heard(provider)).kind is FailureKind.BAD_REQUEST
    assert memory.known(URL) == frozenset()


def refusal(message: str, status: int = 400) -> Failure:
    return Failure(FailureKind.BAD_REQUEST, False, status=status, message=message)


def test_a_plain_word_counts_only_in_quotes() -> None:
    body = {"include": ["x"]}
    assert refused_field(refusal("messages must include a user turn"), body) is None
    assert refused_field(refusal("Unsupported parameter: 'include'"), body) == "include"


def test_a_field_that_was_not_sent_is_not_the_reason() -> None:
    assert refused_field(refusal("bad stream_options"), {"model": "m"}) is None


def test_only_a_bad_request_names_a_refused_field() -> None:
    assert refused_field(refusal("stream_options", status=500), {"stream_options": {}}) is None


def test_a_tools_own_schema_is_never_touched() -> None:
    tool = {"name": "f", "parameters": {"properties": {"include": {"type": "string"}}}}
    assert without({"tools": [tool], "include": []}, {"include"}) == {"tools": [tool]}
