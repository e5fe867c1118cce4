"""The simulator itself: a request comes in, a response goes out, and it remembers both."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping
from dataclasses import dataclass, replace

from pydantic_core import from_json

from providers.exchange import WireRequest, WireResponse
from providers.faults import FaultPlan, Lab
from providers.simulator.brain import Brain
from providers.simulator.conversation import Conversation
from providers.simulator.dice import Dice
from providers.simulator.frames import as_array, to_json
from providers.simulator.limits import shortened
from providers.simulator.models import SERVED, Model
from providers.simulator.pacing import Pace, Read, Sleep, one_read, reads
from providers.simulator.performance import NO_FAULTS, Performance, Player
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
    request. `player` plays the model, with faults of its own; `on_unmet` hears what it expected
    of a client and did not get.
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
        player: Player | None = None,
        on_unmet: Callable[[str], object] | None = None,
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
        self._player = player or Brain()
        self._on_unmet = on_unmet
        self._count = 0

    async def handle(self, request: WireRequest) -> WireResponse:
        """Answers one request; raises `OSError` for a fault of the network."""
        heard = _hear(request)
        self._remember(request, heard)
        self._count += 1
        dice = Dice(self._seed, self._count, request.body)
        said = _Said()
        played = self._performance(heard)

        async def healthy(asked: WireRequest) -> WireResponse:
            return self._respond(heard if asked is request else _hear(asked), played, dice, said)

        faults = played.faults if played else NO_FAULTS
        handler = Lab(faults, wait=self._pace.wait).around(healthy)
        response = await self._lab.answer(request, handler)
        return replace(response, body=self._watched(response.body, said))

    def _performance(self, heard: _Heard) -> Performance | None:
        """What is played for a request; None for one that is refused or asks for no answer."""
        if heard.route is None or heard.route.lists_models or heard.body is None:
            return None
        try:
            self._check_key(heard.route.voice, heard.headers)
            model, conversation = _understood(heard.route, heard.headers, heard.body)
        except RefusedError:
            return None
        played = self._player.perform(conversation, thinks=model.thinks)
        if played.unmet and self._on_unmet is not None:
            self._on_unmet(played.unmet)
        return played

    def _respond(
        self, heard: _Heard, played: Performance | None, dice: Dice, said: _Said
    ) -> WireResponse:
        """What is answered when nothing goes wrong."""
        if heard.route is None:
            headers = {"content-type": "application/json"}
            return WireResponse(404, headers, _spoken(one_read(_NOT_FOUND), said))
        voice = heard.route.voice
        try:
            return self._answer(heard.route, heard, played, dice, said)
        except RefusedError as refused:
            refusal = refused.refusal
            response = _json(voice, voice.refusal_body(refusal), dice, said)
            headers = {**response.headers, **refusal.headers}
            return replace(response, status=refusal.status, headers=headers)

    def _answer(
        self, route: Route, heard: _Heard, played: Performance | None, dice: Dice, said: _Said
    ) -> WireResponse:
        voice = route.voice
        self._check_key(voice, heard.headers)
        if route.lists_models:
            return _json(voice, voice.model_list(SERVED), dice, said)
        if heard.body is None:
            raise RefusedError(voice.troubles["no-json"])
        model, conversation = _understood(route, heard.headers, heard.body)
        assert played is not None, "a request that is not refused has its performance"
        if played.unmet:
            raise RefusedError(replace(voice.troubles["no-json"], message=played.unmet))
        reply = shortened(played.reply, conversation.limit)
        delivery = Delivery(model, conversation, reply, dice)
        if not conversation.stream:
            return _json(voice, voice.whole(delivery), dice, said)
        return self._stream(route, delivery, replace(self._pace, rhythm=played.rhythm), said)

    def _stream(self, route: Route, delivery: Delivery, pace: Pace, said: _Said) -> WireResponse:
        voice, dice = route.voice, delivery.dice
        frames = voice.frames(delivery)
        kind = "application/json" if route.as_array else "text/event-stream"
        headers = {
            "content-type": f"{kind}; charset=utf-8",
            voice.request_id_header: dice.id("req_", 24),
        }
        sent = as_array(frames) if route.as_array else frames
        return WireResponse(200, headers, _spoken(reads(list(sent), pace, dice), said))

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


def _understood(
    route: Route, headers: Mapping[str, str], body: JsonObject
) -> tuple[Model, Conversation]:
    """Who is asked what; raises `RefusedError` for what the real server refuses."""
    name = route.model if route.model is not None else body.get("model")
    model = SERVED.get(name) if isinstance(name, str) else None
    route.voice.check(body, headers, model)
    if model is None:
        raise RefusedError(route.voice.unknown_model(str(name)))
    return model, _heard(route, body, model.name)


def _heard(route: Route, body: JsonObject, model: str) -> Conversation:
    conversation = route.voice.read(body)
    stream = conversation.stream if route.stream is None else route.stream
    return replace(conversation, model=model, stream=stream)


def _json_object(data: bytes) -> JsonObject | None:
    """The object; None for anything else, half a character in it too, as the services do."""
    try:
        value = from_json(data)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None
