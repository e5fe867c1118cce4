"""Takes keys out of a text that is about to be written down.

The keys of this run are known (`providers.secret`) and go wherever they stand. What merely looks
like a key goes too: a server may echo one that we never had.
"""

from __future__ import annotations

import re

from providers.secret import HIDDEN, hide_secrets

# Every repetition before a distinctive sign is bounded: the time must not grow with the square of
# a text that a server chooses.
_NAMED = re.compile(
    r"""(?ix)
    ( \b (?: (?:proxy-)?authorization | [\w-]{0,24}api[-_]?key | x-goog-api-key
      | (?:access|auth|refresh|id)[-_]?token | client[-_]?secret | password | set-cookie | cookie )
      ["'\\]{0,4} \s{0,4} [:=] \s{0,4} ["'\\]{0,4} )
    (?: (?:bearer|basic) \s{1,4} )? [^\s"'\\,;&}\]]+
    """
)
_BEARER = re.compile(r"(?i)\b(bearer|basic)\s+[\w\-.~+/]{8,}=*")
_IN_ADDRESS = re.compile(r"(?i)([?&](?:key|api_key|token|access_token)=)[^&\s\"']+")
_USER_INFO = re.compile(r"(?i)(\b[a-z][a-z0-9+.\-]{0,20}://)[^/\s@\"']{1,256}@")
_SHAPED = re.compile(
    r"""(?x) (?<![A-Za-z0-9])
    (?: (?:sk|pk|rk|csk|xai|tgp|or|nvapi)[-_][A-Za-z0-9_\-*.]{8,}
      | AIza[A-Za-z0-9_\-]{16,}
      | AQ\.[A-Za-z0-9_\-]{20,}
      | (?:gsk|hf|ghp|gho|glpat|r8)[_-][A-Za-z0-9_\-]{8,}
      | eyJ[A-Za-z0-9_\-]{8,}\.[A-Za-z0-9_\-]{8,}\.[A-Za-z0-9_\-]* )
    """
)


def redact(text: str) -> str:
    """The text without keys. What stays is enough to see that one was there."""
    text = hide_secrets(text)
    text = _NAMED.sub(rf"\1{HIDDEN}", text)
    text = _BEARER.sub(rf"\1 {HIDDEN}", text)
    text = _IN_ADDRESS.sub(rf"\1{HIDDEN}", text)
    text = _USER_INFO.sub(rf"\1{HIDDEN}@", text)
    return _SHAPED.sub(HIDDEN, text)
