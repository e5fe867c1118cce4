"""Is no tool called when the request says that none may be?

A server that knows no tool choice at all does not support this one either; one that obeys the
other choices is wrong.
"""

from __future__ import annotations

from app.checking.check import check
from app.checking.evidence import Evidence
from app.checking.verdicts import PASSED, Verdict, failed, not_supported


@check("no-call", "none", "required")
def no_call(evidence: Evidence) -> Verdict:
    heard = evidence["none"]
    if heard.trouble is not None:
        return heard.trouble
    if heard.turn and heard.turn.calls:
        obeys = bool(evidence["required"].calls)
        return failed("called_all_the_same") if obeys else not_supported("choice_ignored")
    return PASSED
