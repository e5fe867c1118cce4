"""How is one call written for scripts? The shape of `calls` in `ask --json`."""

from __future__ import annotations

from datetime import UTC, datetime

from app.call_views import CallView
from tools.call import JsonObject, ToolCall


def call_as_json(view: CallView, effect: str | None) -> JsonObject:
    """One call: `args` when whole and usable, else `raw`; `result` or `error` once there is one.

    `effect` is None for a tool that does not exist. `permission` is null for a call that needed
    none or never came so far, `started` for one that did not run; `attempt` is 0 for a call that
    came before the program was started again.
    """
    shown: JsonObject = {
        "name": view.name,
        "call_id": view.call_id,
        "effect": effect,
        "permission": view.ground.value if view.ground else None,
        "state": view.state.value,
        "round": view.round,
        "attempt": view.attempt,
        "started": _iso(view.started),
        "ended": _iso(view.ended),
    }
    if isinstance(view.call, ToolCall):
        shown["args"] = view.call.args
    else:
        shown["raw"] = str(view.arguments)
    if view.result is None:
        return shown
    shown["seconds"] = round(view.result.seconds, 6)
    if view.result.error is None:
        shown["result"] = view.result.output
    else:
        error = view.result.error
        shown["error"] = {"kind": error.kind.value, "message": error.message}
    return shown


def _iso(seconds: float | None) -> str | None:
    """UTC, ISO 8601."""
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC).isoformat()
