"""Is a tool without parameters called with none?"""

from __future__ import annotations

from app.checking.check import check
from app.checking.evidence import Evidence
from app.checking.offers import LIST
from app.checking.verdicts import PASSED, Verdict, failed


@check("no-arguments", "files")
def no_arguments(evidence: Evidence) -> Verdict:
    if (missing := evidence.no_call("files")) is not None:
        return missing
    call = evidence["files"].calls[0]
    if call.name != LIST.name:
        return failed("other_tool", name=call.name)
    return failed("other_arguments") if call.args else PASSED
