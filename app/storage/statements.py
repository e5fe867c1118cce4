"""Which SQL does each question to the chats take? Runs on the store's own thread only."""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager

from app.events import Ending
from app.storage.repair import repaired
from app.storage.rows import CallSpans, ChatSummary, Note, StoredTurn, Wire
from app.turn_json import (
    USER_TURN_BEGINS,
    result_from_json,
    result_to_json,
    turn_from_json,
    turn_to_json,
)
from providers.failures import FailureKind
from providers.history import AssistantTurn, ToolTurn, Turn, UserTurn
from tools.call import ToolResult


@contextmanager
def transaction(db: sqlite3.Connection) -> Iterator[None]:
    """All or nothing; what is inside is on disk when the block is left."""
    db.execute("BEGIN IMMEDIATE")
    with db:
        yield


def insert_chat(db: sqlite3.Connection, uid: str, title: str, now: float) -> int:
    """The new chat's id."""
    cursor = db.execute(
        "INSERT INTO chats (uid, title, started, changed) VALUES (?, ?, ?, ?)",
        (uid, title, now, now),
    )
    return _id(cursor)


def insert_first_turn(
    db: sqlite3.Connection, uid: str, title: str, turn: Turn, now: float
) -> tuple[int, int]:
    """The new chat's id and the new turn's."""
    chat = insert_chat(db, uid, title, now)
    return chat, insert_turn(db, chat, turn, now)


def insert_turn(db: sqlite3.Connection, chat: int, turn: Turn, now: float) -> int:
    """The new turn's id. What it overtakes goes: a note of failure, results stored one by one."""
    if not isinstance(turn, UserTurn):
        db.execute(
            "DELETE FROM notes WHERE turn = (SELECT max(id) FROM turns WHERE chat = ?)", (chat,)
        )
    if isinstance(turn, ToolTurn):
        db.execute(
            "DELETE FROM results WHERE turn IN (SELECT id FROM turns WHERE chat = ?)", (chat,)
        )
    whose: tuple[str | None, str | None, str | None] = (None, None, None)
    if isinstance(turn, AssistantTurn):
        whose = (turn.origin.provider, turn.origin.dialect, turn.origin.model)
    cursor = db.execute(
        "INSERT INTO turns (chat, time, provider, dialect, model, content)"
        " VALUES (?, ?, ?, ?, ?, ?)",
        (chat, now, *whose, turn_to_json(turn)),
    )
    db.execute("UPDATE chats SET changed = ? WHERE id = ?", (now, chat))
    return _id(cursor)


def insert_result(db: sqlite3.Connection, turn: int, place: int, result: ToolResult) -> None:
    db.execute(
        "INSERT OR REPLACE INTO results (turn, place, content) VALUES (?, ?, ?)",
        (turn, place, result_to_json(result)),
    )


def insert_note(db: sqlite3.Connection, turn: int, note: Note, now: float) -> None:
    kind = None if note.kind is None else note.kind.value
    db.execute(
        "INSERT OR REPLACE INTO notes (turn, time, ending, reference, kind) VALUES (?, ?, ?, ?, ?)",
        (turn, now, note.ending.value, note.reference, kind),
    )


def insert_wire(db: sqlite3.Connection, turn: int, body: bytes, spans: CallSpans) -> None:
    db.execute(
        "INSERT OR REPLACE INTO wires (turn, body, spans) VALUES (?, ?, ?)",
        (turn, zlib.compress(body), json.dumps(spans)),
    )


def select_chat(db: sqlite3.Connection, chat: int) -> tuple[str, str] | None:
    """The chat's lasting name and its title."""
    row = db.execute("SELECT uid, title FROM chats WHERE id = ?", (chat,)).fetchone()
    return None if row is None else (str(row[0]), str(row[1]))


def select_turns(db: sqlite3.Connection, chat: int) -> tuple[StoredTurn, ...]:
    """The chat's turns, oldest first, as a valid history; raises UnreadableTurnError."""
    finished: dict[int, dict[int, ToolResult]] = defaultdict(dict)
    for turn, place, content in db.execute(
        "SELECT turn, place, results.content FROM results JOIN turns ON turns.id = turn"
        " WHERE chat = ?",
        (chat,),
    ):
        finished[turn][place] = result_from_json(content)
    rows = db.execute(
        "SELECT turns.id, content, turns.time, ending, reference, kind"
        " FROM turns LEFT JOIN notes ON notes.turn = turns.id WHERE chat = ? ORDER BY turns.id",
        (chat,),
    )
    return repaired((_stored_turn(row) for row in rows), finished)


def _stored_turn(row: tuple[int, str, float, str | None, str, str | None]) -> StoredTurn:
    turn_id, content, time, ending, reference, kind = row
    note = None
    if ending is not None:
        note = Note(Ending(ending), reference, None if kind is None else FailureKind(kind))
    return StoredTurn(turn_id, turn_from_json(content), time, note)


def select_chats(db: sqlite3.Connection, limit: int) -> tuple[ChatSummary, ...]:
    rows = db.execute(
        "SELECT id, title, started, changed, (SELECT count(*) FROM turns"
        " WHERE chat = chats.id AND substr(content, 1, ?) = ?)"
        " FROM chats ORDER BY changed DESC, id DESC LIMIT ?",
        (len(USER_TURN_BEGINS), USER_TURN_BEGINS, limit),
    )
    return tuple(ChatSummary(*row) for row in rows)


def select_wire(db: sqlite3.Connection, turn: int) -> Wire | None:
    row = db.execute("SELECT body, spans FROM wires WHERE turn = ?", (turn,)).fetchone()
    if row is None:
        return None
    spans = tuple(tuple((start, end) for start, end in call) for call in json.loads(row[1]))
    return Wire(zlib.decompress(row[0]), spans)


def update_title(db: sqlite3.Connection, chat: int, title: str) -> bool:
    """Whether there is such a chat."""
    return db.execute("UPDATE chats SET title = ? WHERE id = ?", (title, chat)).rowcount > 0


def delete_chat(db: sqlite3.Connection, chat: int) -> None:
    db.execute("DELETE FROM chats WHERE id = ?", (chat,))


def _id(cursor: sqlite3.Cursor) -> int:
    if cursor.lastrowid is None:
        raise RuntimeError("SQLite gave no id for a new row")
    return cursor.lastrowid
