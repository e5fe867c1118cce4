"""What can go wrong on request, and what does it do to an answer?"""

from __future__ import annotations

import errno
import re
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType

from providers.simulator.frames import Frame, FrameKind
from providers.simulator.reply import Ask, Item, Reply

FAULTS: Mapping[str, str] = MappingProxyType(
    {
        "status-401": "fault.status_401",
        "status-429": "fault.status_429",
        "status-500": "fault.status_500",
        "overloaded": "fault.overloaded",
        "overloaded-mid-stream": "fault.overloaded_mid_stream",
        "cut-in-arguments": "fault.cut_in_arguments",
        "cut-before-end": "fault.cut_before_end",
        "bad-json-arguments": "fault.bad_json_arguments",
        "no-ids": "fault.no_ids",
        "html-page": "fault.html_page",
        "slow": "fault.slow",
        "unreachable": "fault.unreachable",
    }
)
"""Name → message key of its description, in the order in which they are offered."""

HTML_PAGE = (
    b"<!DOCTYPE html>\n<html><head><title>Sign in to the network</title></head>\n"
    b"<body><h1>Sign in to the network</h1><p>Your session has ended.</p></body></html>\n"
)


def refuse_connection() -> None:
    """Raises what a client gets when nobody listens at the address."""
    raise ConnectionRefusedError(errno.ECONNREFUSED, "Connection refused")


def spoil(reply: Reply) -> Reply:
    """The reply with the first call's arguments broken, as a model's slip would break them."""
    items: list[Item] = list(reply.items)
    for place, item in enumerate(items):
        if isinstance(item, Ask):
            items[place] = Ask(item.name, _without_quotes(item.arguments))
            break
    return Reply(tuple(items), reply.reasoning)


def _without_quotes(arguments: str) -> str:
    """The first value loses its quotation marks; without one, the last brace goes missing."""
    spoilt = re.sub(r': "((?:[^"\\]|\\.)*)"', r": \1", arguments, count=1)
    return spoilt if spoilt != arguments else arguments[:-1]


def disturb(frames: Iterable[Frame], fault: str | None, breaking: Frame) -> Iterator[Frame]:
    """The frames as they come with a fault; `breaking` is the dialect's own word of overload."""
    match fault:
        case "overloaded-mid-stream":
            before, _ = _half(list(frames))
            yield from before
            yield breaking
        case "cut-in-arguments":
            before, middle = _half(list(frames), FrameKind.ARGUMENTS)
            yield from before
            yield Frame(middle.kind, middle.data[: len(middle.data) * 3 // 5])
        case "cut-before-end":
            yield from (frame for frame in frames if frame.kind is not FrameKind.END)
        case _:
            yield from frames


def _half(frames: list[Frame], wanted: FrameKind | None = None) -> tuple[list[Frame], Frame]:
    """What comes before the middle one of the fragments, and that one.

    Without a fragment of the wanted kind any will do.
    """
    fragments = [
        place
        for place, frame in enumerate(frames)
        if frame.kind in (FrameKind.TEXT, FrameKind.ARGUMENTS)
    ]
    chosen = [place for place in fragments if frames[place].kind is wanted] or fragments
    place = chosen[len(chosen) // 2] if chosen else len(frames) - 1
    return frames[:place], frames[place]
