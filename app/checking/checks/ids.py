"""Has each call an id of its own, and does the request with the results name it on both sides?"""

from __future__ import annotations

import json

from app.checking.check import check
from app.checking.evidence import OWN_ID, Evidence
from app.checking.verdicts import PASSED, Verdict, failed, not_supported


@check("ids", "call", "parallel", "both-answered")
def ids(evidence: Evidence) -> Verdict:
    if (missing := evidence.no_call("parallel")) is not None:
        return missing
    calls = (*evidence["call"].calls, *evidence["parallel"].calls)
    ids = [call.call_id for call in calls]
    if all(call_id.startswith(OWN_ID) for call_id in ids):
        return not_supported("no_ids")
    if len(set(ids)) < len(ids):
        return failed("repeated_ids")
    answered = evidence["both-answered"]
    if answered.trouble is not None:
        return answered.trouble
    sent = json.dumps(answered.sent, ensure_ascii=False)
    back = [call.call_id for call in evidence["parallel"].calls]
    if any(sent.count(json.dumps(call_id, ensure_ascii=False)) < 2 for call_id in back):
        return failed("ids_changed")
    return PASSED
