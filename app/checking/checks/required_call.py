"""Is some tool called when the request says that one must be?"""

from __future__ import annotations

from app.checking.check import check
from app.checking.evidence import Evidence
from app.checking.verdicts import PASSED, Verdict, not_supported


@check("required-call", "required")
def required_call(evidence: Evidence) -> Verdict:
    heard = evidence["required"]
    if heard.trouble is not None:
        return heard.trouble
    return PASSED if heard.turn and heard.turn.calls else not_supported("choice_ignored")
