"""Two Vitrals on the same files at once: nothing is damaged, lost or done twice."""

from __future__ import annotations

import json
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.journeys.crash import DEMO, LONGEST, Home, Moment

pytestmark = pytest.mark.journey

FILES = ("chats.sqlite3", "demo.sqlite3")


def both(home: Home, one: tuple[str, ...], other: tuple[str, ...]) -> list[dict[str, Any]]:
    """What two programs answer that are started at the same time."""
    running = [home.start(*arguments, "--json") for arguments in (one, other)]
    return [_answer(process) for process in running]


def _answer(process: subprocess.Popen[str]) -> dict[str, Any]:
    with process:
        out, err = process.communicate(timeout=LONGEST)
    assert out, err
    answer: dict[str, Any] = json.loads(out)
    return answer


def assert_sound(home: Home) -> None:
    for file in FILES:
        with closing(sqlite3.connect(home.folder / "data" / file)) as db:
            assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)], file
            assert db.execute("PRAGMA foreign_key_check").fetchall() == [], file


def test_two_programs_that_make_the_files_and_write_at_once_lose_nothing(tmp_path: Path) -> None:
    home = Home(tmp_path)
    first = "Save my weight 71 kg, save my weight 72 kg, write a to a.txt, save my weight 73 kg"
    second = "Save my weight 81 kg, save my weight 82 kg, write b to b.txt, save my weight 83 kg"
    answers = both(home, (first,), (second,))
    assert [answer["ending"] for answer in answers] == ["answered", "answered"]
    states = [call["state"] for answer in answers for call in answer["calls"]]
    assert states == ["answered"] * 8
    assert home.world().saved == dict.fromkeys((71.0, 72.0, 73.0, 81.0, 82.0, 83.0), 1)
    assert len({answer["chat"] for answer in answers}) == 2
    assert_sound(home)


def test_two_programs_that_resume_the_same_chat_do_its_writes_once(tmp_path: Path) -> None:
    home = Home(tmp_path)
    home.killed(DEMO, Moment(point="recorded"))
    answers = both(home, ("--resume", "last"), ("--resume", "last"))
    assert [answer["ending"] for answer in answers] == ["answered", "answered"]
    assert home.world().saved == {71.0: 1, 72.0: 1, 181.0: 1}
    code, _ = home.run("--resume", "last", "And what is my weight?")
    assert code == 0
    assert_sound(home)
