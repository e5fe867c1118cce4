"""The demo database: made when first needed, by whoever comes first."""

from __future__ import annotations

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from tests.tool_makers import Recorder, call
from tools.database import MIGRATIONS, DatabaseVersionError, opened
from tools.demo import demo_toolbox
from tools.tool import ToolContext


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "not yet there" / "demo.sqlite"


async def look_up(path: Path, *keys: str) -> list[object]:
    context = ToolContext(path.parent / "workspace", path)
    calls = [call("lookup_demo_value", key=key) for key in keys]
    results = await Recorder().dispatch(calls, demo_toolbox(), context)
    return [result.output or result.error for result in results]


async def test_height_and_weight_are_looked_up_side_by_side_in_a_new_file(path: Path) -> None:
    assert await look_up(path, "height", "weight") == [
        {"key": "height", "value": 170, "unit": "cm"},
        {"key": "weight", "value": 70, "unit": "kg"},
    ]


def save(path: Path, value: float, taken_at: str) -> None:
    with opened(path) as connection:
        connection.execute(
            "INSERT INTO measurements (key, value, unit, taken_at) VALUES (?, ?, ?, ?)",
            ("weight", value, "kg", taken_at),
        )


async def test_the_newest_measurement_counts(path: Path) -> None:
    save(path, 72.5, "2025-03-01T08:00:00Z")
    save(path, 71, "2025-02-01T08:00:00Z")
    assert await look_up(path, "weight") == [{"key": "weight", "value": 72.5, "unit": "kg"}]


async def test_a_measurement_that_was_never_saved_is_said_to_be_missing(path: Path) -> None:
    with opened(path) as connection:
        connection.execute("DELETE FROM measurements")
    (error,) = await look_up(path, "height")
    assert "No height has been saved yet." in str(error)


def test_a_new_file_has_every_migration_and_a_write_ahead_log(path: Path) -> None:
    with opened(path) as connection:
        assert connection.execute("PRAGMA user_version").fetchone()[0] == len(MIGRATIONS)
        assert connection.execute("PRAGMA journal_mode").fetchone()[0] == "wal"


def test_opening_again_seeds_nothing_twice(path: Path) -> None:
    for _ in range(3):
        with opened(path) as connection:
            rows = connection.execute("SELECT count(*) FROM measurements").fetchone()[0]
    assert rows == 2


def test_many_may_open_a_new_file_at_once(path: Path) -> None:
    def count(_: int) -> int:
        with opened(path) as connection:
            rows: int = connection.execute("SELECT count(*) FROM measurements").fetchone()[0]
        return rows

    with ThreadPoolExecutor(8) as threads:
        assert set(threads.map(count, range(24))) == {2}


def test_a_file_of_a_later_version_is_left_alone(path: Path) -> None:
    path.parent.mkdir()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 99")
    with pytest.raises(DatabaseVersionError, match="version 99"), opened(path):
        pass


def test_a_migration_that_fails_leaves_no_half_of_it(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = (("CREATE TABLE first (id)", "CREATE TABLE first (id)"),)
    monkeypatch.setattr("tools.database.MIGRATIONS", broken)
    with pytest.raises(sqlite3.OperationalError), opened(path):
        pass
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0
