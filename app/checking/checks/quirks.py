"""Does the server write its answers as its format's own server does?"""

from __future__ import annotations

from app.checking.check import check
from app.checking.evidence import Evidence
from app.checking.quirks.shown import quirks_shown
from app.checking.verdicts import PASSED, Outcome, Verdict, skipped


@check("quirks", "text", "call", "parallel", "files")
def quirks(evidence: Evidence) -> Verdict:
    if not any(heard.raw for heard in evidence.heard.values()):
        return skipped("nothing_heard")
    found = quirks_shown(evidence)
    if not found:
        return PASSED
    return Verdict(Outcome.NOTED, "quirks", {"n": len(found)})
