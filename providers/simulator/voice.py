"""What must a dialect be able to do on the server's side?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Protocol

from providers.simulator.conversation import Conversation
from providers.simulator.frames import Frame
from providers.simulator.models import Model
from providers.simulator.refusal import Refusal
from providers.simulator.reply import Delivery
from tools.call import JsonObject


class Voice(Protocol):
    """A dialect as a server speaks it."""

    id: str
    key_headers: tuple[str, ...]
    """The lower-case headers that may carry the key, the usual one first."""
    request_id_header: str
    troubles: Mapping[str, Refusal]
    """What the real server says to `no-key`, `wrong-key` and `no-json`."""

    def check(self, body: JsonObject, headers: Mapping[str, str], model: Model | None) -> None:
        """Raises `RefusedError` for what the real server refuses."""
        ...

    def read(self, body: JsonObject) -> Conversation: ...

    def frames(self, delivery: Delivery) -> Iterator[Frame]:
        """The answer as a stream."""
        ...

    def whole(self, delivery: Delivery) -> JsonObject:
        """The answer as one object, for a request that does not stream."""
        ...

    def refusal_body(self, refusal: Refusal) -> JsonObject: ...

    def unknown_model(self, name: str) -> Refusal: ...

    def model_list(self, models: Mapping[str, Model]) -> JsonObject: ...
