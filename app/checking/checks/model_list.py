"""Does the provider list its models, the asked one among them?"""

from __future__ import annotations

from app.checking.check import check
from app.checking.evidence import Evidence
from app.checking.verdicts import PASSED, Outcome, Verdict, failed, not_supported
from providers.failures import FailureKind

_NO_LIST = (FailureKind.NOT_FOUND, FailureKind.BAD_REQUEST)


@check("model-list", "models")
def model_list(evidence: Evidence) -> Verdict:
    heard = evidence["models"]
    if heard.failure is not None:
        if heard.failure.kind in _NO_LIST:
            return not_supported("no_list")
        return failed("no_answer", kind=heard.failure.kind.value)
    if not heard.models:
        return failed("empty_list")
    if evidence.model in heard.models:
        return PASSED
    # Aliases are often served and not listed.
    return Verdict(Outcome.NOTED, "unlisted", {"name": evidence.model})
