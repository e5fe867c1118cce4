"""A chat that died in the middle of a message shows what had finished, and can go on or not."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from app import events
from app.conversations import Chat
from app.events import Event
from app.session import Session
from providers.dialects import DIALECT_IDS
from providers.history import AssistantTurn, Origin, ToolTurn, UserTurn, valid
from tests.sessions import Person, saved_weights, say, session_in
from tools.call import ErrorKind, ToolCall, ToolResult
from tools.ledger import Ledger, entry_for
from tools.outcome import Output

QUESTION = "What is my height, save my weight 72.5 kg, then what is my weight?"
HEIGHT = ToolResult("c1", "lookup_demo_value", output={"key": "height", "value": 170, "unit": "cm"})


def calls(dialect: str) -> AssistantTurn:
    """The answer that had come: a read, a write, a read."""
    return AssistantTurn(
        (
            ToolCall("lookup_demo_value", {"key": "height"}, "simulator", "c1"),
            ToolCall(
                "save_measurement",
                {"key": "weight", "value": 72.5, "unit": "kg"},
                "simulator",
                "c2",
            ),
            ToolCall("lookup_demo_value", {"key": "weight"}, "simulator", "c3"),
        ),
        Origin("simulator", dialect, "vitral-sim"),
    )


async def died(home: Path, dialect: str = "openai-responses") -> int:
    """A chat whose program died when the first of three calls had its result; its number."""
    session = session_in(home, dialect)
    chat = session.chat
    await chat.keep(UserTurn(QUESTION))
    await chat.keep(calls(dialect))
    await chat.keep_result(0, HEIGHT)
    await session.close()
    assert chat.id is not None
    return chat.id


async def opened(home: Path, chat_id: int, dialect: str = "openai-responses") -> Session:
    session = session_in(home, dialect, Person())
    await session.open_chat(chat_id)
    return session


def write_of(chat: Chat) -> ToolCall:
    call = calls("x").calls[1]
    assert isinstance(call, ToolCall)
    return call


async def test_the_calls_without_a_result_are_marked(tmp_path: Path) -> None:
    session = await opened(tmp_path, await died(tmp_path))
    chat = session.chat
    assert (chat.unfinished, list(chat.unanswered)) == (True, [1, 2])
    assert valid(session.history)
    await session.close()


@pytest.mark.parametrize("dialect", DIALECT_IDS)
async def test_a_message_goes_on_where_the_program_died(tmp_path: Path, dialect: str) -> None:
    session = await opened(tmp_path, await died(tmp_path, dialect), dialect)
    told: list[Event] = []
    done = await session.go_on(told.append)
    assert done.ending is events.Ending.ANSWERED
    assert saved_weights(tmp_path) == [72.5]
    results = session.history[2]
    assert isinstance(results, ToolTurn)
    assert results.results[0] == HEIGHT
    assert [result.ok for result in results.results] == [True, True, True]
    resumed = [event for event in told if isinstance(event, events.Resumed)]
    assert [(event.number, dict(event.results)) for event in resumed] == [(1, {0: HEIGHT})]
    assert [event.place for event in told if isinstance(event, events.CallAnswered)] == [1, 2]
    await session.close()


@pytest.mark.parametrize("dialect", DIALECT_IDS)
async def test_a_new_message_leaves_what_was_unanswered_cancelled(
    tmp_path: Path, dialect: str
) -> None:
    chat_id = await died(tmp_path, dialect)
    session = await opened(tmp_path, chat_id, dialect)
    done, _ = await say(session, "What is my height?")
    assert done.ending is events.Ending.ANSWERED
    await session.close()
    again = await opened(tmp_path, chat_id, dialect)
    results = again.history[2]
    assert isinstance(results, ToolTurn)
    kinds = [result.error and result.error.kind for result in results.results]
    assert kinds == [None, ErrorKind.CANCELLED, ErrorKind.CANCELLED]
    assert not again.chat.unanswered
    assert saved_weights_or_none(tmp_path) == []
    await again.close()


def saved_weights_or_none(home: Path) -> list[float]:
    return saved_weights(home) if (home / "data" / "demo.sqlite3").exists() else []


async def test_a_write_that_was_done_is_known_when_the_chat_opens(tmp_path: Path) -> None:
    chat_id = await died(tmp_path)
    first = await opened(tmp_path, chat_id)
    scope = first.chat.scope
    assert scope is not None
    entry = entry_for(scope, 1, write_of(first.chat))
    ledger = Ledger(first.places.demo_database)
    await asyncio.to_thread(ledger.once, entry, lambda connection: Output({"saved": True}))
    await first.close()
    session = await opened(tmp_path, chat_id)
    assert list(session.chat.unanswered) == [2]
    done, _ = await say(session, None)
    assert done.ending is events.Ending.ANSWERED
    results = session.history[2]
    assert isinstance(results, ToolTurn)
    assert results.results[1].output == {"saved": True}
    assert saved_weights(tmp_path) == []
    await session.close()


@pytest.mark.parametrize("text", [None, "What is my height?"])
async def test_a_write_that_was_only_begun_is_told_as_unknown(
    tmp_path: Path, text: str | None
) -> None:
    chat_id = await died(tmp_path)
    first = await opened(tmp_path, chat_id)
    scope = first.chat.scope
    assert scope is not None
    entry = entry_for(scope, 1, write_of(first.chat))
    await asyncio.to_thread(Ledger(first.places.demo_database).begin, entry)
    await first.close()
    session = await opened(tmp_path, chat_id)
    assert list(session.chat.unanswered) == [1, 2]
    await say(session, text)
    results = session.history[2]
    assert isinstance(results, ToolTurn)
    assert results.results[1].error is not None
    assert results.results[1].error.kind is ErrorKind.UNKNOWN_OUTCOME
    assert saved_weights(tmp_path) == []
    await session.close()


async def test_a_message_that_had_no_answer_yet_is_asked_again(tmp_path: Path) -> None:
    session = session_in(tmp_path)
    await session.chat.keep(UserTurn("What is my height?"))
    chat_id = session.chat.id
    await session.close()
    assert chat_id is not None
    again = await opened(tmp_path, chat_id)
    assert again.chat.unfinished
    done, _ = await say(again, None)
    assert done.ending is events.Ending.ANSWERED
    assert [turn for turn in again.history if isinstance(turn, UserTurn)] == [
        UserTurn("What is my height?")
    ]
    await again.close()


async def test_a_chat_that_was_answered_is_not_unfinished(tmp_path: Path) -> None:
    session = session_in(tmp_path)
    await say(session, "What is my height?")
    assert session.chat.id is not None
    again = await opened(tmp_path, session.chat.id)
    assert not again.chat.unfinished
    await session.close()
    await again.close()


async def test_two_chats_have_different_places_in_the_ledger(tmp_path: Path) -> None:
    session = session_in(tmp_path, person=Person())
    await say(session, "Save my weight 71 kg")
    first = session.chat.scope
    session.new_chat()
    await say(session, "Save my weight 71 kg")
    assert session.chat.scope != first
    assert saved_weights(tmp_path) == [71.0, 71.0]
    await session.close()
