"""Whether a write was done already: the record that makes each of them happen once.

The ledger is a table in the demo database's file. A call's key is its place: which conversation,
which turn of it, which call of the turn. Ids are kept beside it but are no key, since servers use
them again. A key has one of three states: `begun`, `done`, or `refused` (nothing was changed).

- `once` is for effects in the same file: one transaction holds the check, the effect and the
  record, so that a crash leaves both or neither.
- `begin` and `finish` are for all others: "begun" is on disk before the effect starts. What is
  found begun later was interrupted: its outcome is unknown, and it is never repeated.

Everything here blocks: call it in a thread.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from tools.call import AnyCall, JsonObject, ToolCall, ToolError, ToolResult
from tools.crash_points import crash_point
from tools.database import opened
from tools.outcome import (
    Outcome,
    another_call,
    outcome_from_json,
    outcome_to_json,
    result_of,
    unknown_outcome,
)

FIND = """
    SELECT digest, state, outcome FROM ledger
    WHERE conversation = ? AND turn = ? AND place = ?
"""
INSERT = """
    INSERT INTO ledger (conversation, turn, place, call_id, name, digest, state, begun_at)
    VALUES (?, ?, ?, ?, ?, ?, 'begun', ?)
"""
SETTLE = """
    UPDATE ledger SET state = ?, outcome = ?, ended_at = ?
    WHERE conversation = ? AND turn = ? AND place = ? AND state = 'begun'
"""
EARLIER = """
    SELECT max(ended_at) FROM ledger
    WHERE conversation = ? AND name = ? AND digest = ? AND state = 'done'
"""


@dataclass(frozen=True, slots=True)
class Scope:
    """Whose calls they are: the conversation's lasting id, and the position in it of the
    assistant turn that made them."""

    conversation: str
    turn: int


@dataclass(frozen=True, slots=True)
class Entry:
    """One call's line in the ledger."""

    scope: Scope
    place: int
    call_id: str
    name: str
    digest: str

    @property
    def key(self) -> tuple[str, int, int]:
        return (self.scope.conversation, self.scope.turn, self.place)


def entry_for(scope: Scope, place: int, call: ToolCall) -> Entry:
    return Entry(scope, place, call.call_id, call.name, digest_of(call.name, call.args))


def digest_of(name: str, args: JsonObject) -> str:
    """The same for the same name and arguments, in whatever order the keys came."""
    canonical = json.dumps([name, args], sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).hexdigest()


def _utc_now() -> datetime:
    return datetime.now(UTC)


class Ledger:
    """The ledger in the database at `path`. Raises sqlite3.Error, OSError and
    `tools.database.DatabaseVersionError`; what raised has changed nothing, but for `finish`."""

    def __init__(self, path: Path, now: Callable[[], datetime] = _utc_now) -> None:
        self._path = path
        self._now = now

    def recall(self, entry: Entry) -> Outcome | None:
        """What came of this call when it was met before; None if it is new."""
        with opened(self._path) as connection:
            return _recalled(connection, entry)

    def results(self, scope: Scope, calls: Sequence[AnyCall]) -> dict[int, ToolResult]:
        """What the ledger knows of a turn's calls, by place: for a turn that a crash cut short,
        whose writes may have been done although nobody heard of it. Runs nothing."""
        found = {}
        with opened(self._path) as connection:
            for place, call in enumerate(calls):
                if isinstance(call, ToolCall):
                    outcome = _recalled(connection, entry_for(scope, place, call))
                    if outcome is not None:
                        found[place] = result_of(call, outcome)
        return found

    def earlier_write(self, conversation: str, name: str, digest: str) -> datetime | None:
        """When a write with this name and these arguments was last done in the conversation."""
        with opened(self._path) as connection:
            (ended,) = connection.execute(EARLIER, (conversation, name, digest)).fetchone()
        return None if ended is None else datetime.fromisoformat(ended)

    def once(self, entry: Entry, effect: Callable[[sqlite3.Connection], Outcome]) -> Outcome:
        """Do `effect` unless it was done, in one transaction with its record.

        An effect that gives a ToolError is taken back, and the error is recorded. One that raises
        is taken back and leaves no record.
        """
        with self._writing() as connection:
            known = _recalled(connection, entry)
            if known is not None:
                return known
            self._insert(connection, entry)
            crash_point("begun")
            connection.execute("SAVEPOINT effect")
            with _inside_the_transaction(connection):
                outcome = effect(connection)
            if isinstance(outcome, ToolError):
                connection.execute("ROLLBACK TO effect")
            crash_point("effect")
            self._settle(connection, entry, outcome)
        crash_point("recorded")
        return outcome

    def begin(self, entry: Entry) -> Outcome | None:
        """Record that an effect starts now; what came of it earlier if it is not new."""
        with self._writing() as connection:
            known = _recalled(connection, entry)
            if known is None:
                self._insert(connection, entry)
        if known is None:
            crash_point("begun")
        return known

    def finish(self, entry: Entry, outcome: Outcome) -> None:
        """Record what came of an effect that was begun."""
        crash_point("effect")
        with self._writing() as connection:
            self._settle(connection, entry, outcome)
        crash_point("recorded")

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        with opened(self._path) as connection:
            connection.execute("BEGIN IMMEDIATE")
            with connection:  # commits, or takes all back when anything raises
                yield connection

    def _insert(self, connection: sqlite3.Connection, entry: Entry) -> None:
        about = (entry.call_id, entry.name, entry.digest)
        connection.execute(INSERT, (*entry.key, *about, self._now().isoformat()))

    def _settle(self, connection: sqlite3.Connection, entry: Entry, outcome: Outcome) -> None:
        state = "refused" if isinstance(outcome, ToolError) else "done"
        ended = self._now().isoformat()
        connection.execute(SETTLE, (state, outcome_to_json(outcome), ended, *entry.key))


def _recalled(connection: sqlite3.Connection, entry: Entry) -> Outcome | None:
    row = connection.execute(FIND, entry.key).fetchone()
    if row is None:
        return None
    if row["digest"] != entry.digest:
        return another_call(entry.name)
    if row["state"] == "begun":
        return unknown_outcome(entry.name)
    return outcome_from_json(row["outcome"])


@contextmanager
def _inside_the_transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """A tool that committed by itself would part its effect from its record: it is refused."""

    def allowed(action: int, *_: str | None) -> int:
        return sqlite3.SQLITE_DENY if action == sqlite3.SQLITE_TRANSACTION else sqlite3.SQLITE_OK

    connection.set_authorizer(allowed)
    try:
        yield
    finally:
        connection.set_authorizer(None)
