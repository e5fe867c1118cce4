"""Is the tool called that the request names?"""

from __future__ import annotations

from app.checking.check import check
from app.checking.evidence import Evidence
from app.checking.offers import LIST
from app.checking.verdicts import PASSED, Verdict, failed, not_supported


@check("forced-tool", "forced")
def forced_tool(evidence: Evidence) -> Verdict:
    heard = evidence["forced"]
    if heard.trouble is not None:
        return heard.trouble
    if not heard.turn or not heard.turn.calls:
        return not_supported("choice_ignored")
    others = [call.name for call in heard.turn.calls if call.name != LIST.name]
    return failed("other_tool", name=others[0]) if others else PASSED
