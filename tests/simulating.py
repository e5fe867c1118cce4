"""Small writers for the tests of the simulator: requests in each dialect, answers as bytes."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from providers.exchange import WireRequest
from providers.simulator import DEFAULT_MODEL, Simulator
from tools.call import JsonObject

DIALECTS = ("openai-responses", "openai-chat", "anthropic", "gemini")
LOOKUP = "lookup_demo_value"
_PATHS = {
    "openai-responses": "/v1/responses",
    "openai-chat": "/v1/chat/completions",
    "anthropic": "/v1/messages",
}


@dataclass(frozen=True, slots=True)
class Answer:
    """A whole response."""

    status: int
    headers: dict[str, str]
    reads: tuple[bytes, ...]

    @property
    def body(self) -> bytes:
        return b"".join(self.reads)

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def error(self) -> JsonObject:
        error: JsonObject = self.json["error"]
        return error

    @property
    def events(self) -> list[tuple[str, Any]]:
        """Name and data of each event; data is JSON where it is JSON."""
        events = []
        for block in self.body.decode().replace("\r\n", "\n").split("\n\n"):
            fields = dict(line.split(": ", 1) for line in block.splitlines())
            if "data" in fields:
                data = fields["data"]
                events.append(
                    (fields.get("event", ""), data if data[0] != "{" else json.loads(data))
                )
        return events


def schema(*names: str) -> JsonObject:
    """An object schema with texts of these names, all required."""
    return {
        "type": "object",
        "properties": {name: {"type": "string"} for name in names},
        "required": list(names),
    }


def question(
    dialect: str, text: str, *tools: str, stream: bool = True, model: str = DEFAULT_MODEL
) -> JsonObject:
    """The body of one question, with tools on offer."""
    body: JsonObject
    match dialect:
        case "openai-responses":
            body = {"model": model, "input": text, "stream": stream}
            offered: list[JsonObject] = [
                {"type": "function", "name": name, "parameters": schema("key")} for name in tools
            ]
        case "openai-chat":
            body = {"model": model, "messages": [{"role": "user", "content": text}]}
            body |= {"stream": stream, "stream_options": {"include_usage": True}}
            offered = [
                {"type": "function", "function": {"name": name, "parameters": schema("key")}}
                for name in tools
            ]
        case "anthropic":
            body = {"model": model, "messages": [{"role": "user", "content": text}]}
            body |= {"stream": stream, "max_tokens": 1000}
            offered = [{"name": name, "input_schema": schema("key")} for name in tools]
        case _:
            body = {"contents": [{"role": "user", "parts": [{"text": text}]}]}
            declared = [{"name": name, "parametersJsonSchema": schema("key")} for name in tools]
            offered = [{"functionDeclarations": declared}] if declared else []
    return {**body, "tools": offered} if offered else body


def post(
    dialect: str,
    body: JsonObject,
    *,
    stream: bool = True,
    model: str = DEFAULT_MODEL,
    headers: Mapping[str, str] | None = None,
) -> WireRequest:
    """A request to the simulator. `model` and `stream` matter only for Gemini's address."""
    action = "streamGenerateContent?alt=sse" if stream else "generateContent"
    path = _PATHS.get(dialect, f"/v1beta/models/{model}:{action}")
    named = {"anthropic-version": "2023-06-01"} if dialect == "anthropic" else {}
    named |= headers or {}
    return WireRequest("POST", f"http://simulator.invalid{path}", named, json.dumps(body).encode())


async def read_answer(simulator: Simulator, request: WireRequest) -> Answer:
    """The whole response to a request."""
    response = await simulator.handle(request)
    reads = [data async for data in response.body]
    return Answer(response.status, dict(response.headers), tuple(reads))


def answer(request: WireRequest, simulator: Simulator | None = None) -> Answer:
    """The same for tests that are not asynchronous; without delays unless a simulator is given."""
    return asyncio.run(read_answer(simulator or Simulator(speed=0), request))


def asked(dialect: str, text: str, *tools: str, model: str = DEFAULT_MODEL) -> Answer:
    """The streamed answer to one question."""
    return answer(post(dialect, question(dialect, text, *tools, model=model), model=model))
