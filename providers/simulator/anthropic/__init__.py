"""Anthropic Messages, as a server speaks it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from providers.simulator.anthropic import reader, rules
from providers.simulator.anthropic.writer import Writer
from providers.simulator.conversation import Conversation
from providers.simulator.frames import Frame
from providers.simulator.models import Model
from providers.simulator.refusal import Refusal
from providers.simulator.reply import Delivery
from tools.call import JsonObject


class AnthropicVoice:
    """POST /v1/messages."""

    id = "anthropic"
    # The official client sends the second one.
    key_headers: tuple[str, ...] = ("x-api-key", "authorization")
    request_id_header = "request-id"
    troubles: Mapping[str, Refusal] = MappingProxyType(
        {
            "no-key": Refusal(401, "x-api-key header is required", "authentication_error"),
            "wrong-key": Refusal(401, "invalid x-api-key", "authentication_error"),
            "no-json": Refusal(400, "The request body is not valid JSON", "invalid_request_error"),
        }
    )

    def check(self, body: JsonObject, headers: Mapping[str, str], model: Model | None) -> None:
        rules.check(body, headers)

    def read(self, body: JsonObject) -> Conversation:
        return reader.read(body)

    def frames(self, delivery: Delivery) -> Iterator[Frame]:
        return Writer(delivery).frames()

    def whole(self, delivery: Delivery) -> JsonObject:
        return Writer(delivery).whole()

    def refusal_body(self, refusal: Refusal) -> JsonObject:
        return {"type": "error", "error": {"type": refusal.type, "message": refusal.message}}

    def unknown_model(self, name: str) -> Refusal:
        return Refusal(404, f"model: {name}", "not_found_error")

    def model_list(self, models: Mapping[str, Model]) -> JsonObject:
        names = list(models)
        data = [
            {
                "type": "model",
                "id": name,
                "display_name": name,
                "created_at": "2026-01-01T00:00:00Z",
            }
            for name in names
        ]
        return {"data": data, "has_more": False, "first_id": names[0], "last_id": names[-1]}
