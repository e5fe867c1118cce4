"""What is asked instead, when a server wants a signature that a turn does not have."""

from __future__ import annotations

import json

import pytest

from providers.dialects import dialect
from providers.exchange import WireRequest, WireResponse
from providers.failures import FailureKind
from providers.history import AssistantTurn, Origin, ToolTurn, Turn, UserTurn
from providers.parts import Part, Stopped, StreamFailed
from providers.provider import Provider
from providers.request import Request
from providers.transport import Transport
from tests.talking import answering
from tools.call import JsonObject, ToolCall, ToolResult

MODEL = "gemini-3-pro"
REFUSED = b'{"error":{"code":400,"message":"Function call is missing a thought_signature"}}'
ANSWER = (
    b'data: {"candidates":[{"content":{"parts":[{"text":"70"}]},"finishReason":"STOP"}]}\r\n\r\n'
)
SIGNED = {"functionCall": {"name": "weigh", "args": {}}, "thoughtSignature": "old"}


def turns(model: str, name: str, native: tuple[JsonObject, ...] = ()) -> list[Turn]:
    """A call of that model and its result."""
    called = ToolCall(name, {"unit": "kg"}, "google", f"call_{name}")
    origin = Origin("google", "gemini", model)
    return [
        AssistantTurn(("I look.", called), origin, native=native),
        ToolTurn((ToolResult(called.call_id, name, output=70),)),
    ]


class Server:
    """Refuses each body that holds a word; keeps all bodies."""

    def __init__(self, *refused: str) -> None:
        self.refused = refused
        self.bodies: list[str] = []

    async def __call__(self, request: WireRequest) -> WireResponse:
        self.bodies.append(request.body.decode())
        if any(word in self.bodies[-1] for word in self.refused):
            return await answering(REFUSED, status=400)(request)
        return await answering(ANSWER)(request)

    @property
    def provider(self) -> Provider:
        return Provider(
            id="google",
            title="Google",
            dialect=dialect("gemini"),
            base_url="http://provider.invalid",
            model=MODEL,
            transport=Transport(handler=self),
        )


async def said(server: Server, *history: Turn) -> Part:
    """The last part of what the server says."""
    request = Request(MODEL, (UserTurn("How heavy?"), *history))
    parts = [part async for read in server.provider.stream(request) for part in read.parts]
    return parts[-1]


async def test_a_turn_of_another_model_is_told_as_text_when_its_signature_is_refused() -> None:
    server = Server("skip_thought_signature_validator")
    assert isinstance(await said(server, *turns("other", "weigh")), Stopped)
    _, body = server.bodies
    assert "functionCall" not in body
    assert "functionResponse" not in body
    told = json.dumps([content["parts"] for content in json.loads(body)["contents"]])
    assert 'Called weigh with {\\"unit\\": \\"kg\\"}' in told
    assert "Result of weigh: 70" in told


async def test_a_turn_of_its_own_stays_when_another_models_is_to_blame() -> None:
    server = Server("skip_thought_signature_validator")
    history = [*turns("other", "measure"), *turns(MODEL, "weigh", (SIGNED,))]
    await said(server, *history)
    assert SIGNED in [
        part for content in json.loads(server.bodies[-1])["contents"] for part in content["parts"]
    ]


async def test_a_signature_of_its_own_that_is_refused_is_left_out() -> None:
    server = Server('"old"')
    assert isinstance(await said(server, *turns(MODEL, "weigh", (SIGNED,))), Stopped)


@pytest.mark.parametrize("history", [[], turns("other", "weigh")])
async def test_a_server_that_refuses_all_is_asked_at_most_twice(history: list[Turn]) -> None:
    server = Server("contents")
    last = await said(server, *history)
    assert isinstance(last, StreamFailed)
    assert last.failure.kind is FailureKind.BAD_REQUEST
    assert len(server.bodies) == (2 if history else 1)
