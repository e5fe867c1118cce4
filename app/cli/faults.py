"""`vitral faults`: what can be made to go wrong, and what does a correct client do then?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.cli.codes import Code
from app.cli.options import json_option
from app.cli.output import write_json, write_line
from app.cli.teaching import Taught, taught
from app.messages import Messages
from providers.dialects import DIALECT_IDS

if TYPE_CHECKING:
    from providers.faults import Fault, Outcome
    from tools.call import JsonObject


def command(texts: Messages) -> Taught:
    """`faults` in a language."""

    def run(as_json: bool, language: str | None) -> int:
        from providers.faults import FAMILIES, FAULTS

        column = max(map(len, FAULTS)) + 2
        for number, (family, faults) in enumerate(FAMILIES.items()):
            if not as_json:
                _head(texts(f"cli.faults.family.{family}"), first=number == 0)
            for fault in faults:
                if as_json:
                    write_json(_document(fault, family, texts))
                else:
                    _show(fault, texts, column)
        return Code.ANSWERED

    return taught("faults", texts, run, [json_option(texts)])


def _head(title: str, *, first: bool) -> None:
    if not first:
        write_line()
    write_line(title, style="bold")


def _show(fault: Fault, texts: Messages, column: int) -> None:
    about = texts(fault.about)
    if fault.dialects != DIALECT_IDS:
        about += " " + texts("cli.faults.only", dialects=", ".join(fault.dialects))
    write_line(f"  {fault.name:<{column}}{about}")
    write_line(f"  {'':<{column}}→ {texts(fault.right)}", style="dim")


def _document(fault: Fault, family: str, texts: Messages) -> JsonObject:
    return {
        "name": fault.name,
        "family": family,
        "about": texts(fault.about),
        "right": texts(fault.right),
        "dialects": list(fault.dialects),
        "model_slip": fault.slip,
        "expected": {
            dialect: {
                "calls": _expected(fault.expected(dialect, calls=True)),
                "words": _expected(fault.expected(dialect, calls=False)),
            }
            for dialect in fault.dialects
        },
    }


def _expected(outcome: Outcome) -> JsonObject:
    """What a correct client makes of an answer: how much of it, or which failure."""
    from providers.faults import Fails

    match outcome:
        case Fails(kind=kind, passes=passes, wait=wait):
            return {"answer": None, "failure": kind.value, "retry": passes, "wait": wait}
        case sight:
            return {"answer": sight.value, "failure": None, "retry": False, "wait": None}
