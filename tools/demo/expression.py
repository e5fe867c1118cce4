"""What an arithmetic expression is worth, exactly, as a fraction.

    sum     = product (("+" | "-") product)*
    product = sign (("*" | "/" | "//" | "%" | "of") sign)*
    sign    = ("-" | "+") sign | power
    power   = percent (("**" | "^") sign)?          -- from the right: 2^3^2 is 2^9; -2^2 is -4
    percent = atom "%"*
    atom    = number | "(" sum ")" | name "(" sum ("," sum)* ")"

`%` means percent, unless a number, a name or "(" follows: then it is the remainder, with the
divisor's sign, and `//` the quotient rounded down. So `12.5% * 340`, `50% - 3` and `5%` are
percents and `10 % 3` is 1. `of` multiplies and stands right after a percent: `12.5 % of 340`.
Also read: × · ÷ − and a number such as `.5` or `1.2e-3`.

There is no eval here: every step is a bounded one on fractions of at most DIGITS digits, in an
expression of at most LENGTH characters, so that no input can take long.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction

LENGTH = 1_000
DEPTH = 50
DIGITS = 4_000
BITS = int(DIGITS * math.log2(10))
EXPONENT = 10_000

TOKEN = re.compile(
    r"(?P<number>(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)"
    r"|(?P<name>[A-Za-z]+)"
    r"|(?P<sign>\*\*|//|[-+*/%^(),×·÷−])"
)
SPELLINGS = {"×": "*", "·": "*", "÷": "/", "−": "-", "^": "**"}
OPERANDS = ("number", "name", "(")
"""What can begin the right side of a remainder."""


class ExpressionError(Exception):
    """The expression has no value here. `place` counts characters from 1."""

    def __init__(self, place: int, reason: str) -> None:
        super().__init__(f"{reason} (at character {place})")
        self.place = place


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of the expression. `kind` is "number", "name", "end" or the sign itself."""

    kind: str
    text: str
    place: int


def evaluate(expression: str) -> Fraction:
    """The exact value; raises ExpressionError."""
    if len(expression) > LENGTH:
        raise ExpressionError(LENGTH + 1, f"the expression is longer than {LENGTH} characters")
    return _Reader(_tokens(expression)).whole()


def _tokens(expression: str) -> list[Token]:
    found: list[Token] = []
    at = 0
    while at < len(expression):
        if expression[at].isspace():
            at += 1
            continue
        match = TOKEN.match(expression, at)
        if match is None:
            raise ExpressionError(at + 1, f"{expression[at]!r} has no meaning here")
        text = SPELLINGS.get(match[0], match[0])
        kind = text if match.lastgroup == "sign" or text == "of" else str(match.lastgroup)
        found.append(Token(kind, text, at + 1))
        at = match.end()
    return [*found, Token("end", "the end", len(expression) + 1)]


class _Reader:
    """Reads the tokens from left to right and computes on the way."""

    def __init__(self, tokens: list[Token]) -> None:
        self._tokens = tokens
        self._at = 0
        self._depth = 0

    def whole(self) -> Fraction:
        value = self._sum()
        if self._next.kind != "end":
            raise self._unexpected("an operator")
        return value

    @property
    def _next(self) -> Token:
        return self._tokens[self._at]

    def _take(self) -> Token:
        token = self._tokens[self._at]
        self._at += 1
        return token

    def _unexpected(self, wanted: str) -> ExpressionError:
        token = self._next
        got = token.text if token.kind == "end" else f'"{token.text}"'
        if token.kind == ",":
            wanted += " or a decimal point (12.5)"
        return ExpressionError(token.place, f"wanted {wanted}, got {got}")

    def _sum(self) -> Fraction:
        value = self._product()
        while self._next.kind in ("+", "-"):
            sign = self._take()
            right = self._product()
            value = _bounded(value + right if sign.kind == "+" else value - right, sign)
        return value

    def _product(self) -> Fraction:
        value = self._sign()
        while self._next.kind in PRODUCTS:
            sign = self._take()
            if sign.kind == "of" and self._tokens[self._at - 2].kind != "%":
                raise ExpressionError(sign.place, '"of" stands right after a percent: 5% of 40')
            right = self._sign()
            if right == 0 and sign.kind in ("/", "//", "%"):
                raise ExpressionError(sign.place, "division by zero")
            value = _bounded(PRODUCTS[sign.kind](value, right), sign)
        return value

    def _sign(self) -> Fraction:
        if self._next.kind not in ("+", "-"):
            return self._power()
        sign = self._take()
        value = self._deeper(sign, self._sign)
        return -value if sign.kind == "-" else value

    def _power(self) -> Fraction:
        value = self._percent()
        if self._next.kind != "**":
            return value
        sign = self._take()
        return _power(value, self._deeper(sign, self._sign), sign)

    def _percent(self) -> Fraction:
        value = self._atom()
        while self._next.kind == "%" and self._tokens[self._at + 1].kind not in OPERANDS:
            value = _bounded(value / 100, self._take())
        return value

    def _atom(self) -> Fraction:
        match self._next.kind:
            case "number":
                return _number(self._take())
            case "(":
                value = self._deeper(self._take(), self._sum)
                self._close()
                return value
            case "name":
                return self._function(self._take())
            case _:
                raise self._unexpected('a number or "("')

    def _function(self, name: Token) -> Fraction:
        if name.text not in FUNCTIONS:
            known = ", ".join(FUNCTIONS)
            raise ExpressionError(name.place, f'"{name.text}" is unknown; there are: {known}')
        if self._next.kind != "(":
            raise self._unexpected(f'"(" after {name.text}')
        values = [self._deeper(self._take(), self._sum)]
        while self._next.kind == ",":
            values.append(self._deeper(self._take(), self._sum))
        self._close()
        function = FUNCTIONS[name.text]
        if not function.fewest <= len(values) <= function.most:
            raise ExpressionError(name.place, f"{name.text} does not take {len(values)} values")
        try:
            return _bounded(function.of(*values), name)
        except ValueError as error:
            raise ExpressionError(name.place, str(error)) from error

    def _close(self) -> None:
        if self._next.kind != ")":
            raise self._unexpected('")" or an operator')
        self._take()

    def _deeper(self, token: Token, read: Callable[[], Fraction]) -> Fraction:
        if self._depth >= DEPTH:
            raise ExpressionError(token.place, f"nested more than {DEPTH} deep")
        self._depth += 1
        value = read()
        self._depth -= 1
        return value


def _number(token: Token) -> Fraction:
    _, _, exponent = token.text.lower().partition("e")
    if len(exponent.lstrip("+-0")) > len(str(DIGITS)) or abs(int(exponent or 0)) > DIGITS:
        raise ExpressionError(token.place, f"a number of more than {DIGITS} digits")
    return _bounded(Fraction(token.text), token)


def _bounded(value: Fraction, token: Token) -> Fraction:
    if max(value.numerator.bit_length(), value.denominator.bit_length()) > BITS:
        raise ExpressionError(token.place, f"the result has more than {DIGITS} digits")
    return value


def _power(value: Fraction, exponent: Fraction, sign: Token) -> Fraction:
    if exponent.denominator != 1:
        raise ExpressionError(sign.place, "only whole exponents have an exact result")
    if value == 0 and exponent < 0:
        raise ExpressionError(sign.place, "division by zero")
    if abs(exponent) > EXPONENT:
        raise ExpressionError(sign.place, f"the exponent is larger than {EXPONENT}")
    bits = max(value.numerator.bit_length(), value.denominator.bit_length())
    if (bits - 1) * abs(exponent) > BITS:  # before it is computed: the least that it would have
        raise ExpressionError(sign.place, f"the result has more than {DIGITS} digits")
    return _bounded(value ** int(exponent), sign)


def _rounded(value: Fraction, places: Fraction = Fraction(0)) -> Fraction:
    """Rounded to decimal places, halves away from zero, as one learns at school."""
    if places.denominator != 1 or abs(places) > DIGITS // 4:
        message = f"round wants a whole number of places, at most {DIGITS // 4}"
        raise ValueError(message)
    scale = Fraction(10) ** int(places)
    size = math.floor(abs(value) * scale + Fraction(1, 2)) / scale
    return -size if value < 0 else size


def _root(value: Fraction) -> Fraction:
    """The square root where it is a fraction; any other cannot be given exactly."""
    if value < 0:
        message = "a negative number has no square root here"
        raise ValueError(message)
    root = Fraction(math.isqrt(value.numerator), math.isqrt(value.denominator))
    if root * root != value:
        message = "this square root is no fraction and has no exact value"
        raise ValueError(message)
    return root


@dataclass(frozen=True, slots=True)
class _Function:
    of: Callable[..., Fraction]
    fewest: int = 1
    most: int = 1


FUNCTIONS: Mapping[str, _Function] = {
    "abs": _Function(abs),
    "ceil": _Function(lambda value: Fraction(math.ceil(value))),
    "floor": _Function(lambda value: Fraction(math.floor(value))),
    "max": _Function(lambda *values: max(values), most=LENGTH),
    "min": _Function(lambda *values: min(values), most=LENGTH),
    "round": _Function(_rounded, most=2),
    "sqrt": _Function(_root),
}

PRODUCTS: Mapping[str, Callable[[Fraction, Fraction], Fraction]] = {
    "*": lambda left, right: left * right,
    "of": lambda left, right: left * right,
    "/": lambda left, right: left / right,
    "//": lambda left, right: Fraction(left // right),
    "%": lambda left, right: left % right,
}
