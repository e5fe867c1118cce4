"""A person's measurements in the demo database: each that was saved is kept, the newest counts."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Literal, NamedTuple, TypeAlias

from pydantic import BaseModel, Field

from tools.database import opened
from tools.permission import Change, Values
from tools.tool import Effect, JsonValue, ToolContext, ToolFailure, tool

Key: TypeAlias = Literal["height", "weight"]


class Kind(NamedTuple):
    """The unit of a measurement, and between which values it is plausible."""

    unit: str
    least: float
    most: float


KINDS: Mapping[Key, Kind] = {
    "height": Kind("cm", 40, 280),
    "weight": Kind("kg", 1, 650),
}

NEWEST = """
    SELECT key, value, unit FROM measurements
    WHERE key = ? ORDER BY taken_at DESC, id DESC LIMIT 1
"""
INSERT = "INSERT INTO measurements (key, value, unit, taken_at) VALUES (?, ?, ?, ?)"


class Lookup(BaseModel):
    key: Key = Field(description="Which measurement to look up.")


class Saving(BaseModel):
    key: Key = Field(description="Which measurement to save.")
    value: float = Field(description="Height in centimetres or weight in kilograms.")
    unit: Literal["cm", "kg"] | None = Field(
        default=None, description="cm for a height, kg for a weight; convert other units first."
    )


@tool
def lookup_demo_value(arguments: Lookup, context: ToolContext) -> JsonValue:
    """Looks up the person's height or weight: the newest value that was saved, with its unit."""
    with opened(context.database) as connection:
        newest = _newest(connection, arguments.key)
    if newest is None:
        message = f"No {arguments.key} has been saved yet."
        raise ToolFailure(message)
    return newest


def _saving(arguments: Saving, context: ToolContext) -> Change:
    kind = _checked(arguments)
    with opened(context.database) as connection:
        newest = _newest(connection, arguments.key)
    values: Values = {
        "value": f"{arguments.value:.10g}",
        "unit": kind.unit,
        "now": f"{newest['value']} {newest['unit']}" if newest else "–",
    }
    match arguments.key:
        case "height":
            return Change("change.height", values)
        case "weight":
            return Change("change.weight", values)


@tool(effect=Effect.WRITE, transactional=True, preview=_saving)
def save_measurement(arguments: Saving, context: ToolContext) -> JsonValue:
    """Saves a new height or weight of the person. Earlier values are kept."""
    kind = _checked(arguments)
    connection = context.transaction
    before = _newest(connection, arguments.key)
    now = datetime.now(UTC).isoformat(timespec="microseconds")
    connection.execute(INSERT, (arguments.key, arguments.value, kind.unit, now))
    return {"saved": _newest(connection, arguments.key), "before": before}


def _newest(connection: sqlite3.Connection, key: Key) -> dict[str, str | int | float] | None:
    row = connection.execute(NEWEST, (key,)).fetchone()
    return None if row is None else {"key": row["key"], "value": row["value"], "unit": row["unit"]}


def _checked(saving: Saving) -> Kind:
    """The kind of measurement, if this can be one of a person; raises ToolFailure."""
    kind = KINDS[saving.key]
    if saving.unit not in (None, kind.unit):
        message = f"A {saving.key} is saved in {kind.unit}, not in {saving.unit}: convert it first."
        raise ToolFailure(message)
    if not kind.least <= saving.value <= kind.most:
        message = (
            f"{saving.value:g} {kind.unit} is no plausible {saving.key}: wanted {kind.least:g} to "
            f"{kind.most:g} {kind.unit}. Ask the person what they meant."
        )
        raise ToolFailure(message)
    return kind
