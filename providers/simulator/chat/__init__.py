"""Chat Completions, as a server speaks it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from providers.simulator import openai_words
from providers.simulator.chat import reader, rules, writer
from providers.simulator.conversation import Conversation
from providers.simulator.frames import Frame
from providers.simulator.models import Model
from providers.simulator.refusal import Refusal
from providers.simulator.reply import Delivery
from tools.call import JsonObject


class ChatVoice:
    """POST /v1/chat/completions."""

    id = "openai-chat"
    key_headers: tuple[str, ...] = ("authorization",)
    request_id_header = "x-request-id"
    troubles = openai_words.TROUBLES

    def check(self, body: JsonObject, headers: Mapping[str, str], model: Model | None) -> None:
        rules.check(body)

    def read(self, body: JsonObject) -> Conversation:
        return reader.read(body)

    def frames(self, delivery: Delivery) -> Iterator[Frame]:
        return writer.frames(delivery)

    def whole(self, delivery: Delivery) -> JsonObject:
        return writer.whole(delivery)

    def refusal_body(self, refusal: Refusal) -> JsonObject:
        return openai_words.refusal_body(refusal)

    def unknown_model(self, name: str) -> Refusal:
        return Refusal(
            404,
            f"The model `{name}` does not exist or you do not have access to it.",
            "invalid_request_error",
            code="model_not_found",
        )

    def model_list(self, models: Mapping[str, Model]) -> JsonObject:
        return openai_words.model_list(models)
