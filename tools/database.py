"""Where the demo tools keep their data: one SQLite file, made when it is first needed.

Each call opens a connection of its own, in the thread that it runs in, and closes it. The schema
has numbered steps; `PRAGMA user_version` says how many of them a file has had, and a step and its
number are written in one transaction, so that several programs may start on the same file.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

BUSY_SECONDS = 10.0
"""How long to wait for another connection's write."""

MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        """
        CREATE TABLE measurements (
            id INTEGER PRIMARY KEY,
            key TEXT NOT NULL,
            value NUMERIC NOT NULL CHECK (typeof(value) IN ('integer', 'real')),
            unit TEXT NOT NULL,
            taken_at TEXT NOT NULL  -- UTC, ISO 8601
        )
        """,
        "CREATE INDEX measurements_by_key ON measurements (key, taken_at, id)",
        """
        INSERT INTO measurements (key, value, unit, taken_at) VALUES
            ('height', 170, 'cm', '2025-01-06T08:00:00Z'),
            ('weight', 70, 'kg', '2025-01-06T08:00:00Z')
        """,
    ),
    (
        # `tools.ledger` says what the states mean.
        """
        CREATE TABLE ledger (
            conversation TEXT NOT NULL,
            turn INTEGER NOT NULL,
            place INTEGER NOT NULL,
            call_id TEXT NOT NULL,
            name TEXT NOT NULL,
            digest TEXT NOT NULL,
            state TEXT NOT NULL CHECK (state IN ('begun', 'done', 'refused')),
            outcome TEXT CHECK ((outcome IS NULL) = (state = 'begun')),
            begun_at TEXT NOT NULL,  -- UTC, ISO 8601
            ended_at TEXT,
            PRIMARY KEY (conversation, turn, place)
        ) WITHOUT ROWID
        """,
        "CREATE INDEX ledger_by_call ON ledger (conversation, name, digest, ended_at)",
    ),
)
"""The statements of each step, in order. A step that was published is never changed."""


class DatabaseVersionError(Exception):
    """The file was made by a later version of the program."""


@contextmanager
def opened(path: Path) -> Iterator[sqlite3.Connection]:
    """A connection to the up-to-date database, for the thread that asks, closed at the end.

    Nothing is committed by itself: a write begins its transaction with `BEGIN IMMEDIATE`. Raises
    DatabaseVersionError, sqlite3.Error, OSError.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None)) as connection:
        connection.row_factory = sqlite3.Row
        connection.execute("PRAGMA foreign_keys = ON")
        if _version(connection) != len(MIGRATIONS):
            _migrate(connection)
        yield connection


def _version(connection: sqlite3.Connection) -> int:
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    return version


def _migrate(connection: sqlite3.Connection) -> None:
    _use_wal(connection)
    connection.execute("BEGIN IMMEDIATE")
    try:
        version = _version(connection)  # again: another program may have been faster
        if version > len(MIGRATIONS):
            message = f"the database is of version {version}; this program knows {len(MIGRATIONS)}"
            raise DatabaseVersionError(message)
        for statements in MIGRATIONS[version:]:
            for statement in statements:
                connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")  # takes no parameter
        connection.execute("COMMIT")
    except BaseException:
        connection.execute("ROLLBACK")
        raise


def _use_wal(connection: sqlite3.Connection) -> None:
    """Readers and a writer side by side. SQLite does not wait for a lock here: we do."""
    deadline = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.01)
        else:
            return
