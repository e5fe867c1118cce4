"""What an expression is worth, how the value is written, and what has none."""

from __future__ import annotations

import time
from fractions import Fraction

import pytest

from tests.tool_makers import Recorder, call
from tools.call import ErrorKind
from tools.demo.calculator import calculate, written
from tools.demo.expression import LENGTH, ExpressionError, evaluate


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("12.5 % of 340", "42.5"),
        ("12.5% of 340", "42.5"),
        ("12.5% * 340", "42.5"),
        ("0.1 + 0.2", "0.3"),
        ("1 + 2 * 3", "7"),
        ("(1 + 2) * 3", "9"),
        ("10 - 4 - 3", "3"),
        ("8 / 4 / 2", "1"),
        ("7 / 2", "3.5"),
        ("7 // 2", "3"),
        ("-7 // 2", "-4"),
        ("10 % 3", "1"),
        ("-10 % 3", "2"),
        ("200 % (30)", "20"),
        ("5%", "0.05"),
        ("50% - 3", "-2.5"),
        ("50 % -3", "-2.5"),
        ("5%%", "0.0005"),
        ("(5 + 5)%", "0.1"),
        ("100 + 10%", "100.1"),
        ("-2^2", "-4"),
        ("(-2)**2", "4"),
        ("2^3^2", "512"),
        ("2**-2", "0.25"),
        ("2^50%*0+1", None),
        ("0^0", "1"),
        ("--3", "3"),
        ("+3", "3"),
        ("3 × 4 ÷ 2 − 1 · 1", "5"),
        (".5 + 5.", "5.5"),
        ("1.2e-3", "0.0012"),
        ("1E3", "1000"),
        ("round(2.5)", "3"),
        ("round(-2.5)", "-3"),
        ("round(2/3, 2)", "0.67"),
        ("round(1250, -2)", "1300"),
        ("sqrt(2.25)", "1.5"),
        ("max(1, 2, 1 + 2)", "3"),
        ("min(4, 3)", "3"),
        ("abs(-3) + floor(2.7) + ceil(2.1)", "8"),
        ("-0.05", "-0.05"),
        ("0", "0"),
        (" 1\n+\t1 ", "2"),
    ],
)
def test_an_expression_has_an_exact_value(expression: str, value: str | None) -> None:
    if value is None:
        with pytest.raises(ExpressionError, match="whole exponents"):
            evaluate(expression)
    else:
        assert written(evaluate(expression)) == {"value": value, "exact": True}


@pytest.mark.parametrize(
    ("expression", "place", "reason"),
    [
        ("", 1, "the end"),
        ("1 +", 4, "the end"),
        ("1 + * 2", 5, 'got "*"'),
        ("(1 + 2", 7, "the end"),
        ("1 + 2)", 6, "operator"),
        ("2 3", 3, "operator"),
        ("2(3)", 2, "operator"),
        ("1,5", 2, "decimal point"),
        ("1_000", 2, "no meaning"),
        ("１ + 1", 1, "no meaning"),
        ("__import__('os')", 1, "no meaning"),
        ("foo(1)", 1, "unknown; there are: abs"),
        ("sqrt 4", 6, 'got "4"'),
        ("sqrt(2)", 1, "no exact value"),
        ("sqrt(-4)", 1, "negative"),
        ("abs(1, 2)", 1, "does not take 2"),
        ("round(1, 0.5)", 1, "whole number of places"),
        ("round(1, 10^6)", 1, "whole number of places"),
        ("half of 3", 1, "unknown"),
        ("2 of 3", 3, "after a percent"),
        ("1 / 0", 3, "division by zero"),
        ("1 // (2 - 2)", 3, "division by zero"),
        ("5 % (0)", 3, "division by zero"),
        ("0 ^ -1", 3, "division by zero"),
        ("2 ^ 0.5", 3, "whole exponents"),
        ("9^9^9", 2, "exponent is larger"),
        ("9999^9999", 5, "more than 4000 digits"),
        ("10^3000 * 10^3000", 9, "more than 4000 digits"),
        ("1e999999999999999", 1, "more than 4000 digits"),
        ("(" * 51 + "1" + ")" * 51, 51, "deep"),
        ("-" * 51 + "1", 51, "deep"),
        ("1" * (LENGTH + 1), LENGTH + 1, "longer than"),
    ],
)
def test_an_error_names_its_place_and_its_reason(expression: str, place: int, reason: str) -> None:
    with pytest.raises(ExpressionError, match=reason.replace("(", r"\(").replace("*", r"\*")) as it:
        evaluate(expression)
    assert it.value.place == place
    assert f"at character {place}" in str(it.value)


def test_a_value_that_does_not_end_is_rounded_and_says_so() -> None:
    assert written(Fraction(1, 3)) == {
        "value": "0.3333333333333333333333333333",
        "exact": False,
        "fraction": "1/3",
    }


def test_a_long_decimal_is_rounded_and_leaves_its_fraction_out() -> None:
    assert written(evaluate("1.005^360")) == {
        "value": "6.022575212263216184054046809",
        "exact": False,
    }


def test_a_whole_number_of_a_thousand_digits_is_written_out() -> None:
    assert written(Fraction(10**999))["value"] == "1" + "0" * 999


def test_a_longer_whole_number_is_written_with_an_exponent() -> None:
    assert written(Fraction(10**3000))["value"] == "1.000000000000000000000000000E+3000"


def test_the_longest_value_that_is_allowed_can_be_written() -> None:
    longest = evaluate("(10^3999 + 1) / 2^1000")
    assert written(longest)["exact"] is False


@pytest.mark.parametrize(
    "expression",
    [
        "+".join(f"1/{prime}^400" for prime in (3, 7, 11, 13)),
        "max(" + ",".join(["3^8000"] * 120) + ")",
        " + ".join(["(7^4000/3 % 5^99)"] * 50),
        "(" * 49 + "3^8000/7^4700" + ")" * 49,
    ],
    ids=["fractions", "many values", "remainders", "deep"],
)
def test_the_hardest_expressions_are_quick(expression: str) -> None:
    started = time.perf_counter()
    assert written(evaluate(expression))
    assert time.perf_counter() - started < 1


async def test_the_tool_gives_the_expression_back_with_its_value() -> None:
    results = await Recorder().dispatch(
        [call("calculate", expression="12.5 % of 340")], [calculate]
    )
    assert results[0].output == {"expression": "12.5 % of 340", "value": "42.5", "exact": True}


async def test_the_tool_tells_the_model_what_is_wrong() -> None:
    results = await Recorder().dispatch([call("calculate", expression="1 / 0")], [calculate])
    assert results[0].error is not None
    assert results[0].error.kind is ErrorKind.FAILED
    assert results[0].error.message == "Cannot calculate: division by zero (at character 3)."
