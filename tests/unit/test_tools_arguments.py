"""Which arguments are refused, and in which words."""

from __future__ import annotations

from decimal import Decimal
from enum import StrEnum
from typing import Literal

import pytest
from pydantic import BaseModel, field_validator

from tools.arguments import ArgumentsError, checked
from tools.call import FieldProblem


class Unit(StrEnum):
    CM = "cm"
    KG = "kg"


class Part(BaseModel):
    count: int
    note: str = "none"


class Given(BaseModel):
    whole: int = 0
    decimal: Decimal = Decimal(0)
    real: float = 0
    flag: bool = False
    unit: Unit = Unit.CM
    key: Literal["a", "b"] = "a"
    pair: tuple[int, str] = (0, "")
    parts: list[Part] = []
    needed: Decimal | None

    @field_validator("whole")
    @classmethod
    def _small(cls, value: int) -> int:
        if value > 100:
            message = "at most a hundred"
            raise ValueError(message)
        return value


def given(**args: object) -> Given:
    found = checked({"needed": None, **args}, Given)
    assert isinstance(found, Given)
    return found


def problems(**args: object) -> tuple[FieldProblem, ...]:
    with pytest.raises(ArgumentsError) as raised:
        given(**args)
    return raised.value.problems


@pytest.mark.parametrize(
    ("args", "problem"),
    [
        ({"whole": "170"}, ("whole", "a valid integer", 'the string "170"')),
        ({"whole": True}, ("whole", "a valid integer", "the boolean true")),
        ({"whole": 1.0}, ("whole", "a valid integer", "the number 1.0")),
        ({"whole": None, "extra": 1}, ("extra", None, "the number 1")),
        ({"whole": 101}, ("whole", "at most a hundred", "the number 101")),
        ({"decimal": "170"}, ("decimal", "a number, not in quotes", 'the string "170"')),
        ({"needed": "1"}, ("needed", "a number, not in quotes", 'the string "1"')),
        ({"real": "3"}, ("real", None, 'the string "3"')),
        ({"real": True}, ("real", None, "the boolean true")),
        ({"flag": 1}, ("flag", None, "the number 1")),
        ({"unit": "lb"}, ("unit", "'cm' or 'kg'", 'the string "lb"')),
        ({"key": ["a"]}, ("key", "'a' or 'b'", 'the list ["a"]')),
        ({"parts": [{"count": "2"}]}, ("parts.0.count", "a valid integer", 'the string "2"')),
        ({"parts": [{"count": 2, "x": {}}]}, ("parts.0.x", None, "the object {}")),
        ({"parts": [{}]}, ("parts.0.count", "a value: it is required", "nothing")),
        ({"real": float("nan")}, ("", "values that JSON has", None)),
        ({"unit": "\ud83d"}, ("", "whole Unicode characters", "half of a surrogate pair")),
    ],
)
def test_what_does_not_fit_is_told_by_field_wanted_and_got(
    args: dict[str, object], problem: tuple[str, str | None, str | None]
) -> None:
    found = problems(**args)
    assert len(found) == 1
    field, wanted, got = problem
    assert found[0].field == field
    assert wanted in (None, found[0].wanted)
    assert got in (None, found[0].got)


def test_a_missing_argument_is_named() -> None:
    with pytest.raises(ArgumentsError, match="needed: wanted a value"):
        checked({}, Given)


def test_an_unknown_argument_hears_which_there_are() -> None:
    assert "whole, decimal" in problems(hole=1)[0].wanted


def test_all_problems_are_told_at_once() -> None:
    assert [problem.field for problem in problems(whole="1", key="c")] == ["whole", "key"]


def test_a_long_wrong_value_is_cut() -> None:
    assert len(problems(whole="x" * 10_000)[0].got) < 120


@pytest.mark.parametrize(
    ("args", "field", "value"),
    [
        ({"decimal": 170}, "decimal", Decimal(170)),
        ({"decimal": 72.1}, "decimal", Decimal("72.1")),
        ({"real": 3}, "real", 3.0),
        ({"unit": "kg"}, "unit", Unit.KG),
        ({"pair": [1, "a"]}, "pair", (1, "a")),
        ({"whole": None}, "whole", 0),
        ({"parts": [{"count": 1, "note": None}]}, "parts", [Part(count=1)]),
    ],
)
def test_what_json_can_say_only_so_is_taken(
    args: dict[str, object], field: str, value: object
) -> None:
    assert getattr(given(**args), field) == value


def test_what_is_nested_too_deeply_is_called_that() -> None:
    value: list[object] = []
    for _ in range(240):
        value = [value]
    assert "nested" in problems(key=value)[0].wanted
