"""OpenAI's Responses, as a server speaks it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from providers.simulator import openai_words
from providers.simulator.conversation import Conversation
from providers.simulator.frames import Frame
from providers.simulator.models import Model
from providers.simulator.refusal import Refusal
from providers.simulator.reply import Delivery
from providers.simulator.responses import reader, rules
from providers.simulator.responses.writer import Writer
from tools.call import JsonObject


class ResponsesVoice:
    """POST /v1/responses."""

    id = "openai-responses"
    key_headers: tuple[str, ...] = ("authorization",)
    request_id_header = "x-request-id"
    troubles = openai_words.TROUBLES

    def check(self, body: JsonObject, headers: Mapping[str, str], model: Model | None) -> None:
        rules.check(body)

    def read(self, body: JsonObject) -> Conversation:
        return reader.read(body)

    def frames(self, delivery: Delivery) -> Iterator[Frame]:
        return Writer(delivery).frames()

    def whole(self, delivery: Delivery) -> JsonObject:
        return Writer(delivery).whole()

    def refusal_body(self, refusal: Refusal) -> JsonObject:
        return openai_words.refusal_body(refusal)

    def unknown_model(self, name: str) -> Refusal:
        return Refusal(
            400,
            f"The requested model '{name}' does not exist.",
            "invalid_request_error",
            code="model_not_found",
            param="model",
        )

    def model_list(self, models: Mapping[str, Model]) -> JsonObject:
        return openai_words.model_list(models)
