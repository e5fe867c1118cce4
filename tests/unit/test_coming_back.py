"""Who is sent away for longer than the program waits reads when to come back, in any place."""

from __future__ import annotations

import pytest

from app.cli.telling import Teller
from app.coming_back import come_back
from app.events import Done, Ending
from app.messages import LANGUAGES, Messages
from app.tui import notices
from providers.failures import Failure, FailureKind

EN = Messages("en")


def sent_away(wait: float | None) -> Failure:
    return Failure(FailureKind.RATE_LIMIT, transient=True, wait=wait)


@pytest.mark.parametrize(
    ("wait", "when"),
    [
        (60.5, "in 2 minutes"),
        (3600, "in 60 minutes"),
        (7201, "in 3 hours"),
        (86_400, "in 24 hours"),
        (7 * 86_400, "in 7 days"),
    ],
)
def test_a_time_is_told_in_the_unit_that_people_use_and_never_too_early(
    wait: float, when: str
) -> None:
    assert when in come_back(sent_away(wait), EN)


@pytest.mark.parametrize("wait", [None, 0, 60, 1e300])
def test_nothing_is_told_of_what_we_wait_for_ourselves_or_nobody_would(
    wait: float | None,
) -> None:
    assert come_back(sent_away(wait), EN) == ""


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_screen_says_when_to_come_back(language: str) -> None:
    messages = Messages(language)
    lines = notices.ending(Done(Ending.FAILED, sent_away(3600), "K7Q2"), messages)
    said = "".join(text for line in lines or () for text, _ in line)
    assert come_back(sent_away(3600), messages) in said
    assert "60" in said


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_command_line_says_when_to_come_back(
    language: str, capsys: pytest.CaptureFixture[str]
) -> None:
    messages = Messages(language)
    Teller(messages).tell(Done(Ending.FAILED, sent_away(3600), "K7Q2"))
    said = " ".join(capsys.readouterr().err.split())
    assert come_back(sent_away(3600), messages) in said
    assert "60" in said
