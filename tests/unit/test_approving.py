"""The question at the terminal: what it shows, and what an answer means."""

from __future__ import annotations

import os
import pty
import sys
from datetime import UTC, datetime

import pytest

from app.change_words import arguments_text, change_sentence, earlier_sentence
from app.cli.approving import asker, understood
from app.messages import LANGUAGES, Messages
from app.permissions import Answer, Question, Reply
from tests.tool_makers import call, number, numbered_tool
from tools.permission import Change

TEXTS = Messages("en")
EVIL = "a\x1b]0;owned\x07\n\u202eb"
QUESTION = Question(
    call("save", "", path=EVIL), numbered_tool(number, "save"), Change("{path}!", {"path": EVIL}), 0
)


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("y\n", Answer(Reply.ONCE)),
        ("YES", Answer(Reply.ONCE)),
        ("a", Answer(Reply.ALWAYS)),
        ("n", Answer(Reply.NO)),
        ("n  in kilograms, please\n", Answer(Reply.NO, "in kilograms, please")),
        ("", None),
        ("yep", None),
    ],
)
def test_an_answer_is_one_letter_or_its_word(line: str, answer: Answer | None) -> None:
    assert understood(line, TEXTS) == answer


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_three_letters_mean_the_same_in_each_language(language: str) -> None:
    replies = [understood(letter, Messages(language)) for letter in "yan"]
    assert replies == [Answer(Reply.ONCE), Answer(Reply.ALWAYS), Answer(Reply.NO)]


def test_no_terminal_no_question() -> None:
    assert asker(TEXTS) is None


@pytest.mark.parametrize(
    ("typed", "reply"),
    [(b"y\n", Reply.ONCE), (b"what?\na\n", Reply.ALWAYS), (b"\x04", Reply.NO)],
)
async def test_the_question_is_safe_and_read_from_the_terminal(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    typed: bytes,
    reply: Reply,
) -> None:
    ours, theirs = pty.openpty()
    monkeypatch.setenv("NO_COLOR", "1")
    with os.fdopen(theirs, encoding="utf-8") as terminal:
        monkeypatch.setattr(sys, "stdin", terminal)
        monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
        ask = asker(TEXTS)
        assert ask is not None
        os.write(ours, typed)
        assert (await ask(QUESTION)).reply is reply
    os.close(ours)
    shown = capsys.readouterr()
    assert shown.out == ""
    assert "owned" in shown.err
    assert not {"\x1b", "\x07", "\u202e"} & set(shown.err)


def test_a_change_is_said_in_one_line_with_nothing_that_acts() -> None:
    said = change_sentence(QUESTION.change, TEXTS)
    assert "\x1b" not in said
    assert "\n" not in said


@pytest.mark.parametrize("wording", ["{missing}", "{0}", "{", "{path!x}"])
def test_words_whose_place_holders_do_not_fit_are_shown_as_they_are(wording: str) -> None:
    assert change_sentence(Change(wording, {"path": "a"}), TEXTS) == wording


def test_arguments_are_shown_whole() -> None:
    shown = arguments_text(call("save", "", text="x" * 5000, days=["monday"]))
    assert "x" * 5000 in shown
    assert "monday" in shown


def test_a_change_that_was_made_before_says_when() -> None:
    then = datetime(2026, 1, 2, 3, 4, tzinfo=UTC)
    assert "2026-01-0" in earlier_sentence(Change(earlier=then), TEXTS)
    assert earlier_sentence(Change(), TEXTS) == ""
