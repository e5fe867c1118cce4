"""Does a plain question get a plain answer?"""

from __future__ import annotations

from app.checking.check import check
from app.checking.evidence import Evidence
from app.checking.verdicts import PASSED, Verdict, failed


@check("text", "text")
def text(evidence: Evidence) -> Verdict:
    heard = evidence["text"]
    if heard.trouble is not None:
        return heard.trouble
    return PASSED if heard.text.strip() else failed("empty_answer")
