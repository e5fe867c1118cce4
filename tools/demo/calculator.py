"""Exact arithmetic as a tool: how a value is written for the model.

`value` is always a text, because JSON numbers lose digits on the way. It is the exact value
where that is a whole number or a decimal of at most SHOWN digits; else it is rounded to
PRECISION significant digits, `exact` is false, and `fraction` has the exact value if it is short.
"""

from __future__ import annotations

from decimal import ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction

from pydantic import BaseModel, Field

from tools.demo.expression import LENGTH, ExpressionError, evaluate
from tools.tool import JsonValue, ToolContext, ToolFailure, tool

SHOWN = 1_000
PRECISION = 28
FRACTION_LENGTH = 100
LONGEST_PLAIN = 40
"""Digits of a rounded value before it is written with an exponent."""


class Calculation(BaseModel):
    expression: str = Field(
        min_length=1,
        max_length=LENGTH,
        description="Such as (2 + 3) * 4.5, 2^10, 12.5% of 340 or round(2/3, 2).",
    )


@tool
def calculate(arguments: Calculation, context: ToolContext) -> JsonValue:
    """Calculates exactly, with whole numbers, decimals and fractions.

    Operators: + - * / // (rounded down), ** or ^ (power), parentheses. % after a value is
    percent (10% is 0.1), between two values the remainder. Functions: abs, ceil, floor, max, min,
    round(value, places), sqrt (of squares only). Decimals are written with a point.
    """
    try:
        value = evaluate(arguments.expression)
    except ExpressionError as error:
        message = f"Cannot calculate: {error}."
        raise ToolFailure(message) from error
    return {"expression": arguments.expression, **written(value)}


def written(value: Fraction) -> dict[str, JsonValue]:
    """`value`, `exact` and perhaps `fraction`, as the model gets them."""
    exact = _exact(value)
    if exact is not None:
        return {"value": exact, "exact": True}
    rounding = Context(prec=PRECISION, rounding=ROUND_HALF_EVEN)
    rounded = rounding.divide(Decimal(value.numerator), Decimal(value.denominator))
    short = abs(rounded.adjusted()) < LONGEST_PLAIN
    answer: dict[str, JsonValue] = {
        "value": format(rounded, "f") if short else str(rounded),
        "exact": False,
    }
    fraction = str(value)
    if len(fraction) <= FRACTION_LENGTH:
        answer["fraction"] = fraction
    return answer


def _exact(value: Fraction) -> str | None:
    """The value as a plain decimal; None if it does not end, or ends after SHOWN digits."""
    rest, twos, fives = value.denominator, 0, 0
    while rest % 2 == 0:
        rest, twos = rest // 2, twos + 1
    while rest % 5 == 0:
        rest, fives = rest // 5, fives + 1
    places = max(twos, fives)
    if rest != 1 or places > SHOWN:
        return None
    scaled = abs(value.numerator) * 10**places // value.denominator
    if scaled >= 10**SHOWN:
        return None
    digits = str(scaled).rjust(places + 1, "0")
    whole, decimals = digits[: len(digits) - places], digits[len(digits) - places :]
    sign = "-" if value < 0 else ""
    return f"{sign}{whole}.{decimals}" if decimals else f"{sign}{whole}"
