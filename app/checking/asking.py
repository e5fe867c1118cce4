"""Sends the suite's requests, one after another, and keeps what is heard.

A failure that passes by itself is waited for as in a chat; the number of requests has an end.
"""

from __future__ import annotations

import random
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from itertools import count

from app.checking.evidence import OWN_ID, Heard
from app.checking.offers import made_up_result
from app.checking.probes import LIMIT, Probe
from app.clock import Clock
from providers.failures import Failure, When
from providers.gathering import Gathering
from providers.history import AssistantTurn, ToolTurn, Turn, UserTurn
from providers.model_list import list_models
from providers.parts import TextDelta
from providers.provider import Provider
from providers.request import Request
from providers.retry import RetryPolicy, next_wait
from providers.secret import Secret
from tools.call import BrokenCall, ErrorKind, ToolCall, ToolError, ToolResult

_UNREADABLE = ToolError(ErrorKind.BROKEN_CALL, "The arguments are no JSON object.")


@dataclass(slots=True)
class Asker:
    """Asks one provider; `requests` counts what was sent."""

    provider: Provider
    clock: Clock = field(default_factory=Clock)
    policy: RetryPolicy = field(default_factory=RetryPolicy)
    requests: int = 0

    def __post_init__(self) -> None:
        numbers = count(1)
        self.provider = replace(self.provider, new_id=lambda: f"{OWN_ID}{next(numbers)}")

    async def ask(self, probe: Probe, earlier: Heard | None) -> Heard:
        """What comes of a probe; `earlier` is the one that it goes on from."""
        attempt = 1
        while True:
            self.requests += 1
            heard = await self._once(probe, earlier)
            wait = None
            if heard.failure is not None and heard.failure.when is When.BEFORE:
                wait = next_wait(heard.failure, attempt, self.policy, random.random())  # noqa: S311 - spreads clients out, guards nothing
            if wait is None or self.requests >= LIMIT:
                return heard
            await self.clock.sleep(wait)
            attempt += 1

    async def _once(self, probe: Probe, earlier: Heard | None) -> Heard:
        if not probe.lists:
            return await self._answer(probe, earlier)
        match await list_models(self.provider):
            case Failure() as failure:
                return Heard(probe, failure=failure)
            case models:
                return Heard(probe, models=models)

    async def _answer(self, probe: Probe, earlier: Heard | None) -> Heard:
        provider = self.provider
        if probe.key:
            provider = replace(provider, key=Secret(probe.key))
        if probe.model:
            provider = replace(provider, model=probe.model)
        request = _request(probe, earlier, provider.model)
        gathering = Gathering(provider.origin)
        raw = bytearray()
        async with aclosing(provider.stream(request)) as stream:
            async for received in stream:
                raw += received.data
                gathering.add(received.parts)
                if probe.leaves and any(isinstance(part, TextDelta) for part in received.parts):
                    break
        return Heard(
            probe=probe,
            sent=provider.dialect.encode(request).body,
            raw=bytes(raw),
            history=request.history,
            turn=gathering.turn() if gathering.stopped else None,
            usage=gathering.usage,
            failure=gathering.failure,
        )


def _request(probe: Probe, earlier: Heard | None, model: str) -> Request:
    history: tuple[Turn, ...] = (UserTurn(probe.text),)
    offers = probe.offers
    if earlier is not None and earlier.turn is not None:
        results = ToolTurn(tuple(_result(call) for call in earlier.turn.calls))
        history = (*earlier.history, earlier.turn, results)
        offers = earlier.probe.offers
    specs = tuple(offer.spec for offer in offers)
    return Request(model=model, history=history, tools=specs, choice=probe.choice)


def answerable(turn: AssistantTurn | None) -> bool:
    """Whether results can follow."""
    return turn is not None and bool(turn.calls)


def _result(call: ToolCall | BrokenCall) -> ToolResult:
    match call:
        case ToolCall():
            return made_up_result(call)
        case BrokenCall():
            return ToolResult(call.call_id, call.name, error=_UNREADABLE)
