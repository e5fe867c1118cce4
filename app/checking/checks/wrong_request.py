"""Does the server refuse a request that breaks its own rules, as one that must be mended?"""

from __future__ import annotations

from app.checking.check import check
from app.checking.evidence import Evidence
from app.checking.verdicts import PASSED, Verdict, failed, not_supported
from providers.failures import FailureKind


@check("wrong-request", "nameless")
def wrong_request(evidence: Evidence) -> Verdict:
    failure = evidence["nameless"].failure
    if failure is None:
        return not_supported("accepts_anything")
    if failure.kind is FailureKind.BAD_REQUEST:
        return PASSED
    return failed("other_failure", kind=failure.kind.value)
