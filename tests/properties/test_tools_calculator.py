"""The calculator against fractions, for any expression."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from tools.demo.calculator import written
from tools.demo.expression import ExpressionError, evaluate


@dataclass(frozen=True)
class Tree:
    """An expression as text with its value; None where it has none."""

    text: str
    value: Fraction | None


def outcome(text: str) -> Fraction | ExpressionError:
    try:
        return evaluate(text)
    except ExpressionError as error:
        return error


def leaf(whole: int, places: int) -> Tree:
    return Tree(f"{whole}e-{places}", Fraction(whole, 10**places))


def joined(left: Tree, sign: str, right: Tree) -> Tree:
    text = f"({left.text} {sign} {right.text})"
    a, b = left.value, right.value
    if a is None or b is None or (b == 0 and sign in ("/", "//", "%")):
        return Tree(text, None)
    match sign:
        case "+":
            return Tree(text, a + b)
        case "-":
            return Tree(text, a - b)
        case "*":
            return Tree(text, a * b)
        case "/":
            return Tree(text, a / b)
        case "//":
            return Tree(text, Fraction(a // b))
        case _:
            return Tree(text, a % b)


def negated(tree: Tree) -> Tree:
    return Tree(f"-{tree.text}", None if tree.value is None else -tree.value)


def percent(tree: Tree) -> Tree:
    return Tree(f"({tree.text}%)", None if tree.value is None else tree.value / 100)


def squared(tree: Tree) -> Tree:
    return Tree(f"(({tree.text})^2)", None if tree.value is None else tree.value**2)


leaves = st.builds(leaf, st.integers(0, 10**6), st.integers(0, 4))
signs = st.sampled_from(["+", "-", "*", "/", "//", "%"])
trees = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.builds(joined, inner, signs, inner.map(lambda tree: Tree(f"({tree.text})", tree.value))),
        st.builds(negated, inner),
        st.builds(percent, inner),
        st.builds(squared, inner),
    ),
    max_leaves=8,
)


@given(trees)
def test_every_expression_is_worth_what_fractions_say(tree: Tree) -> None:
    found = outcome(tree.text)
    if isinstance(found, Fraction):
        assert found == tree.value
    else:
        assert tree.value is None or "digits" in str(found) or "deep" in str(found)


@given(st.text(alphabet="0123456789.+-*/%^()eof, ×÷−sqrtmax", max_size=60))
def test_any_text_has_a_value_or_an_error_with_a_place_in_it(text: str) -> None:
    found = outcome(text)
    if isinstance(found, Fraction):
        assert written(found)
    else:
        assert 1 <= found.place <= len(text) + 1


@given(st.fractions(max_denominator=10**40))
def test_what_is_called_exact_is_exact(value: Fraction) -> None:
    answer = written(value)
    read = Fraction(str(answer["value"]))
    if answer["exact"]:
        assert read == value
    else:
        assert abs(read - value) <= abs(value) / 10**27
