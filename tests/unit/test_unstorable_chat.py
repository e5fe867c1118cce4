"""A chat that cannot be stored ends its message in a sentence of its own, and nothing is asked."""

from __future__ import annotations

from pathlib import Path

from app import events
from app.choice import Choice
from app.session import open_session


async def ending(home: Path) -> events.Done:
    session = open_session(Choice(speed=1000), environment={"VITRAL_HOME": str(home)})
    told: list[events.Event] = []
    try:
        done = await session.send("What is my height?", told.append)
    finally:
        await session.close()
    assert told == [done]
    return done


async def test_a_damaged_file_of_chats_is_told_with_a_reference(tmp_path: Path) -> None:
    chats = tmp_path / "data" / "chats.sqlite3"
    chats.parent.mkdir(parents=True)
    chats.write_bytes(b"this is no database" * 100)
    done = await ending(tmp_path)
    assert done.ending is events.Ending.NOT_KEPT
    assert done.reference in (tmp_path / "state" / "diagnostics.jsonl").read_text()


async def test_a_folder_in_the_place_of_the_file_is_told_in_the_same_way(tmp_path: Path) -> None:
    (tmp_path / "data" / "chats.sqlite3").mkdir(parents=True)
    assert (await ending(tmp_path)).ending is events.Ending.NOT_KEPT


async def test_a_workspace_that_cannot_be_made_leaves_the_screen_standing(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "workspace").write_text("a file where the folder should be")
    session = open_session(Choice(speed=1000), environment={"VITRAL_HOME": str(tmp_path)})
    try:
        done = await session.send("Hello", lambda event: None)
    finally:
        await session.close()
    assert done.ending is events.Ending.ANSWERED
