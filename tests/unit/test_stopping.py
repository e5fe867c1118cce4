"""The person stops a message at any moment: the history stays one that each dialect can take."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from app import events
from app.choice import Choice
from providers.dialects import DIALECT_IDS
from providers.history import ToolTurn, valid
from providers.parts import CallFragment, TextDelta
from tests.sessions import FAST, Person, saved_weights, say, say_until, session_in
from tools.call import ErrorKind

SAVE = "Save my weight 72.5 kg"


@dataclass(frozen=True, slots=True)
class Moment:
    """What is asked, and at which event the person stops it."""

    name: str
    text: str
    comes: Callable[[events.Event], bool]
    fault: str | None = None
    thinks_for_ever: bool = False


def part(kind: type) -> Callable[[events.Event], bool]:
    """A part of this kind has come."""

    def came(event: events.Event) -> bool:
        return isinstance(event, events.Received) and any(
            isinstance(part, kind) for part in event.parts
        )

    return came


def told(kind: type) -> Callable[[events.Event], bool]:
    return lambda event: isinstance(event, kind)


MOMENTS = (
    Moment("before the first byte", "Tell me a story", told(events.AttemptStarted)),
    Moment("in the text", "Tell me a story", part(TextDelta)),
    Moment("in the arguments", SAVE, part(CallFragment)),
    Moment("waiting for a retry", SAVE, told(events.Waiting), fault="status-500"),
    Moment("in the question", SAVE, told(events.PermissionAsked), thinks_for_ever=True),
    Moment("in a read", "Read the notes", told(events.CallRunning)),
    Moment("in a write", SAVE, told(events.CallRunning)),
)


@pytest.mark.parametrize("dialect", DIALECT_IDS)
@pytest.mark.parametrize("moment", MOMENTS, ids=lambda moment: moment.name)
async def test_after_a_stop_the_next_message_is_answered(
    tmp_path: Path, dialect: str, moment: Moment
) -> None:
    person = Person()
    if moment.thinks_for_ever:
        person.reply = None
    session = session_in(tmp_path, dialect, person, moment.fault)
    seen = await say_until(session, moment.text, moment.comes)
    assert seen[-1] == events.Done(events.Ending.STOPPED)
    assert valid(session.history)
    await session.choose(Choice(dialect=dialect, speed=FAST))
    done, _ = await say(session, "What is my height?")
    assert done.ending is events.Ending.ANSWERED
    await session.close()


async def test_a_stop_in_the_question_changes_nothing(tmp_path: Path) -> None:
    session = session_in(tmp_path, person=Person(reply=None))
    await say_until(session, SAVE, told(events.PermissionAsked))
    last = session.history[-1]
    assert isinstance(last, ToolTurn)
    assert [r.error and r.error.kind for r in last.results] == [ErrorKind.CANCELLED]
    assert saved_weights(tmp_path) == []
    await session.close()


async def test_a_write_that_runs_is_finished_and_its_result_kept(tmp_path: Path) -> None:
    session = session_in(tmp_path, person=Person())
    await say_until(session, SAVE, told(events.CallRunning))
    last = session.history[-1]
    assert isinstance(last, ToolTurn)
    assert [result.ok for result in last.results] == [True]
    assert saved_weights(tmp_path) == [72.5]
    await session.close()


async def test_what_comes_after_a_stopped_write_is_cancelled(tmp_path: Path) -> None:
    session = session_in(tmp_path, person=Person())
    await say_until(session, f"{SAVE}, save my weight 80 kg", told(events.CallRunning))
    last = session.history[-1]
    assert isinstance(last, ToolTurn)
    assert [r.error and r.error.kind for r in last.results] == [None, ErrorKind.CANCELLED]
    assert saved_weights(tmp_path) == [72.5]
    await session.close()
