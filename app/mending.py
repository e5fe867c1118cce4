"""Which call is the second try at one whose arguments were wrong, and what did the model change?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from app.call_views import CallKey, CallView
from tools.call import ErrorKind, JsonObject, ToolCall

MENDABLE = frozenset({ErrorKind.INVALID_ARGUMENTS, ErrorKind.BROKEN_CALL})


@dataclass(frozen=True, slots=True)
class Mend:
    """A call that could not run, and the call of a later round that came in its place."""

    before: CallView
    after: CallView


@dataclass(frozen=True, slots=True)
class FieldChange:
    """One argument in both calls: ABSENT in the one that did not have it."""

    name: str
    before: object
    after: object


class Absent:
    """Stands for an argument that is not there."""


ABSENT = Absent()


def mends(views: Iterable[CallView]) -> Mapping[CallKey, Mend]:
    """The mends among a message's views, each under both its calls' keys; a call that was a mend
    and failed itself stands under its own key with the call that came after it."""
    waiting: dict[str, CallView] = {}
    found: dict[CallKey, Mend] = {}
    for view in views:
        before = waiting.get(view.name)
        if before is not None and before.round < view.round and view.whole:
            found[before.key] = found[view.key] = Mend(before, view)
            del waiting[view.name]
        if view.result and view.result.error and view.result.error.kind in MENDABLE:
            waiting.setdefault(view.name, view)
    return found


def changes(mend: Mend) -> tuple[FieldChange, ...]:
    """The arguments that differ, in the order of the first call and then of the second. A call
    that was no JSON has none that could be compared."""
    before, after = _args(mend.before), _args(mend.after)
    if before is None or after is None:
        return ()
    names = dict.fromkeys([*before, *after])
    return tuple(
        FieldChange(name, before.get(name, ABSENT), after.get(name, ABSENT))
        for name in names
        if before.get(name, ABSENT) != after.get(name, ABSENT)
    )


def _args(view: CallView) -> JsonObject | None:
    return view.call.args if isinstance(view.call, ToolCall) else None
