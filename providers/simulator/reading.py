"""How is a body from outside read when any value in it may be of any type?"""

from __future__ import annotations

import json
from typing import Any

from tools.call import JsonObject


def text(value: object) -> str:
    """The string, or an empty one for anything else."""
    return value if isinstance(value, str) else ""


def objects(value: object) -> list[JsonObject]:
    """The objects of a list; empty for anything else."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def member(value: object, name: str) -> Any:
    """A member of an object; None for anything else."""
    return value.get(name) if isinstance(value, dict) else None


def whole_number(value: object) -> int | None:
    """The whole number; None for anything else."""
    return value if type(value) is int else None


def compact(value: object) -> str:
    """JSON text as a model writes it."""
    return json.dumps(value, ensure_ascii=False)


def says_error(result: str) -> bool:
    """Whether a result's text is about an error, in dialects that have no flag for it."""
    try:
        value = json.loads(result)
    except ValueError:
        return result.lstrip().lower().startswith("error")
    return isinstance(value, dict) and bool(value.get("error"))
