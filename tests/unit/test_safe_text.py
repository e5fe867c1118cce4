"""What each kind of acting character is shown as."""

from __future__ import annotations

import pytest

from app.safe_text import safe


@pytest.mark.parametrize(
    ("sent", "shown"),
    [
        ("\x1b[31mred", "␛[31mred"),
        ("\x1b]52;c;aGk=\x07", "␛]52;c;aGk=␇"),
        ("a\x7fb", "a␡b"),
        ("\x9b31m", "\ufffd31m"),
        ("\u202egpj.exe", "‹RLO›gpj.exe"),
        ("\u2066x\u2069", "‹LRI›x‹PDI›"),
        ("zero\u200bwidth", "zero‹ZWSP›width"),
        ("\U000e0068\U000e0069", "‹TAG hi›"),
        ("\U000e0001", "‹TAG ·›"),
        ("\ufff9", "‹U+FFF9›"),
        ("half \ud83d", "half \ufffd"),
        ("one\r\ntwo\u2028three", "one\ntwo\nthree"),
        ("a\tb", "a    b"),
        ("progress\rbar", "progress␍bar"),
    ],
)
def test_what_acts_is_shown(sent: str, shown: str) -> None:
    assert safe(sent) == shown


@pytest.mark.parametrize(
    ("sent", "shown"),
    [("a\nb", "a⏎b"), ("a\r\nb", "a⏎b"), ("a\u2029b", "a⏎b"), ("a\tb", "a␉b")],
)
def test_line_ends_become_signs_on_one_line(sent: str, shown: str) -> None:
    assert safe(sent, newlines=False) == shown


@pytest.mark.parametrize("text", ["👩‍👩‍👧", "❤️", "می‌خواهم", "não é útil", "[@click=app.quit]"])
def test_what_people_write_is_kept(text: str) -> None:
    assert safe(text) is text
