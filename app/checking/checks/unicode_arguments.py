"""Do letters of all kinds come through the arguments unharmed?"""

from __future__ import annotations

from app.checking.check import check
from app.checking.evidence import Evidence
from app.checking.probes import UNICODE
from app.checking.verdicts import PASSED, Verdict, failed


@check("unicode-arguments", "unicode")
def unicode_arguments(evidence: Evidence) -> Verdict:
    if (missing := evidence.no_call("unicode")) is not None:
        return missing
    written = str(evidence["unicode"].calls[0].args.get("text"))
    return PASSED if UNICODE in written else failed("other_text", said=written[:80])
