"""Which models does a provider say that it has? One request, whatever the dialect."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from datetime import UTC, datetime
from types import MappingProxyType

from providers.exchange import WireRequest
from providers.failures import Failure, failure_of_response, protocol
from providers.json_text import parse
from providers.provider import Provider, join
from providers.shapes import objects_in, text_in
from providers.transport import ConnectionFailed

LIST_LIMIT = 16 * 1024 * 1024
"""Bytes of a list that are read: the longest known one is a tenth of it."""

_PATHS: Mapping[str, str] = MappingProxyType(
    {
        "openai-responses": "/models",
        "openai-chat": "/models",
        "anthropic": "/v1/models",
        "gemini": "/v1beta/models",
    }
)
_VERSION: Mapping[str, str] = MappingProxyType({"anthropic-version": "2023-06-01"})


async def list_models(provider: Provider) -> tuple[str, ...] | Failure:
    """The names of the models, as requests name them; a failure is a value here too."""
    dialect = provider.dialect.id
    try:
        async with provider.transport.open(_request(provider)) as response:
            body = await _read(response.body)
    except ConnectionFailed as failed:
        return failed.failure
    if not 200 <= response.status < 300:
        return failure_of_response(
            dialect, response.status, response.headers, body, datetime.now(UTC)
        )
    return _names(body)


def _request(provider: Provider) -> WireRequest:
    dialect = provider.dialect
    headers = {"accept": "application/json"}
    headers |= _VERSION if dialect.id == "anthropic" else {}
    headers |= {name.lower(): value for name, value in provider.headers.items()}
    if provider.key:
        name, value = dialect.authorize(provider.key.reveal())
        headers[name.lower()] = value
    return WireRequest("GET", join(provider.base_url, _PATHS[dialect.id]), headers)


async def _read(body: AsyncIterator[bytes]) -> bytes:
    whole = bytearray()
    async for data in body:
        whole += data
        if len(whole) > LIST_LIMIT:
            break
    return bytes(whole)


def _names(body: bytes) -> tuple[str, ...] | Failure:
    """`data[].id` of the OpenAI kind and of Anthropic, `models[].name` of Google."""
    text = body.decode("utf-8", "replace")
    try:
        listed = parse(text)
    except ValueError:
        return protocol("the list of models is no JSON", text[:4096])
    if not isinstance(listed, dict):
        return protocol("the list of models is no JSON object", text[:4096])
    ids = [text_in(model, "id") for model in objects_in(listed, "data")]
    names = [
        text_in(model, "name").removeprefix("models/") for model in objects_in(listed, "models")
    ]
    return tuple(name for name in (*ids, *names) if name)
