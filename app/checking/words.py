"""How is a verdict said to a person? Safe to show: facts may quote the provider."""

from __future__ import annotations

from app.checking.check import Check
from app.checking.quirks.quirk import Quirk
from app.checking.verdicts import Verdict
from app.messages import Messages
from app.safe_text import safe
from providers.failures import Failure


def name_of(check: Check, texts: Messages) -> str:
    """What the check looks at."""
    return texts(f"check.name.{check.name}")


def reason_of(verdict: Verdict, texts: Messages) -> str:
    """Why, in one line; "" where there is nothing to add."""
    if not verdict.reason:
        return ""
    facts = dict(verdict.facts)
    if "kind" in facts:
        facts["kind"] = texts(f"check.kind.{facts['kind']}")
    return safe(texts(f"check.reason.{verdict.reason}", **facts), newlines=False)


def quirk_words(quirk: Quirk, texts: Messages) -> str:
    """What the server does."""
    said = texts(f"check.quirk.{quirk.dialect}.{quirk.name}")
    return f"{quirk.number} · {said}" if quirk.number else said


def failure_words(failure: Failure, texts: Messages) -> str:
    """Why the run ended before its time."""
    return texts("check.stopped", kind=texts(f"check.kind.{failure.kind.value}"))
