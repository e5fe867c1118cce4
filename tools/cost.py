"""What a tool costs in each request, in tokens.

Each provider counts with a tokenizer of its own; the rule here is the usual rough one, about four
bytes of compact JSON to a token, and it is only ever shown as an estimate.
"""

from __future__ import annotations

import json

from tools.call import JsonObject

BYTES_A_TOKEN = 4


def tokens_estimate(spec: JsonObject) -> int:
    """About how many tokens a tool's JSON takes, rounded up."""
    text = json.dumps(spec, ensure_ascii=False, separators=(",", ":"))
    return -(-len(text.encode("utf-8", "replace")) // BYTES_A_TOKEN)
