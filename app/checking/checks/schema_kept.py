"""Do all calls fit the schemas of the tools that were offered, even when the person asks for
something that they do not have?"""

from __future__ import annotations

from app.checking.check import check
from app.checking.evidence import Evidence
from app.checking.offers import misfit
from app.checking.verdicts import PASSED, Verdict, failed, not_supported

_PROBES = ("call", "parallel", "files", "unicode", "off-schema")


@check("schema-kept", *_PROBES)
def schema_kept(evidence: Evidence) -> Verdict:
    calls = [call for name in _PROBES for call in evidence[name].calls]
    if not calls:
        return evidence.no_call("call") or not_supported("never_calls")
    for call in calls:
        if why := misfit(call):
            return failed("off_schema", name=call.name, said=why)
    return PASSED
