"""What does a request ask for, and in which dialect? Its address and its body tell."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from urllib.parse import urlsplit

from providers.exchange import WireRequest
from tools.call import JsonObject

_ENDINGS: Mapping[str, str] = {
    "/responses": "openai-responses",
    "/chat/completions": "openai-chat",
    "/messages": "anthropic",
    "GenerateContent": "gemini",
    ":generateContent": "gemini",
}


def dialect_of(request: WireRequest) -> str:
    """The dialect of an address; lists of models are told apart by their headers."""
    path = urlsplit(request.url).path.rstrip("/")
    for ending, dialect in _ENDINGS.items():
        if path.endswith(ending):
            return dialect
    names = {name.lower() for name in request.headers}
    if "/v1beta" in path or "x-goog-api-key" in names:
        return "gemini"
    return "anthropic" if "anthropic-version" in names else "openai-chat"


def unstreamed(request: WireRequest) -> WireRequest:
    """The same request for an answer in one piece."""
    url = request.url.replace(":streamGenerateContent", ":generateContent").replace("?alt=sse", "")
    body = _object(request.body)
    if "stream" in body:
        body["stream"] = False
        body.pop("stream_options", None)
    return replace(request, url=url, body=json.dumps(body).encode())


def brings_results(request: WireRequest, dialect: str) -> bool:
    """Whether the newest thing in the request is the result of a call."""
    body = _object(request.body)
    match dialect:
        case "openai-responses":
            return _last(body, "input").get("type") == "function_call_output"
        case "openai-chat":
            return _last(body, "messages").get("role") == "tool"
        case "anthropic":
            return _last(_last(body, "messages"), "content").get("type") == "tool_result"
        case _:
            return "functionResponse" in _last(_last(body, "contents"), "parts")


def _last(holder: JsonObject, name: str) -> JsonObject:
    values = holder.get(name)
    last = values[-1] if isinstance(values, list) and values else None
    return last if isinstance(last, dict) else {}


def _object(data: bytes) -> JsonObject:
    try:
        value = json.loads(data)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}
