"""Which fields of a request a server has refused by name, and the request without them.

A few servers of each dialect refuse what the others need. The field is dropped for the next try
and, once that has worked, for the rest of the run at that address.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from providers.failures import Failure
from tools.call import JsonObject

_REFUSALS = (400, 422)

DROPPABLE = (
    "stream_options",
    "eager_input_streaming",
    "parallel_tool_calls",
    "prompt_cache_key",
    "include",
)
"""Fields that make an answer better and that an answer can do without. They stand at the top of
a body or on its tools; a tool's own schema is never touched."""


@dataclass(slots=True)
class RefusedFields:
    """The memory of one run: base address → fields that its server refused."""

    _at: dict[str, frozenset[str]] = field(default_factory=dict)

    def known(self, base_url: str) -> frozenset[str]:
        return self._at.get(base_url, frozenset())

    def remember(self, base_url: str, fields: frozenset[str]) -> None:
        if fields:
            self._at[base_url] = fields


OF_THIS_RUN = RefusedFields()
"""Shared by all providers of the process, so that a change of model does not forget."""


def refused_field(failure: Failure, body: JsonObject) -> str | None:
    """The droppable field of `body` that the server's refusal names; None when it names none."""
    if failure.status not in _REFUSALS:
        return None
    said = failure.message + failure.body
    present = {name for place in _places(body) for name in place}
    return next((name for name in DROPPABLE if name in present and _names(said, name)), None)


def without(body: JsonObject, fields: Iterable[str]) -> JsonObject:
    """The body without these fields, at its top and on its tools. The original stays as it is."""
    dropped = frozenset(fields)
    if not dropped:
        return body
    kept = _drop(body, dropped)
    if isinstance(tools := kept.get("tools"), list):
        kept["tools"] = [_drop(tool, dropped) if isinstance(tool, dict) else tool for tool in tools]
    return kept


def _places(body: JsonObject) -> list[JsonObject]:
    tools = body.get("tools")
    return [body, *(tool for tool in tools or () if isinstance(tool, dict))]


def _drop(place: JsonObject, dropped: frozenset[str]) -> JsonObject:
    return {name: value for name, value in place.items() if name not in dropped}


def _names(said: str, name: str) -> bool:
    """Whether the text names the field: a plain English word counts only in quotes."""
    if "_" in name:
        return re.search(rf"(?<![A-Za-z0-9]){name}(?![A-Za-z0-9])", said) is not None
    return re.search(rf"[\"'`]{name}\\?[\"'`.\[]", said) is not None
