"""Exchanges that mean harm, for the screen that shows what went through the fault lab."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable

from providers.cassette import Exchange, Read, RecordedResponse
from tests import stage
from tests.hostile import MARKUP
from tests.screens.harm import HARM
from tests.screens.moments import Vitral
from tools.call import JsonObject


def struck(session: stage.ScriptedSession) -> None:
    """The fault lab has exchanges: an answer, a broken call, bytes that are no answer at all."""
    assert session.keep_struck is not None
    for body in (answer_body(f'{{"{MARKUP}'), answer_body(json.dumps({HARM: HARM})), HARM.encode()):
        head = RecordedResponse(status=200, headers={"content-type": HARM})
        reads = (Read(text=body.decode(), after=0.0),)
        session.keep_struck(Exchange(dialect="anthropic", response=head, reads=reads))


def answer_body(arguments: str) -> bytes:
    """An answer as Anthropic streams it: a text, and a call with these arguments."""
    call = {"type": "tool_use", "id": HARM, "name": HARM}
    told: tuple[JsonObject, ...] = (
        {"type": "message_start", "message": {"id": HARM, "model": HARM}},
        {
            "type": "content_block_start",
            "index": 0,
            "content_block": {"type": "text", "text": HARM},
        },
        {"type": "content_block_stop", "index": 0},
        {"type": "content_block_start", "index": 1, "content_block": call},
        {
            "type": "content_block_delta",
            "index": 1,
            "delta": {"type": "input_json_delta", "partial_json": arguments},
        },
        {"type": "content_block_stop", "index": 1},
        {"type": "message_delta", "delta": {"stop_reason": "tool_use"}},
        {"type": "message_stop"},
    )
    events_of = (
        f"event: {one['type']}\ndata: {json.dumps(one, ensure_ascii=False)}\n\n" for one in told
    )
    return "".join(events_of).encode()


def looking(back: int) -> Callable[[Vitral], Awaitable[None]]:
    """Look at an exchange of the fault lab, so many before the newest."""

    async def play(vitral: Vitral) -> None:
        await vitral.press("ctrl+b", "tab", *("left",) * back)

    return play
