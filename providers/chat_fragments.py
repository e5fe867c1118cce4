"""Which call a fragment of Chat Completions belongs to.

The format keys fragments by `index` and names a call by `id` in its first fragment. Servers leave
either out, repeat either, or give all calls index 0. The rule behind the cases below: what could
be two calls is never merged into one, and one call sent twice never becomes two.
"""

from __future__ import annotations

from dataclasses import dataclass

from providers.assembly import Assembly, OpenCall, is_whole
from providers.parts import Part, Span
from providers.results import json_line
from providers.shapes import count_in, text_in
from tools.call import JsonObject

_KNOWN = frozenset(("index", "id", "type", "function"))


@dataclass(frozen=True, slots=True)
class _Fragment:
    """An entry of `tool_calls`: "" and None for what it leaves out."""

    index: int | None
    call_id: str
    name: str
    arguments: object


class ChatCalls:
    """The calls of one message. `last` is the one that the newest fragment went to, `extras` holds
    the fields that came beside each call (thought signatures), which must go back with it."""

    def __init__(self, assembly: Assembly) -> None:
        self.assembly = assembly
        self.last: OpenCall | None = None
        self.extras: dict[int, JsonObject] = {}
        self._by_index: dict[int, OpenCall] = {}
        self._by_id: dict[str, OpenCall] = {}
        self._index: dict[int, int | None] = {}

    def read(self, entries: list[object], span: Span, parts: list[Part]) -> None:
        """The `tool_calls` of one chunk; what became known goes to `parts`."""
        first_new = len(self.assembly.calls)
        for entry in entries:
            if isinstance(entry, dict):
                self._read_entry(entry, first_new, span, parts)

    def _read_entry(self, entry: JsonObject, first_new: int, span: Span, parts: list[Part]) -> None:
        function = entry.get("function")
        if not isinstance(function, dict):
            if entry.get("type") not in ("function", None):
                return  # a custom tool: not ours
            function = {}
        index = count_in(entry, "index")
        call = self.last if index is None else self._by_index.get(index)
        arguments = function.get("arguments")
        if call is None or function.get("name") or entry.get("id"):
            told = _Fragment(index, text_in(entry, "id"), text_in(function, "name"), arguments)
            call = self._home(told, call, first_new)
            if call is None:
                call = self._open(told, entry, span, parts)
            elif told.call_id and told.name and _again(call, arguments):
                return  # the whole call sent twice
            else:
                self._tell(call, told, span, parts)
        self.last = call
        if isinstance(arguments, str):
            if arguments:
                parts.append(call.add(arguments, span))
        elif isinstance(arguments, dict):
            parts.append(call.give(arguments, json_line(arguments), span))

    def _home(self, told: _Fragment, call: OpenCall | None, first_new: int) -> OpenCall | None:
        """The call that the fragment goes on with, None for a new one. `call` is the open one at
        its index, or the last one when it has no index."""
        if told.call_id:
            return self._home_by_id(told, call)
        if call is None or not told.name:
            return call
        if call.key >= first_new:
            return None  # opened by this very chunk: two entries with names are two calls
        return None if call.whole and (told.arguments or told.name != call.name) else call

    def _home_by_id(self, told: _Fragment, call: OpenCall | None) -> OpenCall | None:
        same = call if call is not None and call.call_id == told.call_id else None
        if same is None:
            known = self._by_id.get(told.call_id)
            if known is not None and (
                told.index is None or self._index[known.key] in (None, told.index)
            ):
                same = known
        if same is not None:
            return None if told.name and _another(same, told.arguments) else same
        if call is None or call.call_id:
            return None
        # The open call has no id yet: this one is its own, late, unless a new call begins.
        if not told.name:
            return call
        late = told.index is not None and told.name == call.name
        return call if late and not (call.whole and told.arguments) else None

    def _open(self, told: _Fragment, entry: JsonObject, span: Span, parts: list[Part]) -> OpenCall:
        call, started = self.assembly.open(told.name, told.call_id, span)
        parts.append(started)
        self._index[call.key] = told.index
        if told.index is not None:
            self._by_index[told.index] = call
        if told.call_id:
            self._by_id[told.call_id] = call
        self.extras[call.key] = {name: entry[name] for name in entry if name not in _KNOWN}
        return call

    def _tell(self, call: OpenCall, told: _Fragment, span: Span, parts: list[Part]) -> None:
        """Take what came late. A name may come in pieces until the arguments begin; the whole
        name again is a repetition, not a piece."""
        name, call_id = call.name, call.call_id or told.call_id
        if told.name != name and (call.empty or not name):
            name += told.name
        if call_id:
            self._by_id.setdefault(call_id, call)
        if (name, call_id) != (call.name, call.call_id):
            parts.append(call.rename(name, call_id, span))


def _again(call: OpenCall, arguments: object) -> bool:
    """Whether these are the call's own arguments, whole, once more."""
    if isinstance(arguments, str):
        return len(arguments) == call.size > 0 and call.whole and arguments == call.raw
    return call.given is not None and arguments == call.given


def _another(call: OpenCall, arguments: object) -> bool:
    """Whether these are the whole arguments of another call, which only has the same id."""
    if not call.whole or _again(call, arguments):
        return False
    return is_whole(arguments) if isinstance(arguments, str) else isinstance(arguments, dict)
