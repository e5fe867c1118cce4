"""Where are the chats kept? In one SQLite file, written as things happen.

`Conversations` is the store, `Chat` one chat of it: the agent reads its history and keeps each
turn in it. One thread owns the connection, so that neither a slow disk nor another program that
writes ever holds the screen; each call returns once its change is on disk.
"""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Concatenate, Final, ParamSpec, TypeVar
from uuid import uuid4

from app.events import Done, Ending
from app.pending import Pending
from app.safe_text import safe
from app.storage import statements
from app.storage.rows import CallSpans, ChatSummary, Note, StoredTurn, Wire
from app.storage.schema import connect
from providers.history import AssistantTurn, ToolTurn, Turn, UserTurn
from tools.call import AnyCall, ToolResult
from tools.ledger import Scope

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
        return Chat(self, uuid4().hex, None, "", ())

    async def open(self, chat_id: int) -> Chat:
        """The chat as it was left, with a valid history.

        Raises NoSuchChatError, and UnreadableTurnError when the file was tampered with.
        """
        chat = await self._read(statements.select_chat, chat_id)
        if chat is None:
            raise NoSuchChatError(chat_id)
        turns = await self._read(statements.select_turns, chat_id)
        return Chat(self, chat[0], chat_id, chat[1], turns)

    async def list(self, limit: int = LIST_LENGTH) -> tuple[ChatSummary, ...]:
        """The chats, the one that changed last first."""
        return await self._read(statements.select_chats, limit)

    async def begin(self, uid: str, title: str, turn: Turn) -> tuple[int, StoredTurn]:
        """Store a chat with its first turn; gives the chat's id and the turn."""
        now = self._now()
        chat_id, turn_id = await self._write(statements.insert_first_turn, uid, title, turn, now)
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
    """One chat: the agent's `Conversation`, each turn of which is on disk once it is kept.

    `uid` names it for ever, in this file and in the ledger; `id` is its number in this file, None
    before its first turn. `turns` may end in results that stand in for missing ones (`pending`).
    """

    def __init__(
        self,
        store: Conversations,
        uid: str,
        chat_id: int | None,
        title: str,
        turns: tuple[StoredTurn, ...],
    ) -> None:
        self._store = store
        self.uid = uid
        self.id = chat_id
        self.title = title
        self.turns = turns

    @property
    def history(self) -> tuple[Turn, ...]:
        """What the next request is built from."""
        return tuple(stored.turn for stored in self.turns)

    @property
    def scope(self) -> Scope | None:
        """Where in the ledger the newest answer's calls stand; None without an answer."""
        answer = self._newest_answer()
        return None if answer is None else Scope(self.uid, answer)

    @property
    def pending(self) -> Pending | None:
        """The newest answer, when the program ended before all its results were kept."""
        match self.turns[-2:]:
            case (
                StoredTurn(turn=AssistantTurn() as asked),
                StoredTurn(id=None, turn=ToolTurn(results=results), known=known),
            ):
                return Pending(asked, {place: results[place] for place in sorted(known)})
            case _:
                return None

    @property
    def unanswered(self) -> Mapping[int, AnyCall]:
        """The newest answer's calls (by place) that have no result, because the program ended."""
        return self.pending.unanswered if self.pending else {}

    @property
    def unfinished(self) -> bool:
        """Whether the program ended before the newest message had its answer, so that one can go
        on with it; false when it ended otherwise (`StoredTurn.note` says how)."""
        match self.turns[-1:]:
            case (StoredTurn(note=None, turn=UserTurn() | ToolTurn()),):
                return True
            case _:
                return False

    async def keep(self, turn: Turn) -> None:
        """Store the turn as the newest; returns once it is safe. Raises NoSuchChatError."""
        if self.turns and self.turns[-1].id is None:
            await self._settle_pending(turn)
        if self.id is None:
            self.title = self.title or title_of(turn)
            self.id, stored = await self._store.begin(self.uid, self.title, turn)
        else:
            stored = await self._store.add_turn(self.id, turn)
        before = self.turns
        if before and not isinstance(turn, UserTurn):
            before = (*before[:-1], replace(before[-1], note=None))
        self.turns = (*before, stored)

    async def _settle_pending(self, follower: Turn) -> None:
        """The results that stand in for missing ones are replaced, or count from now on."""
        *before, standing_in = self.turns
        self.turns = tuple(before)
        if not isinstance(follower, ToolTurn):
            await self.keep(standing_in.turn)

    def learn(self, place: int, result: ToolResult) -> None:
        """Take what came of a call that is unanswered here: the ledger knew."""
        *before, standing_in = self.turns
        assert isinstance(standing_in.turn, ToolTurn), "only a pending answer lacks results"
        results = list(standing_in.turn.results)
        results[place] = result
        known = standing_in.known | {place}
        learned = replace(standing_in, turn=ToolTurn(tuple(results)), known=known)
        self.turns = (*before, learned)

    async def keep_result(self, place: int, result: ToolResult) -> None:
        """Store one call's result at once, while others of the newest answer are still running.

        Once their round is over, all results stand in its turn and nothing is stored here.
        """
        stored = [turn for turn in self.turns[-2:] if turn.id is not None]
        newest = stored[-1] if stored else None
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
