"""Parts → one assistant turn in our terms.

What a stream shows is a candidate until it has `Stopped`; this object holds the candidates and
says, once asked, which turn they make. Pure: it neither runs nor shows anything.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from providers.failures import Failure
from providers.history import AssistantTurn, Origin
from providers.parts import (
    CallBroken,
    CallCompleted,
    CallFragment,
    CallNamed,
    CallStarted,
    Part,
    ReasoningDelta,
    Restarted,
    Stop,
    Stopped,
    StreamFailed,
    TextDelta,
    Usage,
    UsageReported,
)
from tools.call import AnyCall, BrokenCall, JsonObject


@dataclass(slots=True)
class _CallPlace:
    """Where a call stands among the texts; `call` stays None until it is whole."""

    call: AnyCall | None = None


@dataclass(slots=True)
class Gathering:
    """Collects one attempt's parts. `stopped` and `failure` say how the stream ended, if it did."""

    origin: Origin
    usage: Usage | None = None
    stopped: Stopped | None = None
    failure: Failure | None = None
    _items: list[list[str] | _CallPlace] = field(default_factory=list)
    _places: dict[int, _CallPlace] = field(default_factory=dict)
    _reasoning: list[str] = field(default_factory=list)

    def add(self, parts: Iterable[Part]) -> None:
        """Take the next parts, in their order."""
        for part in parts:
            self._add(part)

    def _add(self, part: Part) -> None:
        match part:
            case TextDelta(text=text):
                self._add_text(text)
            case ReasoningDelta(text=text):
                self._reasoning.append(text)
            case CallFragment() | CallNamed():
                pass
            case CallStarted(key=key):
                self._place(key)
            case CallCompleted(key=key, call=call):
                self._place(key).call = call
            case CallBroken(key=key):
                self._place(key).call = BrokenCall(
                    part.name, part.raw, part.reason, self.origin.provider, part.call_id
                )
            case UsageReported(usage=usage):
                self.usage = usage
            case Restarted():
                self._items.clear()
                self._places.clear()
                self._reasoning.clear()
            case Stopped():
                self.stopped = part
            case StreamFailed(failure=failure):
                self.failure = failure

    def turn(self) -> AssistantTurn:
        """The turn of a stream that has stopped; raises ValueError before that."""
        if self.stopped is None:
            raise ValueError("the stream has not stopped: its calls are only candidates")
        return self._turn(self.stopped.stop, self.stopped.raw, self.stopped.native)

    def interrupted_turn(self) -> AssistantTurn | None:
        """What was whole when the person stopped the stream; None when nothing was.

        Its calls are whole and must be answered as cancelled. Without the provider's own items:
        they are only known to be right at the end.
        """
        turn = self.so_far()
        return turn if turn.items else None

    def so_far(self) -> AssistantTurn:
        """What has come, whatever may become of it."""
        return self._turn(Stop.OTHER, "", ())

    def _turn(self, stop: Stop, raw: str, native: tuple[JsonObject, ...]) -> AssistantTurn:
        items: list[str | AnyCall] = []
        for item in self._items:
            match item:
                case _CallPlace(call=None):
                    pass
                case _CallPlace(call=call) if call is not None:
                    items.append(call)
                case list() if text := "".join(item):
                    items.append(text)
        return AssistantTurn(
            items=tuple(items),
            origin=self.origin,
            reasoning="".join(self._reasoning),
            stop=stop,
            stop_raw=raw,
            native=native,
        )

    def _add_text(self, text: str) -> None:
        last = self._items[-1] if self._items else None
        if isinstance(last, list):
            last.append(text)
        else:
            self._items.append([text])

    def _place(self, key: int) -> _CallPlace:
        if key not in self._places:
            self._places[key] = _CallPlace()
            self._items.append(self._places[key])
        return self._places[key]
