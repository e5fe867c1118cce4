"""How does text from outside become safe to show?

Models, tools, files and providers may send characters that drive a terminal or deceive a reader.
`safe` is the only way from such text to the screen: whatever acts without being seen is replaced
by something that is seen and does not act. Textual and terminals do not do this themselves.
"""

from __future__ import annotations

import re
from typing import Final

UNKNOWN: Final = "\N{REPLACEMENT CHARACTER}"
RETURN: Final = "\N{RETURN SYMBOL}"
TAB: Final = "    "
_PICTURES: Final = 0x2400
"""Where Unicode's pictures of the C0 controls begin."""
_TAGS: Final = 0xE0000
"""Where Unicode's invisible copy of ASCII begins."""

_NAMED: Final = {
    "\x7f": "\N{SYMBOL FOR DELETE}",
    "\u061c": "‹ALM›",
    "\u200e": "‹LRM›",
    "\u200f": "‹RLM›",
    "\u202a": "‹LRE›",
    "\u202b": "‹RLE›",
    "\u202c": "‹PDF›",
    "\u202d": "‹LRO›",
    "\u202e": "‹RLO›",
    "\u2066": "‹LRI›",
    "\u2067": "‹RLI›",
    "\u2068": "‹FSI›",
    "\u2069": "‹PDI›",
    "\xad": "‹SHY›",
    "\u200b": "‹ZWSP›",
    "\u2060": "‹WJ›",
    "\ufeff": "‹BOM›",
}

# Kept, though they have no width: ZWNJ, ZWJ and the variation selectors, which scripts and emoji
# need, and the format characters that draw something (the Arabic number signs and their like).
_ACTING: Final = (
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e"
    r"\u2060-\u206f\ud800-\udfff\ufeff\ufff9-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a]"
)
_LINES_STAY: Final = re.compile(rf"\r\n|\t|{_ACTING}|[\U000e0000-\U000e007f]+")
_ONE_LINE: Final = re.compile(rf"\r\n|[\t\n]|{_ACTING}|[\U000e0000-\U000e007f]+")


def safe(text: str, *, newlines: bool = True) -> str:
    """`text` with all that acts unseen made visible; the same object when there is nothing.

    With `newlines`, line ends stay line ends and a tab becomes four spaces; without, both become
    signs, so that the text stays on one line. Never raises, lone surrogates included.
    """
    if text.isprintable():  # ten times faster than the search; nothing that acts is printable
        return text
    if newlines:
        return _LINES_STAY.sub(_shown_in_lines, text)
    return _ONE_LINE.sub(_shown, text)


def _shown_in_lines(found: re.Match[str]) -> str:
    match found[0]:
        case "\r\n" | "\u2028" | "\u2029":
            return "\n"
        case "\t":
            return TAB
        case _:
            return _shown(found)


def _shown(found: re.Match[str]) -> str:
    sign = found[0]
    if sign in _NAMED:
        return _NAMED[sign]
    if sign in {"\n", "\r\n", "\u2028", "\u2029"}:
        return RETURN
    point = ord(sign[0])
    if point < 0x20:
        return chr(_PICTURES + point)
    if point < 0xA0 or 0xD800 <= point <= 0xDFFF:
        return UNKNOWN
    if point >= _TAGS:
        return f"‹TAG {''.join(map(_tagged, sign))}›"
    return f"‹U+{point:04X}›"


def _tagged(tag: str) -> str:
    """The ASCII character that an invisible tag stands for."""
    letter = chr(ord(tag) - _TAGS)
    return letter if letter.isprintable() else "·"
