"""A run's report as JUnit XML, which every CI can show: a test case for each check."""

from __future__ import annotations

from xml.etree.ElementTree import Element, SubElement, tostring

from app.checking.check import Check
from app.checking.suite import Report
from app.checking.verdicts import Outcome, Verdict
from app.checking.words import name_of, quirk_words, reason_of
from app.messages import Messages
from app.safe_text import safe

_NOT_RUN = (Outcome.SKIPPED, Outcome.NOT_SUPPORTED)


def junit_xml(report: Report, texts: Messages) -> bytes:
    """The whole file. What is not supported counts as skipped: it is no failure."""
    outcomes = [verdict.outcome for _, verdict in report.verdicts]
    origin = report.origin
    counts = {
        "tests": str(len(outcomes)),
        "failures": str(outcomes.count(Outcome.FAILED)),
        "errors": "0",
        "skipped": str(sum(outcome in _NOT_RUN for outcome in outcomes)),
        "time": f"{report.seconds:.3f}",
    }
    where = _line(f"vitral.{origin.provider}.{origin.dialect}.{origin.model}")
    root = Element("testsuites", {"name": "vitral check", **counts})
    suite = SubElement(root, "testsuite", {"name": where, **counts})
    for check, verdict in report.verdicts:
        _add_case(suite, where, check, verdict, texts)
    if report.quirks:
        noted = "\n".join(quirk_words(quirk, texts) for quirk in report.quirks)
        SubElement(suite, "system-out").text = noted
    data: bytes = tostring(root, encoding="utf-8", xml_declaration=True)
    return data


def _add_case(suite: Element, where: str, check: Check, verdict: Verdict, texts: Messages) -> None:
    case = SubElement(suite, "testcase", {"classname": where, "name": check.name})
    said = f"{name_of(check, texts)}: {texts(f'check.outcome.{verdict.outcome.value}')}"
    why = reason_of(verdict, texts)
    message = _line(f"{said}: {why}" if why else said)
    match verdict.outcome:
        case Outcome.FAILED:
            failure = {"type": verdict.reason, "message": message}
            SubElement(case, "failure", failure).text = message
        case Outcome.NOT_SUPPORTED | Outcome.SKIPPED:
            SubElement(case, "skipped", {"message": message})
        case Outcome.NOTED:
            SubElement(case, "system-out").text = message
        case Outcome.PASSED:
            pass


def _line(text: str) -> str:
    """Text that XML can hold: nothing that acts unseen, no noncharacter."""
    return safe(text, newlines=False).replace("\ufffe", "?").replace("\uffff", "?")
