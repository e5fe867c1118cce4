"""Chats are kept as they happen, and open again with all that was shown as finished."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import closing
from itertools import count
from pathlib import Path

import pytest

from app.conversations import Conversations, NoSuchChatError, shortened
from app.events import Done, Ending
from app.storage.rows import Note
from app.storage.schema import MIGRATIONS, NewerFileError, connect
from app.turn_json import UnreadableTurnError
from providers.failures import Failure, FailureKind
from providers.history import AssistantTurn, Origin, ToolTurn, UserTurn, valid
from tools.call import ErrorKind, ToolCall, ToolResult

ORIGIN = Origin("simulator", "anthropic", "demo-1")
HELLO = UserTurn("hello")


def answer(text: str = "hi", *call_ids: str) -> AssistantTurn:
    calls = [ToolCall("look", {"key": "height"}, "simulator", call_id) for call_id in call_ids]
    return AssistantTurn((text, *calls), ORIGIN, native=({"type": "text", "text": text},))


def result(call_id: str, output: object = 170) -> ToolResult:
    return ToolResult(call_id, "look", output=output, seconds=0.5)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "state" / "chats.db"


@pytest.fixture
async def store(path: Path) -> AsyncIterator[Conversations]:
    """A store whose clock shows 1, 2, 3, ..."""
    conversations = Conversations(path, now=clock())
    yield conversations
    await conversations.close()


def clock() -> Callable[[], float]:
    ticks = count(1)
    return lambda: float(next(ticks))


async def reopened(path: Path, chat_id: int | None) -> object:
    """The history that another program finds."""
    assert chat_id is not None
    other = Conversations(path)
    try:
        return (await other.open(chat_id)).history
    finally:
        await other.close()


async def test_each_turn_is_on_disk_once_it_is_kept(store: Conversations, path: Path) -> None:
    chat = store.new()
    turns = (HELLO, answer("", "a", "b"), ToolTurn((result("a"), result("b"))), answer("done"))
    for turn in turns:
        await chat.keep(turn)
        if not isinstance(turn, AssistantTurn) or not turn.calls:
            assert await reopened(path, chat.id) == chat.history
    assert chat.history == turns


async def test_a_chat_without_a_turn_is_in_no_list(store: Conversations) -> None:
    store.new()
    assert await store.list() == ()


async def test_the_chat_that_changed_last_is_listed_first(store: Conversations) -> None:
    first, second = store.new(), store.new()
    await first.keep(UserTurn("one"))
    await second.keep(UserTurn("two"))
    await first.keep(answer())
    assert [(chat.title, chat.turns) for chat in await store.list()] == [("one", 1), ("two", 1)]


async def test_the_list_counts_what_the_person_sent(store: Conversations) -> None:
    chat = store.new()
    turns = (HELLO, answer("", "a"), ToolTurn((result("a"),)), answer("done"), UserTurn("more"))
    for turn in turns:
        await chat.keep(turn)
    assert [listed.turns for listed in await store.list()] == [2]


async def test_a_turn_keeps_its_time_and_a_column_for_each_part_of_its_origin(
    store: Conversations, path: Path
) -> None:
    chat = store.new()
    await chat.keep(HELLO)
    await chat.keep(answer())
    assert [turn.time for turn in chat.turns] == [1.0, 2.0]
    with sqlite3.connect(path) as db:
        rows = db.execute("SELECT provider, dialect, model FROM turns ORDER BY id").fetchall()
    assert rows == [(None, None, None), ("simulator", "anthropic", "demo-1")]


async def test_calls_without_results_open_as_cancelled(store: Conversations) -> None:
    chat = store.new()
    await chat.keep(HELLO)
    await chat.keep(answer("", "a", "b"))
    assert chat.id is not None
    opened = await store.open(chat.id)
    assert valid(opened.history)
    last = opened.history[-1]
    assert isinstance(last, ToolTurn)
    assert [r.error and r.error.kind for r in last.results] == [ErrorKind.CANCELLED] * 2


async def test_a_result_that_was_shown_before_the_crash_is_there_after_it(
    store: Conversations,
) -> None:
    chat = store.new()
    await chat.keep(answer("", "a", "b"))
    await chat.keep_result(1, result("b", 70))
    assert chat.id is not None
    last = (await store.open(chat.id)).history[-1]
    assert isinstance(last, ToolTurn)
    assert [r.output for r in last.results] == [None, 70]


async def test_a_chat_goes_on_after_a_crash(store: Conversations) -> None:
    chat = store.new()
    await chat.keep(answer("", "a"))
    assert chat.id is not None
    opened = await store.open(chat.id)
    await opened.keep(HELLO)
    again = await store.open(chat.id)
    assert valid(again.history)
    assert again.history == opened.history


async def test_results_that_answer_nothing_are_left_out(store: Conversations) -> None:
    chat = store.new()
    await chat.keep(HELLO)
    await chat.keep(ToolTurn((result("nobody"),)))
    assert chat.id is not None
    assert (await store.open(chat.id)).history == (HELLO,)


@pytest.mark.parametrize(("second", "count"), [("hi", 2), ("hi there", 3)])
async def test_an_answer_that_two_windows_got_is_one_answer(
    store: Conversations, second: str, count: int
) -> None:
    chat = store.new()
    for turn in (HELLO, answer("hi"), answer(second)):
        await chat.keep(turn)
    assert chat.id is not None
    assert len((await store.open(chat.id)).history) == count


async def test_a_failure_is_shown_again_with_its_reference(store: Conversations) -> None:
    chat = store.new()
    await chat.keep(HELLO)
    await chat.keep_ending(Done(Ending.FAILED, Failure(FailureKind.CUT, transient=True), "K7Q2"))
    assert chat.id is not None
    opened = await store.open(chat.id)
    assert opened.turns[-1].note == Note(Ending.FAILED, "K7Q2", FailureKind.CUT)
    assert opened.turns == chat.turns


async def test_an_answer_that_comes_after_all_takes_the_failure_away(store: Conversations) -> None:
    chat = store.new()
    await chat.keep(HELLO)
    await chat.keep_ending(Done(Ending.STOPPED))
    await chat.keep(answer())
    assert chat.id is not None
    assert [turn.note for turn in (await store.open(chat.id)).turns] == [None, None]
    assert [turn.note for turn in chat.turns] == [None, None]


async def test_the_next_message_leaves_the_failure_where_it_was(store: Conversations) -> None:
    chat = store.new()
    await chat.keep(HELLO)
    await chat.keep_ending(Done(Ending.STOPPED))
    await chat.keep(UserTurn("again"))
    assert [turn.note and turn.note.ending for turn in chat.turns] == [Ending.STOPPED, None]


async def test_an_answered_message_leaves_no_note(store: Conversations) -> None:
    chat = store.new()
    await chat.keep(HELLO)
    await chat.keep_ending(Done(Ending.ANSWERED))
    assert chat.turns[-1].note is None


async def test_the_wire_of_an_answer_is_kept_whole(store: Conversations) -> None:
    chat = store.new()
    await chat.keep(answer("", "a"))
    body = b'data: {"a": "\xff"}\n\n' * 1000
    await chat.keep_wire(body, (((0, 8), (20, 28)),))
    turn_id = chat.turns[-1].id
    assert turn_id is not None
    wire = await store.wire(turn_id)
    assert wire is not None
    assert (wire.body, wire.spans) == (body, (((0, 8), (20, 28)),))


async def test_a_turn_without_a_wire_has_none(store: Conversations) -> None:
    assert await store.wire(99) is None


async def test_a_deleted_chat_takes_everything_with_it(store: Conversations, path: Path) -> None:
    chat = store.new()
    await chat.keep(answer("", "a"))
    await chat.keep_wire(b"x")
    await chat.keep_result(0, result("a"))
    await chat.keep_ending(Done(Ending.STOPPED))
    assert chat.id is not None
    await store.delete(chat.id)
    with sqlite3.connect(path) as db:
        for table in ("chats", "turns", "wires", "results", "notes"):
            assert db.execute(f"SELECT count(*) FROM {table}").fetchone() == (0,)


async def test_a_turn_for_a_deleted_chat_is_refused(store: Conversations) -> None:
    chat = store.new()
    await chat.keep(HELLO)
    assert chat.id is not None
    await store.delete(chat.id)
    with pytest.raises(NoSuchChatError):
        await chat.keep(answer())


async def test_a_chat_that_is_not_there_cannot_be_opened_or_renamed(store: Conversations) -> None:
    with pytest.raises(NoSuchChatError):
        await store.open(7)
    with pytest.raises(NoSuchChatError):
        await store.rename(7, "x")


async def test_a_chat_keeps_the_title_that_it_was_given(store: Conversations) -> None:
    chat = store.new()
    await chat.rename("  Before\nthe first ")
    await chat.keep(HELLO)
    assert chat.title == "Before"
    await chat.rename("After")
    assert [summary.title for summary in await store.list()] == ["After"]


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("\n\n  What is   my height?\nAnd more", "What is my height?"),
        ("word " * 30, "word " * 11 + "word…"),
        ("x" * 80, "x" * 59 + "…"),
        ("\x1b[31mred \ud83d", "␛[31mred \ufffd"),
        ("  ", ""),
    ],
)
def test_a_title_is_one_short_safe_line(text: str, title: str) -> None:
    assert shortened(text) == title


async def test_a_file_of_a_newer_program_is_not_touched(path: Path) -> None:
    path.parent.mkdir()
    with sqlite3.connect(path) as db:
        db.execute(f"PRAGMA user_version = {len(MIGRATIONS) + 1}")
    store = Conversations(path)
    with pytest.raises(NewerFileError):
        await store.list()
    await store.close()


async def test_a_damaged_turn_is_named_as_such(store: Conversations, path: Path) -> None:
    chat = store.new()
    await chat.keep(HELLO)
    with sqlite3.connect(path) as db:
        db.execute("UPDATE turns SET content = '{'")
    assert chat.id is not None
    with pytest.raises(UnreadableTurnError):
        await store.open(chat.id)


def test_the_file_is_for_its_owner_alone(path: Path) -> None:
    connect(path).close()
    assert path.stat().st_mode & 0o077 == 0 or path.drive


async def test_chats_of_an_older_file_get_lasting_names_of_their_own(path: Path) -> None:
    path.parent.mkdir()
    with closing(sqlite3.connect(path)) as db:
        for statement in MIGRATIONS[0]:
            db.execute(statement)
        for title in ("one", "two"):
            db.execute("INSERT INTO chats (title, started, changed) VALUES (?, 1, 1)", (title,))
        db.execute("PRAGMA user_version = 1")
        db.commit()
    store = Conversations(path)
    uids = {(await store.open(chat.id)).uid for chat in await store.list()}
    assert len(uids - {""}) == 2
    await store.close()


async def test_a_chat_keeps_its_lasting_name(store: Conversations) -> None:
    chat = store.new()
    await chat.keep(HELLO)
    assert chat.id is not None
    assert (await store.open(chat.id)).uid == chat.uid


async def test_each_answer_has_a_place_of_its_own_in_the_ledger(store: Conversations) -> None:
    one, other = store.new(), store.new()
    assert one.scope is None
    scopes = []
    for chat in (one, other, one):
        await chat.keep(HELLO)
        await chat.keep(answer())
        scopes.append(chat.scope)
    assert len(set(scopes)) == 3


async def test_an_interrupted_answer_tells_what_is_known_of_its_calls(
    store: Conversations,
) -> None:
    chat = store.new()
    await chat.keep(HELLO)
    await chat.keep(answer("", "a", "b"))
    await chat.keep_result(1, result("b", 70))
    assert chat.pending is None
    assert chat.id is not None
    opened = await store.open(chat.id)
    assert opened.pending is not None
    assert dict(opened.pending.results) == {1: result("b", 70)}
    assert [call.call_id for call in opened.unanswered.values()] == ["a"]
    assert opened.scope == chat.scope


async def test_results_that_come_after_all_take_the_place_of_those_that_stood_in(
    store: Conversations,
) -> None:
    chat = store.new()
    await chat.keep(answer("", "a"))
    assert chat.id is not None
    opened = await store.open(chat.id)
    opened.learn(0, result("a", 1))
    assert not opened.unanswered
    await opened.keep(ToolTurn((result("a", 2),)))
    assert opened.pending is None
    assert opened.history == (await store.open(chat.id)).history
    assert opened.history[1:] == (ToolTurn((result("a", 2),)),)
