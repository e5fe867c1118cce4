"""Where are the chats kept? In one SQLite file, written as things happen.

`Conversations` is the store, `Chat` one chat of it: the agent reads its history and keeps each
turn in it. One thread owns the connection, so that neither a slow disk nor another program that
writes ever holds the screen; each call returns once its change is on disk.
"""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Concatenate, Final, ParamSpec, TypeVar

from app.events import Done, Ending
from app.safe_text import safe
from app.storage import statements
from app.storage.rows import CallSpans, ChatSummary, Note, StoredTurn, Wire
from app.storage.schema import connect
from providers.history import AssistantTurn, Turn, UserTurn
from tools.call import ToolResult

TITLE_LENGTH: Final = 60
LIST_LENGTH: Final = 1000

T = TypeVar("T")
P = ParamSpec("P")


class NoSuchChatError(LookupError):
    """The chat is not in the store (any more)."""


class Conversations:
    """The store at `path`; the file is opened, or made, with the first question to it.

    Every method but `new` and `close` may raise sqlite3.Error (a full disk, a damaged file) and
    `app.storage.schema.NewerFileError`.
    """

    def __init__(self, path: Path, now: Callable[[], float] = time.time) -> None:
        self._path = path
        self._now = now
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="conversations")
        self._connection: sqlite3.Connection | None = None

    def new(self) -> Chat:
        """A chat that is stored with its first turn, so that no list fills with empty ones."""
        return Chat(self, None, "", ())

    async def open(self, chat_id: int) -> Chat:
        """The chat as it was left, with a valid history.

        Raises NoSuchChatError, and UnreadableTurnError when the file was tampered with.
        """
        title = await self._read(statements.select_title, chat_id)
        if title is None:
            raise NoSuchChatError(chat_id)
        return Chat(self, chat_id, title, await self._read(statements.select_turns, chat_id))

    async def list(self, limit: int = LIST_LENGTH) -> tuple[ChatSummary, ...]:
        """The chats, the one that changed last first."""
        return await self._read(statements.select_chats, limit)

    async def begin(self, title: str, turn: Turn) -> tuple[int, StoredTurn]:
        """Store a chat with its first turn; gives the chat's id and the turn."""
        now = self._now()
        chat_id, turn_id = await self._write(statements.insert_first_turn, title, turn, now)
        return chat_id, StoredTurn(turn_id, turn, now)

    async def add_turn(self, chat_id: int, turn: Turn) -> StoredTurn:
        """Keep a turn as the chat's newest; raises NoSuchChatError when the chat was deleted."""
        now = self._now()
        try:
            turn_id = await self._write(statements.insert_turn, chat_id, turn, now)
        except sqlite3.IntegrityError as no_parent:
            raise NoSuchChatError(chat_id) from no_parent
        return StoredTurn(turn_id, turn, now)

    async def add_result(self, turn_id: int, place: int, result: ToolResult) -> None:
        """Keep the result of the call at `place` of an assistant turn before its round is over."""
        await self._write(statements.insert_result, turn_id, place, result)

    async def add_note(self, turn_id: int, note: Note) -> None:
        """Keep how the message ended after this turn; replaces an earlier note."""
        await self._write(statements.insert_note, turn_id, note, self._now())

    async def add_wire(self, turn_id: int, body: bytes, spans: CallSpans = ()) -> None:
        """Keep the response body of an assistant turn (stored compressed)."""
        await self._write(statements.insert_wire, turn_id, body, spans)

    async def wire(self, turn_id: int) -> Wire | None:
        """The response body of an assistant turn; None when it was not kept."""
        return await self._read(statements.select_wire, turn_id)

    async def rename(self, chat_id: int, title: str) -> str:
        """Give a chat another title; gives the title as it was kept. Raises NoSuchChatError."""
        kept = shortened(title)
        if not await self._write(statements.update_title, chat_id, kept):
            raise NoSuchChatError(chat_id)
        return kept

    async def delete(self, chat_id: int) -> None:
        """Remove a chat and all that belongs to it; nothing happens when it is gone already."""
        await self._write(statements.delete_chat, chat_id)

    async def close(self) -> None:
        """Close the file once all that was asked is done."""
        await asyncio.get_running_loop().run_in_executor(self._thread, self._disconnect)
        self._thread.shutdown(wait=False)

    def _disconnect(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    async def _read(
        self,
        work: Callable[Concatenate[sqlite3.Connection, P], T],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> T:
        def on_thread() -> T:
            return work(self._connected(), *args, **kwargs)

        return await asyncio.get_running_loop().run_in_executor(self._thread, on_thread)

    async def _write(
        self,
        work: Callable[Concatenate[sqlite3.Connection, P], T],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> T:
        def in_transaction(db: sqlite3.Connection) -> T:
            with statements.transaction(db):
                return work(db, *args, **kwargs)

        return await self._read(in_transaction)

    def _connected(self) -> sqlite3.Connection:
        if self._connection is None:
            self._connection = connect(self._path)
        return self._connection


class Chat:
    """One chat: the agent's `Conversation`, each turn of which is on disk once it is kept."""

    def __init__(
        self, store: Conversations, chat_id: int | None, title: str, turns: tuple[StoredTurn, ...]
    ) -> None:
        self._store = store
        self.id = chat_id
        self.title = title
        self.turns = turns

    @property
    def history(self) -> tuple[Turn, ...]:
        """What the next request is built from."""
        return tuple(stored.turn for stored in self.turns)

    async def keep(self, turn: Turn) -> None:
        """Store the turn as the newest; returns once it is safe. Raises NoSuchChatError."""
        if self.id is None:
            self.title = self.title or title_of(turn)
            self.id, stored = await self._store.begin(self.title, turn)
        else:
            stored = await self._store.add_turn(self.id, turn)
        before = self.turns
        if before and not isinstance(turn, UserTurn):
            before = (*before[:-1], replace(before[-1], note=None))
        self.turns = (*before, stored)

    async def keep_result(self, place: int, result: ToolResult) -> None:
        """Store one call's result at once, while others of the newest answer are still running.

        Once their round is over, all results stand in its turn and nothing is stored here.
        """
        newest = self.turns[-1] if self.turns else None
        if newest and newest.id is not None and isinstance(newest.turn, AssistantTurn):
            await self._store.add_result(newest.id, place, result)

    async def keep_wire(self, body: bytes, spans: CallSpans = ()) -> None:
        """Store the response body that the newest answer came from."""
        answer = self._newest_answer()
        if answer is not None:
            await self._store.add_wire(answer, body, spans)

    async def keep_ending(self, done: Done) -> None:
        """Store how the message ended, when it ended without an answer."""
        if done.ending is Ending.ANSWERED or not self.turns:
            return
        note = Note(done.ending, done.reference, done.failure.kind if done.failure else None)
        newest = self.turns[-1]
        if newest.id is not None:
            await self._store.add_note(newest.id, note)
            self.turns = (*self.turns[:-1], replace(newest, note=note))

    async def rename(self, title: str) -> None:
        """Give the chat another title; raises NoSuchChatError."""
        self.title = (
            shortened(title) if self.id is None else await self._store.rename(self.id, title)
        )

    def _newest_answer(self) -> int | None:
        answers = (t.id for t in reversed(self.turns) if isinstance(t.turn, AssistantTurn))
        return next(answers, None)


def title_of(turn: Turn) -> str:
    """The title of a chat that begins with this turn."""
    return shortened(turn.text) if isinstance(turn, UserTurn) else ""


def shortened(text: str) -> str:
    """The first line that says something, safe to show, cut between words where it is long."""
    line = next((line for line in safe(text).split("\n") if line.strip()), "")
    line = " ".join(line.split())
    if len(line) <= TITLE_LENGTH:
        return line
    words, _, _ = line[:TITLE_LENGTH].rpartition(" ")
    return (words or line[: TITLE_LENGTH - 1]) + "…"
