"""Does a question for one thing become one call of the right tool, with the right arguments?"""

from __future__ import annotations

from app.checking.check import check
from app.checking.evidence import Evidence
from app.checking.offers import LOOKUP
from app.checking.verdicts import PASSED, Verdict, failed


@check("one-call", "call")
def one_call(evidence: Evidence) -> Verdict:
    if (missing := evidence.no_call("call")) is not None:
        return missing
    calls = evidence["call"].calls
    if len(calls) != 1:
        return failed("several_calls", n=len(calls))
    (call,) = calls
    if call.name != LOOKUP.name:
        return failed("other_tool", name=call.name)
    return PASSED if call.args == {"key": "height"} else failed("other_arguments")
