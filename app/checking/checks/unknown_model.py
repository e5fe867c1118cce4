"""Is a model that does not exist refused in a way that can be told from other failures?"""

from __future__ import annotations

from app.checking.check import check
from app.checking.evidence import Evidence
from app.checking.verdicts import PASSED, Verdict, failed, not_supported
from providers.failures import FailureKind


@check("unknown-model", "no-model")
def unknown_model(evidence: Evidence) -> Verdict:
    failure = evidence["no-model"].failure
    if failure is None:
        return not_supported("any_model")
    if failure.kind is FailureKind.NOT_FOUND:
        return PASSED
    return failed("other_failure", kind=failure.kind.value)
