"""Do arguments of some length come whole?"""

from __future__ import annotations

from app.checking.check import check
from app.checking.evidence import Evidence
from app.checking.probes import LONG
from app.checking.verdicts import PASSED, Verdict, failed


@check("long-arguments", "long")
def long_arguments(evidence: Evidence) -> Verdict:
    if (missing := evidence.no_call("long")) is not None:
        return missing
    written = str(evidence["long"].calls[0].args.get("text"))
    if LONG in written:
        return PASSED
    return failed("shorter_text", n=len(written), wanted=len(LONG))
