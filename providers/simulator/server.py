"""The simulator itself: a request comes in, a response goes out, and it remembers both."""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, replace

from providers.exchange import WireRequest, WireResponse
from providers.simulator.brain import has_results, reply
from providers.simulator.conversation import Conversation
from providers.simulator.dice import Dice
from providers.simulator.faults import FAULTS, HTML_PAGE, disturb, refuse_connection, spoil
from providers.simulator.frames import as_array, to_json
from providers.simulator.limits import shortened
from providers.simulator.models import SERVED
from providers.simulator.pacing import SILENCE_SECONDS, Pace, Read, Sleep, one_read, reads
from providers.simulator.refusal import Refusal, RefusedError
from providers.simulator.reply import Delivery
from providers.simulator.routes import Route, find_route
from providers.simulator.voice import Voice
from tools.call import JsonObject

_SEEN_LIMIT = 200
_SECRET_HEADERS = frozenset({"authorization", "x-api-key", "x-goog-api-key", "api-key"})


@dataclass(frozen=True, slots=True)
class SeenRequest:
    """A request as the simulator saw it, without its key. `dialect` is "" for an unknown
    address, `body` is None for one that was no JSON object."""

    method: str
    url: str
    headers: Mapping[str, str]
    dialect: str
    body: JsonObject | None


class Simulator:
    """A provider in the process; give `handle` to the transport.

    `speed` 1 is about as fast as a real model, 0 without delay. `seed` decides ids, fragments and
    cuts. `fault` is a name of `FAULTS`; it strikes every request, or the first `fault_times`.
    `key`, if given, is demanded of every request.
    """

    def __init__(
        self,
        *,
        speed: float = 1.0,
        seed: int = 0,
        fault: str | None = None,
        fault_times: int | None = None,
        key: str | None = None,
        sleep: Sleep = asyncio.sleep,
    ) -> None:
        if fault is not None and fault not in FAULTS:
            raise ValueError(f"no fault {fault!r}; there are {', '.join(FAULTS)}")
        self.requests: deque[SeenRequest] = deque(maxlen=_SEEN_LIMIT)
        """The requests seen, oldest first; only the last ones are kept."""
        self.closed_early = 0
        """How many responses the client closed before their end."""
        self._pace = Pace(speed, sleep)
        self._seed = seed
        self._fault = fault
        self._fault_times = fault_times
        self._key = key
        self._count = 0

    async def handle(self, request: WireRequest) -> WireResponse:
        """Answers one request; raises `ConnectionRefusedError` with the fault `unreachable`."""
        headers = {name.lower(): value for name, value in request.headers.items()}
        route = find_route(request.method, request.url, headers)
        body = _json_object(request.body)
        self._remember(request, headers, route, body)
        fault = self._next_fault()
        dice = Dice(self._seed, self._count, request.body)
        if fault == "unreachable":
            refuse_connection()
        if route is None:
            return self._response(404, {"content-type": "application/json"}, _NOT_FOUND)
        try:
            return self._answer(route, headers, body, fault, dice)
        except RefusedError as refused:
            return self._refuse(route.voice, refused.refusal, dice)

    def _answer(
        self,
        route: Route,
        headers: Mapping[str, str],
        body: JsonObject | None,
        fault: str | None,
        dice: Dice,
    ) -> WireResponse:
        voice = route.voice
        self._check_key(voice, headers)
        if fault is not None and fault in voice.troubles:
            raise RefusedError(voice.troubles[fault])
        if fault == "html-page":
            return self._response(200, {"content-type": "text/html; charset=utf-8"}, HTML_PAGE)
        if route.lists_models:
            return self._json(voice, voice.model_list(SERVED), dice)
        if body is None:
            raise RefusedError(voice.troubles["no-json"])
        delivery = _deliver(route, headers, body, fault, dice)
        if not delivery.conversation.stream:
            return self._whole(voice, delivery, fault)
        return self._stream(route, delivery, fault)

    def _stream(self, route: Route, delivery: Delivery, fault: str | None) -> WireResponse:
        voice, dice = route.voice, delivery.dice
        frames = disturb(voice.frames(delivery), fault, voice.break_off())
        kind = "application/json" if route.as_array else "text/event-stream"
        headers = {
            "content-type": f"{kind}; charset=utf-8",
            voice.request_id_header: dice.id("req_", 24),
        }
        sent = as_array(frames) if route.as_array else frames
        body = self._watched(reads(list(sent), self._pace, dice), silent=fault == "slow")
        return WireResponse(200, headers, body)

    def _whole(self, voice: Voice, delivery: Delivery, fault: str | None) -> WireResponse:
        if fault == "overloaded-mid-stream":
            raise RefusedError(voice.troubles["overloaded"])
        response = self._json(voice, voice.whole(delivery), delivery.dice, silent=fault == "slow")
        if fault not in ("cut-in-arguments", "cut-before-end"):
            return response
        half = to_json(voice.whole(delivery))
        return self._response(200, response.headers, half[: len(half) // 2])

    async def _watched(
        self, body: AsyncIterator[Read], *, silent: bool = False
    ) -> AsyncIterator[bytes]:
        """The body; counts it when the client goes before it is all there."""
        finished = False
        try:
            if silent:
                await self._pace.wait(SILENCE_SECONDS)
            async for read in body:
                finished = read.last
                yield read.data
        finally:
            self.closed_early += not finished

    def _json(
        self, voice: Voice, value: JsonObject, dice: Dice, *, silent: bool = False
    ) -> WireResponse:
        headers = {
            "content-type": "application/json",
            voice.request_id_header: dice.id("req_", 24),
        }
        return self._response(200, headers, to_json(value), silent=silent)

    def _refuse(self, voice: Voice, refusal: Refusal, dice: Dice) -> WireResponse:
        headers = {
            "content-type": "application/json",
            voice.request_id_header: dice.id("req_", 24),
            **refusal.headers,
        }
        return self._response(refusal.status, headers, to_json(voice.refusal_body(refusal)))

    def _response(
        self, status: int, headers: Mapping[str, str], data: bytes, *, silent: bool = False
    ) -> WireResponse:
        return WireResponse(status, headers, self._watched(one_read(data), silent=silent))

    def _check_key(self, voice: Voice, headers: Mapping[str, str]) -> None:
        if self._key is None:
            return
        sent = (headers.get(name, "") for name in voice.key_headers)
        given = next(filter(None, sent), "").removeprefix("Bearer ").strip()
        if not given:
            raise RefusedError(voice.troubles["no-key"])
        if given != self._key:
            raise RefusedError(voice.troubles["wrong-key"])

    def _next_fault(self) -> str | None:
        self._count += 1
        struck = self._fault_times is None or self._count <= self._fault_times
        return self._fault if struck else None

    def _remember(
        self,
        request: WireRequest,
        headers: Mapping[str, str],
        route: Route | None,
        body: JsonObject | None,
    ) -> None:
        shown = {name: value for name, value in headers.items() if name not in _SECRET_HEADERS}
        dialect = route.voice.id if route else ""
        self.requests.append(SeenRequest(request.method, request.url, shown, dialect, body))


_NOT_FOUND = b'{"error":{"message":"Not Found","type":"invalid_request_error","code":null}}'


def _deliver(
    route: Route,
    headers: Mapping[str, str],
    body: JsonObject,
    fault: str | None,
    dice: Dice,
) -> Delivery:
    """What a writer is to write; raises `RefusedError` for what the real server refuses."""
    name = route.model if route.model is not None else body.get("model")
    model = SERVED.get(name) if isinstance(name, str) else None
    route.voice.check(body, headers, model)
    if model is None:
        raise RefusedError(route.voice.unknown_model(str(name)))
    conversation = _heard(route, body, model.name)
    said = shortened(reply(conversation, thinks=model.thinks), conversation.limit)
    if fault == "bad-json-arguments" and not has_results(conversation):
        said = spoil(said)
    return Delivery(model, conversation, said, dice, ids=fault != "no-ids")


def _heard(route: Route, body: JsonObject, model: str) -> Conversation:
    conversation = route.voice.read(body)
    stream = conversation.stream if route.stream is None else route.stream
    return replace(conversation, model=model, stream=stream)


def _json_object(data: bytes) -> JsonObject | None:
    try:
        value = json.loads(data)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None
