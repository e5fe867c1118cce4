"""Do the results come into the answer?"""

from __future__ import annotations

from app.checking.check import check
from app.checking.evidence import Evidence
from app.checking.offers import HEIGHT, WEIGHT
from app.checking.verdicts import PASSED, Verdict, failed, skipped


@check("round-trip", "call", "answered")
def round_trip(evidence: Evidence) -> Verdict:
    return _said(evidence, "call", "answered", (HEIGHT,))


@check("parallel-round-trip", "parallel", "both-answered")
def parallel_round_trip(evidence: Evidence) -> Verdict:
    values = {"height": HEIGHT, "weight": WEIGHT}
    keys = (str(call.args.get("key")) for call in evidence["parallel"].calls)
    return _said(
        evidence,
        "parallel",
        "both-answered",
        tuple(values[key] for key in keys if key in values),
    )


def _said(evidence: Evidence, asked: str, answered: str, values: tuple[int, ...]) -> Verdict:
    if not evidence[asked].calls:
        return skipped("nothing_to_answer")
    heard = evidence[answered]
    if heard.trouble is not None:
        return heard.trouble
    if any(str(value) not in heard.text for value in values):
        return failed("called_again" if heard.calls else "results_unread")
    return PASSED
