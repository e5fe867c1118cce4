"""Values out of parsed JSON, only when they have the shape that was asked for.

A server can send anything anywhere: what has another shape counts as not sent.
"""

from __future__ import annotations

from collections.abc import Mapping

from tools.call import JsonObject


def object_in(holder: Mapping[str, object], name: str) -> JsonObject:
    """The object under `name`, or an empty one."""
    value = holder.get(name)
    return value if isinstance(value, dict) else {}


def objects_in(holder: Mapping[str, object], name: str) -> list[JsonObject]:
    """The objects of the list under `name`; what else the list holds is left out."""
    value = holder.get(name)
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def text_in(holder: Mapping[str, object], name: str) -> str:
    """The text under `name`, or ""."""
    value = holder.get(name)
    return value if isinstance(value, str) else ""


def count_in(holder: Mapping[str, object], name: str) -> int | None:
    """The whole number under `name`, or None; true and false are none."""
    value = holder.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) else None
