"""A person's measurements in the demo database."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, Field

from tools.database import opened
from tools.tool import JsonValue, ToolContext, ToolFailure, tool

NEWEST = """
    SELECT key, value, unit FROM measurements
    WHERE key = ? ORDER BY taken_at DESC, id DESC LIMIT 1
"""


class Lookup(BaseModel):
    key: Literal["height", "weight"] = Field(description="Which measurement to look up.")


@tool
def lookup_demo_value(arguments: Lookup, context: ToolContext) -> JsonValue:
    """Looks up the person's height or weight: the newest value that was saved, with its unit."""
    with opened(context.database) as connection:
        row = connection.execute(NEWEST, (arguments.key,)).fetchone()
    if row is None:
        message = f"No {arguments.key} has been saved yet."
        raise ToolFailure(message)
    return {"key": row["key"], "value": row["value"], "unit": row["unit"]}
