"""The small schema that every provider accepts, and its strict form."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from enum import StrEnum
from typing import Any, Literal

import pytest
from pydantic import BaseModel, ConfigDict, Field

from tools.demo import demo_toolbox
from tools.schema import parameters_of, strict_parameters_of


class Day(StrEnum):
    MONDAY = "monday"
    FRIDAY = "friday"


class Exercise(BaseModel):
    """One exercise."""

    model_config = ConfigDict(extra="forbid")

    name: str
    sets: int = Field(gt=0, lt=20)


class Everything(BaseModel):
    """Never sent: the tool has its own description."""

    nothing_special: str
    day: Day
    days: list[Day]
    exercise: Exercise = Field(description="The main one.")
    exercises: list[Exercise] = Field(min_length=1, max_length=9)
    kind: Literal["only"]
    maybe: int | None = None
    known_or_null: int | None
    exercise_or_null: Exercise | None
    perhaps: Exercise | None = None
    weight: Decimal = Field(default=Decimal("1.5"), gt=0)
    born: date | None = None
    pair: tuple[int, str]
    corner: tuple[float, float]
    either: int | str = 3
    code: str = Field(default="", pattern="^[a-z]+$", max_length=5)


class Empty(BaseModel):
    pass


class Map(BaseModel):
    counts: dict[str, int]


class Anything(BaseModel):
    value: Any


class Tree(BaseModel):
    children: list[Tree]


def small(name: str) -> Any:
    return parameters_of(Everything)["properties"][name]


EXERCISE = {
    "type": "object",
    "properties": {
        "name": {"type": "string"},
        "sets": {"type": "integer", "minimum": 1, "maximum": 19},
    },
    "required": ["name", "sets"],
    "description": "One exercise.",
}


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("nothing_special", {"type": "string"}),
        ("day", {"type": "string", "enum": ["monday", "friday"]}),
        ("days", {"type": "array", "items": {"type": "string", "enum": ["monday", "friday"]}}),
        ("exercise", {**EXERCISE, "description": "The main one."}),
        ("exercises", {"type": "array", "items": EXERCISE, "minItems": 1, "maxItems": 9}),
        ("kind", {"type": "string", "enum": ["only"]}),
        ("maybe", {"type": "integer"}),
        ("known_or_null", {"type": ["integer", "null"]}),
        ("exercise_or_null", {"anyOf": [EXERCISE, {"type": "null"}]}),
        ("perhaps", EXERCISE),
        ("weight", {"type": "number", "description": "(more than 0, default 1.5)"}),
        ("born", {"type": "string", "description": "(format date)"}),
        (
            "pair",
            {
                "type": "array",
                "items": {"anyOf": [{"type": "integer"}, {"type": "string"}]},
                "minItems": 2,
                "maxItems": 2,
            },
        ),
        (
            "corner",
            {"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 2},
        ),
        (
            "either",
            {"anyOf": [{"type": "integer"}, {"type": "string"}], "description": "(default 3)"},
        ),
        (
            "code",
            {
                "type": "string",
                "description": '(length at most 5, matching ^[a-z]+$, default "")',
            },
        ),
    ],
)
def test_a_field_becomes_what_every_provider_takes(name: str, expected: object) -> None:
    assert small(name) == expected


def test_the_root_names_the_required_fields_and_nothing_else() -> None:
    schema = parameters_of(Everything)
    assert set(schema) == {"type", "properties", "required"}
    assert "maybe" not in schema["required"]


def test_a_model_without_fields_still_has_properties() -> None:
    assert parameters_of(Empty) == {"type": "object", "properties": {}}


def test_a_map_says_what_it_holds() -> None:
    counts = parameters_of(Map)["properties"]["counts"]
    assert counts["additionalProperties"] == {"type": "integer"}


def test_a_model_that_holds_itself_is_refused() -> None:
    with pytest.raises(TypeError, match="Tree holds itself"):
        parameters_of(Tree)


def words_of(node: Any) -> set[str]:
    """Every key that a schema uses as a keyword, not as a property's name."""
    if isinstance(node, list):
        return set().union(*map(words_of, node))
    if not isinstance(node, dict):
        return set()
    inner = [words_of(value) for key, value in node.items() if key != "properties"]
    named = [words_of(value) for value in node.get("properties", {}).values()]
    return set(node).union(*inner, *named)


def test_no_keyword_that_breaks_a_server_is_left() -> None:
    allowed = {"type", "properties", "required", "items", "enum", "anyOf", "description"}
    bounds = {"minimum", "maximum", "minItems", "maxItems"}
    assert words_of(parameters_of(Everything)) <= allowed | bounds


def strict(name: str) -> Any:
    schema = strict_parameters_of(Everything)
    assert schema is not None
    return schema["properties"][name]


def test_the_strict_form_requires_every_property() -> None:
    schema = strict_parameters_of(Everything)
    assert schema is not None
    assert schema["required"] == list(Everything.model_fields)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("nothing_special", {"type": "string"}),
        ("maybe", {"type": ["integer", "null"]}),
        ("known_or_null", {"type": ["integer", "null"]}),
        (
            "either",
            {
                "anyOf": [{"type": "integer"}, {"type": "string"}, {"type": "null"}],
                "description": "(default 3)",
            },
        ),
    ],
)
def test_the_strict_form_makes_optional_fields_nullable(name: str, expected: object) -> None:
    assert strict(name) == expected


def test_the_strict_form_closes_nested_objects_and_puts_bounds_in_words() -> None:
    items = strict("exercises")["items"]
    assert items["additionalProperties"] is False
    assert items["properties"]["sets"] == {
        "type": "integer",
        "description": "(at least 1, at most 19)",
    }


def test_an_optional_enum_may_be_null_in_the_strict_form() -> None:
    class Optional(BaseModel):
        day: Day = Day.MONDAY

    schema = strict_parameters_of(Optional)
    assert schema is not None
    assert schema["properties"]["day"] == {
        "type": ["string", "null"],
        "enum": ["monday", "friday", None],
        "description": "(default monday)",
    }


@pytest.mark.parametrize("model", [Map, Anything])
def test_a_free_form_model_has_no_strict_form(model: type[BaseModel]) -> None:
    assert strict_parameters_of(model) is None


def test_every_demo_tool_has_a_strict_form() -> None:
    assert all(tool.strict_parameters for tool in demo_toolbox())
