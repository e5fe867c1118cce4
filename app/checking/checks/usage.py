"""Does the provider say what an answer cost?"""

from __future__ import annotations

from app.checking.check import check
from app.checking.evidence import Evidence
from app.checking.verdicts import PASSED, Verdict, failed, not_supported


@check("usage", "text")
def usage(evidence: Evidence) -> Verdict:
    heard = evidence["text"]
    if heard.trouble is not None:
        return heard.trouble
    if heard.usage is None:
        return not_supported("no_usage")
    if heard.usage.input is None or heard.usage.output is None:
        return failed("half_usage")
    return PASSED
