"""Which sum does a question hold? The simulator writes it down; the calculator works it out."""

from __future__ import annotations

import re

from providers.simulator.phrases import Phrases, plain

_NUMBER = r"\d+(?:\.\d+)?"
_TERM = rf"(?:\(\s*)*(?:-\s*)?{_NUMBER}(?:\s*\))*"
_SUM = re.compile(rf"{_TERM}(?:\s*(?:\*\*|% of|[-+*/])\s*{_TERM})+")
_DATE = re.compile(r"\d{4}-\d{1,2}-\d{1,2}|\d{1,2}/\d{1,2}/\d{2,4}")
FIGURES = re.compile(r"\d[\d.,]*\d|\d")


def find_sum(question: str, phrases: Phrases) -> str | None:
    """The question's sum as an expression, such as `12.5% of 340`; None when there is none."""
    text = _DATE.sub(" ", plain(question))
    text = FIGURES.sub(lambda figures: number(figures[0], phrases.decimal), text)
    text = _with_operators(text, phrases)
    found = max(_SUM.findall(text), key=len, default="")
    return found if found and found.count("(") == found.count(")") else None


def _with_operators(text: str, phrases: Phrases) -> str:
    words = [(word, sign) for sign, several in phrases.sums.items() for word in several]
    for word, sign in sorted(words, key=lambda pair: len(pair[0]), reverse=True):
        between = rf"(?<=[\d)])\s*{re.escape(plain(word))}\s*(?=[-(\d])"
        text = re.sub(between, f" {sign} ", text)
    return text.replace(" %", "%")


def number(figures: str, decimal: str) -> str:
    """Figures as people write them, with a point for decimals and no thousands."""
    thousands = "," if decimal == "." else "."
    if re.fullmatch(
        rf"\d{{1,3}}(?:{re.escape(thousands)}\d{{3}})+(?:{re.escape(decimal)}\d+)?", figures
    ):
        return figures.replace(thousands, "").replace(decimal, ".")
    if figures.count(".") + figures.count(",") == 1:
        return figures.replace(",", ".")
    return figures
