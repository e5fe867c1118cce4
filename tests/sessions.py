"""Sessions against the simulator, each with a home of its own, and what a test does with them."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from app.choice import Choice
from app.events import Done, Event
from app.permissions import Answer, Question, Reply
from app.session import Session, open_session

FAST = 10_000


@dataclass
class Person:
    """Answers each question as told, and remembers them; `None` thinks for ever."""

    reply: Reply | None = Reply.ONCE
    word: str = ""
    questions: list[Question] = field(default_factory=list)

    async def ask(self, question: Question) -> Answer:
        self.questions.append(question)
        if self.reply is None:
            await asyncio.Event().wait()
        assert self.reply is not None
        return Answer(self.reply, self.word)


def session_in(
    home: Path,
    dialect: str = "openai-responses",
    person: Person | None = None,
    fault: str | None = None,
) -> Session:
    """A session as the program opens it, answered at full speed."""
    choice = Choice(dialect=dialect, speed=FAST, fault=fault)
    session = open_session(choice, environment={"VITRAL_HOME": str(home)})
    session.permissions.ask = person.ask if person else None
    return session


async def say(session: Session, text: str | None) -> tuple[Done, list[Event]]:
    """Send a message; how it ended, and all that was told."""
    told: list[Event] = []
    return await session.send(text, told.append), told


async def say_until(
    session: Session, text: str, moment: Callable[[Event], bool]
) -> Sequence[Event]:
    """Send a message and stop it at the first event of which `moment` is true."""
    told: list[Event] = []
    stopped = False

    def watch(event: Event) -> None:
        nonlocal stopped
        told.append(event)
        if not stopped and moment(event):
            stopped = True
            task.cancel()

    task = asyncio.ensure_future(session.send(text, watch))
    await asyncio.wait({task})
    assert stopped, "the moment never came"
    assert task.cancelled(), "the stop did not come through"
    return told


def saved_weights(home: Path) -> list[float]:
    """The weights in the demo database, oldest first, without the seed."""
    with closing(sqlite3.connect(home / "data" / "demo.sqlite3")) as db:
        rows = db.execute("SELECT value FROM measurements WHERE key = 'weight' ORDER BY id")
        return [float(value) for (value,) in rows][1:]


def order_status(home: Path, order: int) -> str:
    """The order's status in the demo database."""
    with closing(sqlite3.connect(home / "data" / "demo.sqlite3")) as db:
        (status,) = db.execute("SELECT status FROM orders WHERE id = ?", (order,)).fetchone()
    return str(status)
