"""Is a wrong key refused in a way that can be told from other failures?"""

from __future__ import annotations

from app.checking.check import check
from app.checking.evidence import Evidence
from app.checking.verdicts import PASSED, Verdict, failed, not_supported
from providers.failures import FailureKind

_RIGHT = (FailureKind.AUTH, FailureKind.PERMISSION)


@check("wrong-key", "no-key")
def wrong_key(evidence: Evidence) -> Verdict:
    failure = evidence["no-key"].failure
    if failure is None:
        return not_supported("any_key")
    if failure.kind in _RIGHT:
        return PASSED
    return failed("other_failure", kind=failure.kind.value)
