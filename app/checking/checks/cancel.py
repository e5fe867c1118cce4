"""Can one leave in the middle of an answer and ask the next thing?"""

from __future__ import annotations

from app.checking.check import check
from app.checking.evidence import Evidence
from app.checking.verdicts import PASSED, Verdict, failed


@check("cancel", "left", "next")
def cancel(evidence: Evidence) -> Verdict:
    left, after = evidence["left"], evidence["next"]
    if left.trouble is not None:
        return left.trouble
    if after.trouble is not None:
        return after.trouble
    return PASSED if after.text.strip() else failed("empty_answer")
