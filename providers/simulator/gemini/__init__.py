"""Gemini, as a server speaks it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from providers.simulator.conversation import Conversation
from providers.simulator.frames import Frame
from providers.simulator.gemini import reader, rules, writer
from providers.simulator.models import Model
from providers.simulator.refusal import Refusal
from providers.simulator.reply import Delivery
from tools.call import JsonObject

_BAD_KEY = {
    "@type": "type.googleapis.com/google.rpc.ErrorInfo",
    "reason": "API_KEY_INVALID",
    "domain": "googleapis.com",
    "metadata": {"service": "generativelanguage.googleapis.com"},
}


class GeminiVoice:
    """POST /v1beta/models/{model}:streamGenerateContent and :generateContent."""

    id = "gemini"
    key_headers: tuple[str, ...] = ("x-goog-api-key",)
    request_id_header = "x-goog-request-id"
    troubles: Mapping[str, Refusal] = MappingProxyType(
        {
            "no-key": Refusal(
                403,
                "Method doesn't allow unregistered callers (callers without established "
                "identity). Please use API Key or other form of API consumer identity to call "
                "this API.",
                "PERMISSION_DENIED",
            ),
            "wrong-key": Refusal(
                400,
                "API key not valid. Please pass a valid API key.",
                "INVALID_ARGUMENT",
                details={"details": [_BAD_KEY]},
            ),
            "no-json": Refusal(
                400,
                "Invalid JSON payload received. Unexpected end of string. Expected a value.",
                "INVALID_ARGUMENT",
            ),
        }
    )

    def check(self, body: JsonObject, headers: Mapping[str, str], model: Model | None) -> None:
        rules.check(body, signed=model is not None and model.signs)

    def read(self, body: JsonObject) -> Conversation:
        return reader.read(body)

    def frames(self, delivery: Delivery) -> Iterator[Frame]:
        return writer.frames(delivery)

    def whole(self, delivery: Delivery) -> JsonObject:
        return writer.whole(delivery)

    def refusal_body(self, refusal: Refusal) -> JsonObject:
        return {
            "error": {
                "code": refusal.status,
                "message": refusal.message,
                "status": refusal.type,
                **refusal.details,
            }
        }

    def unknown_model(self, name: str) -> Refusal:
        return Refusal(
            404,
            f"models/{name} is not found for API version v1beta, or is not supported for "
            "generateContent. Call ListModels to see the list of available models and their "
            "supported methods.",
            "NOT_FOUND",
        )

    def model_list(self, models: Mapping[str, Model]) -> JsonObject:
        return {
            "models": [
                {
                    "name": f"models/{name}",
                    "displayName": name,
                    "supportedGenerationMethods": ["generateContent"],
                    "thinking": model.thinks,
                }
                for name, model in models.items()
            ]
        }
