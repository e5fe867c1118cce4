"""The simulator itself: a request comes in, a response goes out, and it remembers both."""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from dataclasses import dataclass, replace

from providers.exchange import WireRequest, WireResponse
from providers.faults import FaultPlan, Lab
from providers.simulator.brain import reply
from providers.simulator.conversation import Conversation
from providers.simulator.dice import Dice
from providers.simulator.frames import as_array, to_json
from providers.simulator.limits import shortened
from providers.simulator.models import SERVED
from providers.simulator.pacing import Pace, Read, Sleep, one_read, reads
from providers.simulator.refusal import RefusedError
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


@dataclass(slots=True)
class _Said:
    """Whether the answer, as the model gave it, has been said to its end."""

    all: bool = False


class Simulator:
    """A provider in the process; give `handle` to the transport.

    `speed` 1 is about as fast as a real model, 0 without delay. `seed` decides ids, fragments and
    cuts. `fault` names what goes wrong, with commas between several (`providers.faults`); it
    strikes every request, or the first `fault_times`. `key`, if given, is demanded of every
    request.
    """

    def __init__(
        self,
        *,
        speed: float = 1.0,
        seed: int = 0,
        fault: str | None = None,
        fault_times: int | None = None,
        fault_seed: int = 0,
        key: str | None = None,
        sleep: Sleep = asyncio.sleep,
    ) -> None:
        """Raises UnknownFault, which is a ValueError."""
        self.requests: deque[SeenRequest] = deque(maxlen=_SEEN_LIMIT)
        """The requests seen, oldest first; only the last ones are kept."""
        self.closed_early = 0
        """How many responses the client closed before their end."""
        self._pace = Pace(speed, sleep)
        self._seed = seed
        plan = FaultPlan.read(fault, seed=fault_seed, times=fault_times)
        self._lab = Lab(plan, wait=self._pace.wait)
        self._key = key
        self._count = 0

    async def handle(self, request: WireRequest) -> WireResponse:
        """Answers one request; raises `OSError` for a fault of the network."""
        heard = _hear(request)
        self._remember(request, heard)
        self._count += 1
        dice = Dice(self._seed, self._count, request.body)
        said = _Said()

        async def healthy(asked: WireRequest) -> WireResponse:
            return self._respond(heard if asked is request else _hear(asked), dice, said)

        response = await self._lab.answer(request, healthy)
        return replace(response, body=self._watched(response.body, said))

    def _respond(self, heard: _Heard, dice: Dice, said: _Said) -> WireResponse:
        """What is answered when nothing goes wrong."""
        if heard.route is None:
            headers = {"content-type": "application/json"}
            return WireResponse(404, headers, _spoken(one_read(_NOT_FOUND), said))
        voice = heard.route.voice
        try:
            return self._answer(heard.route, heard, dice, said)
        except RefusedError as refused:
            refusal = refused.refusal
            response = _json(voice, voice.refusal_body(refusal), dice, said)
            headers = {**response.headers, **refusal.headers}
            return replace(response, status=refusal.status, headers=headers)

    def _answer(self, route: Route, heard: _Heard, dice: Dice, said: _Said) -> WireResponse:
        voice = route.voice
        self._check_key(voice, heard.headers)
        if route.lists_models:
            return _json(voice, voice.model_list(SERVED), dice, said)
        if heard.body is None:
            raise RefusedError(voice.troubles["no-json"])
        delivery = _deliver(route, heard.headers, heard.body, dice)
        if not delivery.conversation.stream:
            return _json(voice, voice.whole(delivery), dice, said)
        return self._stream(route, delivery, said)

    def _stream(self, route: Route, delivery: Delivery, said: _Said) -> WireResponse:
        voice, dice = route.voice, delivery.dice
        frames = voice.frames(delivery)
        kind = "application/json" if route.as_array else "text/event-stream"
        headers = {
            "content-type": f"{kind}; charset=utf-8",
            voice.request_id_header: dice.id("req_", 24),
        }
        sent = as_array(frames) if route.as_array else frames
        return WireResponse(200, headers, _spoken(reads(list(sent), self._pace, dice), said))

    async def _watched(self, body: AsyncIterator[bytes], said: _Said) -> AsyncIterator[bytes]:
        """The body; counts it when the client goes before it is all there."""
        left = True
        try:
            async for data in body:
                yield data
            left = False
        except OSError:
            left = False  # it is our side that breaks the connection
            raise
        finally:
            self.closed_early += left and not said.all
            if isinstance(body, AsyncGenerator):
                await body.aclose()

    def _check_key(self, voice: Voice, headers: Mapping[str, str]) -> None:
        if self._key is None:
            return
        sent = (headers.get(name, "") for name in voice.key_headers)
        given = next(filter(None, sent), "").removeprefix("Bearer ").strip()
        if not given:
            raise RefusedError(voice.troubles["no-key"])
        if given != self._key:
            raise RefusedError(voice.troubles["wrong-key"])

    def _remember(self, request: WireRequest, heard: _Heard) -> None:
        shown = {
            name: value for name, value in heard.headers.items() if name not in _SECRET_HEADERS
        }
        dialect = heard.route.voice.id if heard.route else ""
        self.requests.append(SeenRequest(request.method, request.url, shown, dialect, heard.body))


_NOT_FOUND = b'{"error":{"message":"Not Found","type":"invalid_request_error","code":null}}'


@dataclass(frozen=True, slots=True)
class _Heard:
    """A request as the server understands it. Header names are in lower case."""

    route: Route | None
    headers: Mapping[str, str]
    body: JsonObject | None


def _hear(request: WireRequest) -> _Heard:
    headers = {name.lower(): value for name, value in request.headers.items()}
    route = find_route(request.method, request.url, headers)
    return _Heard(route, headers, _json_object(request.body))


async def _spoken(body: AsyncIterator[Read], said: _Said) -> AsyncIterator[bytes]:
    """The reads' bytes, noting when nothing is left."""
    async for read in body:
        said.all = read.last
        yield read.data


def _json(voice: Voice, value: JsonObject, dice: Dice, said: _Said) -> WireResponse:
    headers = {
        "content-type": "application/json",
        voice.request_id_header: dice.id("req_", 24),
    }
    return WireResponse(200, headers, _spoken(one_read(to_json(value)), said))


def _deliver(route: Route, headers: Mapping[str, str], body: JsonObject, dice: Dice) -> Delivery:
    """What a writer is to write; raises `RefusedError` for what the real server refuses."""
    name = route.model if route.model is not None else body.get("model")
    model = SERVED.get(name) if isinstance(name, str) else None
    route.voice.check(body, headers, model)
    if model is None:
        raise RefusedError(route.voice.unknown_model(str(name)))
    conversation = _heard(route, body, model.name)
    said = shortened(reply(conversation, thinks=model.thinks), conversation.limit)
    return Delivery(model, conversation, said, dice)


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
