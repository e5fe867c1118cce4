"""Does a question for two things become two calls of one answer?"""

from __future__ import annotations

from app.checking.check import check
from app.checking.evidence import Evidence
from app.checking.verdicts import PASSED, Verdict, failed, not_supported

_WANTED = ["height", "weight"]


@check("parallel-calls", "parallel")
def parallel_calls(evidence: Evidence) -> Verdict:
    if (missing := evidence.no_call("parallel")) is not None:
        return missing
    calls = evidence["parallel"].calls
    if len(calls) == 1:
        return not_supported("one_at_a_time")
    if sorted(str(call.args.get("key")) for call in calls) != _WANTED:
        return failed("other_arguments")
    return PASSED
