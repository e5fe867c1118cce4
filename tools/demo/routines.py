"""Training routines in the demo database: arguments with objects in a list, checked as a whole."""

from __future__ import annotations

import sqlite3
from datetime import UTC, datetime
from enum import StrEnum

from pydantic import BaseModel, Field

from tools.database import opened
from tools.permission import Change, Values
from tools.tool import Effect, JsonValue, ToolContext, ToolFailure, tool


class Day(StrEnum):
    MONDAY = "monday"
    TUESDAY = "tuesday"
    WEDNESDAY = "wednesday"
    THURSDAY = "thursday"
    FRIDAY = "friday"
    SATURDAY = "saturday"
    SUNDAY = "sunday"


class Kind(StrEnum):
    STRENGTH = "strength"
    CARDIO = "cardio"
    MOBILITY = "mobility"


class Exercise(BaseModel):
    name: str = Field(min_length=1, max_length=80, description="Such as Squat or Rowing.")
    kind: Kind
    sets: int | None = Field(default=None, ge=1, le=20, description="Strength only.")
    repetitions: int | None = Field(default=None, ge=1, le=200, description="Strength only.")
    minutes: int | None = Field(default=None, ge=1, le=300, description="Cardio and mobility only.")


class Routine(BaseModel):
    name: str = Field(min_length=1, max_length=80, description="A name that no routine has yet.")
    days: list[Day] = Field(min_length=1, max_length=7)
    exercises: list[Exercise] = Field(min_length=1, max_length=30)


def _creating(arguments: Routine, context: ToolContext) -> Change:
    with opened(context.database) as connection:
        _check(connection, arguments)
    values: Values = {
        "name": _tidy(arguments.name),
        "days": len(arguments.days),
        "exercises": len(arguments.exercises),
    }
    return Change("change.routine", values)


@tool(effect=Effect.WRITE, transactional=True, preview=_creating)
def create_routine(arguments: Routine, context: ToolContext) -> JsonValue:
    """Creates a training routine: on which days, and which exercises in which order."""
    connection = context.transaction
    _check(connection, arguments)
    name, now = _tidy(arguments.name), datetime.now(UTC).isoformat(timespec="seconds")
    routine = connection.execute(
        "INSERT INTO routines (name, folded_name, created_at) VALUES (?, ?, ?)",
        (name, name.casefold(), now),
    ).lastrowid
    connection.executemany(
        "INSERT INTO routine_days (routine, day) VALUES (?, ?)",
        [(routine, day.value) for day in arguments.days],
    )
    connection.executemany(
        "INSERT INTO routine_exercises (routine, place, name, kind, sets, repetitions, minutes)"
        " VALUES (?, ?, ?, ?, ?, ?, ?)",
        [
            (routine, place, one.name, one.kind.value, one.sets, one.repetitions, one.minutes)
            for place, one in enumerate(arguments.exercises)
        ],
    )
    return {"id": routine, "name": name, "exercises": len(arguments.exercises)}


def _check(connection: sqlite3.Connection, routine: Routine) -> None:
    """Raises ToolFailure for a routine that makes no sense or has a name that is taken."""
    name = _tidy(routine.name)
    if not name:
        message = "A routine needs a name that is more than spaces."
        raise ToolFailure(message)
    if len(set(routine.days)) < len(routine.days):
        message = "A day may be named once only."
        raise ToolFailure(message)
    for exercise in routine.exercises:
        _check_exercise(exercise)
    taken = connection.execute(
        "SELECT name FROM routines WHERE folded_name = ?", (name.casefold(),)
    ).fetchone()
    if taken is not None:
        message = f"There is already a routine named {taken['name']!r}: choose another name."
        raise ToolFailure(message)


def _check_exercise(exercise: Exercise) -> None:
    in_sets = (exercise.sets, exercise.repetitions)
    strength = exercise.kind is Kind.STRENGTH
    fits = None not in in_sets and exercise.minutes is None
    if not strength:
        fits = in_sets == (None, None) and exercise.minutes is not None
    if not fits:
        wanted = "sets and repetitions, and no minutes" if strength else "minutes only"
        message = f"{exercise.name!r} is a {exercise.kind.value} exercise: it needs {wanted}."
        raise ToolFailure(message)


def _tidy(name: str) -> str:
    """A name without spaces around it or doubled in it."""
    return " ".join(name.split())
