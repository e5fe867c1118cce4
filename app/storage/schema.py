"""Which tables do the chats stand in, and how does an older file become a newer one?"""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Final

BUSY_SECONDS: Final = 5.0
"""How long a write waits for another program that writes."""

MIGRATIONS: Final[tuple[tuple[str, ...], ...]] = (
    (
        """CREATE TABLE chats (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            title TEXT NOT NULL,
            started REAL NOT NULL,
            changed REAL NOT NULL
        )""",
        "CREATE INDEX chats_by_change ON chats (changed)",
        # The columns beside `content` repeat it, so that a person can query them.
        """CREATE TABLE turns (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            chat INTEGER NOT NULL REFERENCES chats ON DELETE CASCADE,
            time REAL NOT NULL,
            provider TEXT,
            dialect TEXT,
            model TEXT,
            content TEXT NOT NULL
        )""",
        "CREATE INDEX turns_by_chat ON turns (chat, id)",
        """CREATE TABLE results (
            turn INTEGER NOT NULL REFERENCES turns ON DELETE CASCADE,
            place INTEGER NOT NULL,
            content TEXT NOT NULL,
            PRIMARY KEY (turn, place)
        )""",
        """CREATE TABLE notes (
            turn INTEGER PRIMARY KEY REFERENCES turns ON DELETE CASCADE,
            time REAL NOT NULL,
            ending TEXT NOT NULL,
            reference TEXT NOT NULL,
            kind TEXT
        )""",
        """CREATE TABLE wires (
            turn INTEGER PRIMARY KEY REFERENCES turns ON DELETE CASCADE,
            body BLOB NOT NULL,
            spans TEXT NOT NULL
        )""",
    ),
    (
        # The name under which the ledger of writes knows a chat, whatever file it stands in.
        "ALTER TABLE chats ADD COLUMN uid TEXT NOT NULL DEFAULT ''",
        "UPDATE chats SET uid = lower(hex(randomblob(16)))",
        "CREATE UNIQUE INDEX chats_by_uid ON chats (uid)",
    ),
)
"""Each entry takes the file from one `user_version` to the next. Never edit one that was out."""


class NewerFileError(Exception):
    """A newer Vitral wrote this file: this one would harm it."""


TROUBLE: Final = (sqlite3.Error, OSError, NewerFileError)
"""What the store may raise when its file cannot be used: damaged, full, or of a newer Vitral."""


def connect(path: Path) -> sqlite3.Connection:
    """The file at `path`, made or brought up to date. Raises sqlite3.Error and NewerFileError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch(mode=0o600)
    connection = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None)
    try:
        # With a write-ahead log a reader never waits, and a killed program loses no commit.
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("PRAGMA foreign_keys = ON")
        _migrate(connection)
    except BaseException:
        connection.close()
        raise
    return connection


def _migrate(connection: sqlite3.Connection) -> None:
    if _version(connection) == len(MIGRATIONS):
        return
    connection.execute("BEGIN IMMEDIATE")
    with connection:  # commits, or rolls back when anything raises
        version = _version(connection)
        if version > len(MIGRATIONS):
            raise NewerFileError(f"wanted at most version {len(MIGRATIONS)}, got {version}")
        for statement in (text for step in MIGRATIONS[version:] for text in step):
            connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")


def _version(connection: sqlite3.Connection) -> int:
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    return int(version)
