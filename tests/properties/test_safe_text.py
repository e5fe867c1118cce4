"""Whatever text comes in, nothing that acts on a terminal or hides from a reader goes out."""

from __future__ import annotations

import unicodedata

from hypothesis import example, given
from hypothesis import strategies as st

from app.safe_text import safe

ANY_TEXT = st.text(st.characters(codec=None, exclude_categories=()), max_size=60)
ACTING = st.text(
    st.sampled_from("\x1b\x07\x9b\x9d\x7f\r\n\t\u202e\u2066\u2028\ufeff\xad\ud800\U000e0041ab‍"),
    max_size=20,
)
DRAWN_FORMATS = {"\u200c", "\u200d", "\u070f", "\u06dd", "\u08e2", "\u0890", "\u0891"}


def acts(sign: str) -> bool:
    """Whether a character can do something without being seen."""
    drawn = sign in DRAWN_FORMATS or "\u0600" <= sign <= "\u0605" or ord(sign) >= 0x11000
    match unicodedata.category(sign):
        case "Cc" | "Cs" | "Zl" | "Zp":
            return True
        case "Cf":
            return not drawn or 0xE0000 <= ord(sign) <= 0xE007F
        case _:
            return False


@given(ANY_TEXT | ACTING)
@example("\x1b]0;title\x07 \x9b31m \u202egpj.exe")
def test_nothing_that_acts_is_left_but_line_ends(text: str) -> None:
    assert [sign for sign in safe(text) if acts(sign) and sign != "\n"] == []


@given(ANY_TEXT | ACTING)
def test_one_line_stays_one_line(text: str) -> None:
    assert [sign for sign in safe(text, newlines=False) if acts(sign)] == []


@given(ANY_TEXT | ACTING, st.booleans())
def test_safe_text_is_the_same_object_when_made_safe_again(text: str, newlines: bool) -> None:
    once = safe(text, newlines=newlines)
    assert safe(once, newlines=newlines) is once


@given(ANY_TEXT | ACTING)
def test_safe_text_can_be_written_as_utf8(text: str) -> None:
    assert safe(text).encode().decode() == safe(text)


@given(st.text(st.characters(categories=["L", "N", "P", "S", "M"])))
def test_letters_digits_and_signs_are_untouched(text: str) -> None:
    assert safe(text) is text
