"""Which dialect, model and manner of answer does an address ask for?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import parse_qs, unquote, urlsplit

from providers.simulator.anthropic import AnthropicVoice
from providers.simulator.chat import ChatVoice
from providers.simulator.gemini import GeminiVoice
from providers.simulator.responses import ResponsesVoice
from providers.simulator.voice import Voice

RESPONSES, CHAT, ANTHROPIC, GEMINI = (
    ResponsesVoice(),
    ChatVoice(),
    AnthropicVoice(),
    GeminiVoice(),
)
_PATHS: Mapping[str, Voice] = {
    "/responses": RESPONSES,
    "/chat/completions": CHAT,
    "/messages": ANTHROPIC,
}


@dataclass(frozen=True, slots=True)
class Route:
    """Where a request goes. `model` and `stream` are None where the body says them; `as_array`
    is Gemini's way to stream without server-sent events."""

    voice: Voice
    lists_models: bool = False
    model: str | None = None
    stream: bool | None = None
    as_array: bool = False


def find_route(method: str, url: str, headers: Mapping[str, str]) -> Route | None:
    """The route of a request; None when no server would know the address."""
    parts = urlsplit(url)
    path = parts.path.rstrip("/")
    if method == "GET" and path.endswith("/models"):
        return Route(_voice_of_list(path, headers), lists_models=True)
    if method != "POST":
        return None
    for ending, voice in _PATHS.items():
        if path.endswith(ending):
            return Route(voice)
    name, _, action = path.rpartition("/")[2].partition(":")
    if "/models/" not in path or action not in ("streamGenerateContent", "generateContent"):
        return None
    stream = action == "streamGenerateContent"
    as_array = stream and parse_qs(parts.query).get("alt") != ["sse"]
    return Route(GEMINI, model=unquote(name), stream=stream, as_array=as_array)


def _voice_of_list(path: str, headers: Mapping[str, str]) -> Voice:
    if "/v1beta" in path or "x-goog-api-key" in headers:
        return GEMINI
    return ANTHROPIC if "anthropic-version" in headers else CHAT
