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
    (
        """
        CREATE TABLE routines (
            id INTEGER PRIMARY KEY,
            name TEXT NOT NULL,
            folded_name TEXT NOT NULL UNIQUE,  -- without case: SQLite folds ASCII only
            created_at TEXT NOT NULL  -- UTC, ISO 8601
        )
        """,
        """
        CREATE TABLE routine_days (
            routine INTEGER NOT NULL REFERENCES routines ON DELETE CASCADE,
            day TEXT NOT NULL,
            PRIMARY KEY (routine, day)
        ) WITHOUT ROWID
        """,
        """
        CREATE TABLE routine_exercises (
            routine INTEGER NOT NULL REFERENCES routines ON DELETE CASCADE,
            place INTEGER NOT NULL,
            name TEXT NOT NULL,
            kind TEXT NOT NULL,
            sets INTEGER,
            repetitions INTEGER,
            minutes INTEGER,
            PRIMARY KEY (routine, place)
        ) WITHOUT ROWID
        """,
    ),
    (
        """
        CREATE TABLE orders (
            id INTEGER PRIMARY KEY,
            customer TEXT NOT NULL,
            item TEXT NOT NULL,
            quantity INTEGER NOT NULL CHECK (quantity > 0),
            status TEXT NOT NULL
                CHECK (status IN ('pending', 'paid', 'shipped', 'delivered', 'cancelled')),
            changed_at TEXT NOT NULL  -- UTC, ISO 8601
        )
        """,
        """
        INSERT INTO orders (id, customer, item, quantity, status, changed_at) VALUES
            (1040, 'Ana Souza', 'Desk lamp', 1, 'delivered', '2025-01-03T09:12:00+00:00'),
            (1041, 'Bruno Lima', 'Notebook, ruled', 5, 'shipped', '2025-01-04T14:30:00+00:00'),
            (1042, 'Carla Díaz', 'Yoga mat', 2, 'paid', '2025-01-05T10:05:00+00:00'),
            (1043, 'Daniel Ortiz', 'Kettle', 1, 'pending', '2025-01-05T16:48:00+00:00'),
            (1044, 'Elena Rossi', 'Running shoes', 1, 'paid', '2025-01-06T08:21:00+00:00'),
            (1045, 'Fábio Nunes', 'Water bottle', 3, 'cancelled', '2025-01-06T11:00:00+00:00'),
            (1046, 'Grace Kim', 'Dumbbell, 5 kg', 4, 'pending', '2025-01-06T12:37:00+00:00'),
            (1047, 'Hugo Martín', 'Jump rope', 1, 'shipped', '2025-01-06T15:10:00+00:00'),
            (1048, 'Inês Costa', 'Alarm clock', 1, 'paid', '2025-01-07T09:00:00+00:00'),
            (1049, 'João Alves', 'Backpack', 1, 'pending', '2025-01-07T09:45:00+00:00')
        """,
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
