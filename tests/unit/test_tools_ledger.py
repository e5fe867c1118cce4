"""No write happens twice: the ledger's tables, with one program, with two, and with one killed."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.tool_makers import Recorder, call, error_of, permitting
from tests.tool_process import TOOLBOX, context_in
from tools.call import ErrorKind, ToolCall, ToolError, ToolResult
from tools.crash_points import VARIABLE
from tools.database import opened
from tools.ledger import Entry, Ledger, Scope, digest_of, entry_for
from tools.outcome import Outcome, Output

ROOT = Path(__file__).parents[2]
NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
SAVE = call("save_measurement", "call_1", key="weight", value=72.5)
APPEND = call("append_line", "call_1", text="hello")


@pytest.fixture
def ledger(tmp_path: Path) -> Ledger:
    return Ledger(tmp_path / "demo.sqlite", lambda: NOW)


def entry(place: int = 0, turn: int = 1, chat: str = "chat", **args: object) -> Entry:
    return entry_for(Scope(chat, turn), place, call("save", "call_1", **args))


def insert(connection: sqlite3.Connection) -> Outcome:
    connection.execute(
        "INSERT INTO measurements (key, value, unit, taken_at) VALUES ('weight', 1, 'kg', '')"
    )
    return Output(1)


def saved(folder: Path) -> int:
    """How often a measurement was saved since the seeds."""
    with opened(folder / "demo.sqlite") as connection:
        count: int = connection.execute("SELECT count(*) FROM measurements").fetchone()[0]
    return count - 2


def test_an_effect_that_was_done_is_not_done_again(ledger: Ledger, tmp_path: Path) -> None:
    assert [ledger.once(entry(), insert) for _ in range(3)] == [Output(1)] * 3
    assert saved(tmp_path) == 1


@pytest.mark.parametrize("other", [entry(place=1), entry(turn=2), entry(chat="other")])
def test_another_place_turn_or_chat_is_another_call(
    ledger: Ledger, tmp_path: Path, other: Entry
) -> None:
    ledger.once(entry(), insert)
    ledger.once(other, insert)
    assert saved(tmp_path) == 2


def test_another_call_at_the_same_place_is_an_error(ledger: Ledger, tmp_path: Path) -> None:
    ledger.once(entry(), insert)
    outcome = ledger.once(entry(n=1), insert)
    assert isinstance(outcome, ToolError)
    assert "another call" in outcome.message
    assert saved(tmp_path) == 1


def test_an_effect_that_gives_an_error_is_taken_back_and_remembered(
    ledger: Ledger, tmp_path: Path
) -> None:
    refusal = ToolError(ErrorKind.FAILED, "No.")

    def refused(connection: sqlite3.Connection) -> Outcome:
        insert(connection)
        return refusal

    ledger.once(entry(), refused)
    assert ledger.once(entry(), insert) == refusal
    assert saved(tmp_path) == 0


def test_an_effect_that_raises_is_taken_back_and_forgotten(ledger: Ledger, tmp_path: Path) -> None:
    def raising(connection: sqlite3.Connection) -> Outcome:
        insert(connection)
        raise ValueError

    with pytest.raises(ValueError):
        ledger.once(entry(), raising)
    assert ledger.recall(entry()) is None
    assert saved(tmp_path) == 0


@pytest.mark.parametrize("statement", ["COMMIT", "ROLLBACK", "BEGIN"])
def test_an_effect_cannot_part_itself_from_its_record(
    ledger: Ledger, tmp_path: Path, statement: str
) -> None:
    def parting(connection: sqlite3.Connection) -> Outcome:
        insert(connection)
        connection.execute(statement)
        return Output(None)

    with pytest.raises(sqlite3.DatabaseError, match="not authorized"):
        ledger.once(entry(), parting)
    assert saved(tmp_path) == 0


def test_what_was_begun_is_unknown_until_it_is_finished(ledger: Ledger) -> None:
    assert ledger.begin(entry()) is None
    found = ledger.begin(entry())
    assert isinstance(found, ToolError)
    assert found.kind is ErrorKind.UNKNOWN_OUTCOME
    ledger.finish(entry(), Output({"done": True}))
    assert ledger.begin(entry()) == Output({"done": True})


def test_an_earlier_write_is_one_that_was_done_in_the_same_chat(ledger: Ledger) -> None:
    ledger.once(entry(), insert)
    digest = entry().digest
    assert ledger.earlier_write("chat", "save", digest) == NOW
    assert ledger.earlier_write("other", "save", digest) is None
    assert ledger.earlier_write("chat", "save", digest_of("save", {"n": 1})) is None


def test_what_was_refused_or_only_begun_is_no_earlier_write(ledger: Ledger) -> None:
    ledger.once(entry(0), lambda connection: ToolError(ErrorKind.FAILED, "No."))
    ledger.begin(entry(1))
    assert ledger.earlier_write("chat", "save", entry().digest) is None


def test_the_digest_knows_no_order_of_keys_but_every_value() -> None:
    digests = [
        digest_of("f", {"a": 1, "b": [1, 2]}),
        digest_of("f", {"b": [1, 2], "a": 1}),
        digest_of("f", {"a": 1, "b": [2, 1]}),
        digest_of("f", {"a": "1", "b": [1, 2]}),
        digest_of("g", {"a": 1, "b": [1, 2]}),
    ]
    assert digests[0] == digests[1]
    assert len(set(digests)) == 4


async def dispatched(folder: Path, *calls: ToolCall, turn: int = 1) -> list[ToolResult]:
    return list(await permitting(turn).dispatch(calls, TOOLBOX, context_in(folder)))


@pytest.mark.parametrize("write", [SAVE, APPEND])
async def test_a_call_met_again_gets_the_stored_result_and_asks_nobody(
    tmp_path: Path, write: ToolCall
) -> None:
    (first,) = await dispatched(tmp_path, write)
    again = permitting()
    (second,) = await again.dispatch([write], TOOLBOX, context_in(tmp_path))
    assert second.output == first.output
    assert (again.asked, again.running) == ({}, [])


async def test_two_calls_with_one_id_in_one_turn_each_run_once(tmp_path: Path) -> None:
    await dispatched(tmp_path, APPEND, APPEND)
    assert (tmp_path / "lines.txt").read_text() == "hello\nhello\n"


async def test_an_id_used_again_in_a_later_turn_is_another_call(tmp_path: Path) -> None:
    await dispatched(tmp_path, APPEND)
    await dispatched(tmp_path, APPEND, turn=2)
    assert (tmp_path / "lines.txt").read_text() == "hello\nhello\n"


async def test_the_person_hears_that_the_same_was_done_before(tmp_path: Path) -> None:
    await dispatched(tmp_path, SAVE)
    later = permitting(turn=2)
    await later.dispatch([SAVE], TOOLBOX, context_in(tmp_path))
    assert later.asked[0].earlier is not None


async def test_what_is_done_for_the_first_time_has_no_earlier_time(tmp_path: Path) -> None:
    recorder = permitting()
    await recorder.dispatch([SAVE], TOOLBOX, context_in(tmp_path))
    assert recorder.asked[0].earlier is None


def process(folder: Path, write: ToolCall, **environment: str) -> subprocess.Popen[str]:
    """Another program that makes the write in the same files."""
    return subprocess.Popen(
        [sys.executable, "-m", "tests.tool_process", folder, write.name, json.dumps(write.args)],
        cwd=ROOT,
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def killed_at(point: str, folder: Path, write: ToolCall) -> None:
    """A program makes the write, reaches the point, and is killed there."""
    with process(folder, write, **{VARIABLE: point}) as writing:
        assert writing.stderr is not None
        assert writing.stderr.readline() == f"held at {point}\n"
        writing.kill()


@pytest.mark.parametrize("point", ["begun", "effect", "recorded"])
async def test_a_write_in_the_database_is_there_once_wherever_the_program_was_killed(
    tmp_path: Path, point: str
) -> None:
    killed_at(point, tmp_path, SAVE)
    assert saved(tmp_path) == (1 if point == "recorded" else 0)
    (result,) = await dispatched(tmp_path, SAVE)
    assert result.output["saved"]["value"] == 72.5
    assert saved(tmp_path) == 1


@pytest.mark.parametrize(("point", "lines"), [("begun", 0), ("effect", 1)])
async def test_a_write_elsewhere_that_was_open_is_unknown_and_not_repeated(
    tmp_path: Path, point: str, lines: int
) -> None:
    killed_at(point, tmp_path, APPEND)
    recorder = permitting()
    (result,) = await recorder.dispatch([APPEND], TOOLBOX, context_in(tmp_path))
    assert error_of(result).kind is ErrorKind.UNKNOWN_OUTCOME
    assert recorder.asked == {}
    assert lines_in(tmp_path) == lines


async def test_a_write_elsewhere_that_was_recorded_is_not_lost(tmp_path: Path) -> None:
    killed_at("recorded", tmp_path, APPEND)
    (result,) = await dispatched(tmp_path, APPEND)
    assert (result.output, lines_in(tmp_path)) == ("appended", 1)


def lines_in(folder: Path) -> int:
    with suppress(FileNotFoundError):
        return len((folder / "lines.txt").read_text().splitlines())
    return 0


@pytest.mark.parametrize(("write", "count"), [(SAVE, saved), (APPEND, lines_in)])
def test_two_programs_make_one_write_of_the_same_call(
    tmp_path: Path, write: ToolCall, count: Callable[[Path], int]
) -> None:
    programs = [process(tmp_path, write) for _ in range(2)]
    assert [program.communicate()[1] for program in programs] == ["", ""]
    assert count(tmp_path) == 1


async def test_a_write_that_nobody_heard_of_is_found_after_the_crash(tmp_path: Path) -> None:
    read = call("get_order", order_id=1042)
    killed_at("recorded", tmp_path, SAVE)
    found = Ledger(context_in(tmp_path).database).results(Scope("chat", 1), [SAVE, read, APPEND])
    assert [(place, result.call_id, result.ok) for place, result in found.items()] == [
        (0, "call_1", True)
    ]


async def test_a_write_that_was_open_is_told_as_unknown_after_the_crash(tmp_path: Path) -> None:
    killed_at("effect", tmp_path, APPEND)
    found = Ledger(context_in(tmp_path).database).results(Scope("chat", 1), [APPEND])
    assert error_of(found[0]).kind is ErrorKind.UNKNOWN_OUTCOME


async def test_a_fault_after_the_beginning_leaves_the_outcome_unknown(tmp_path: Path) -> None:
    (tmp_path / "lines.txt").mkdir()
    recorder = Recorder(permission=permitting().permission, scope=Scope("chat", 1))
    (result,) = await recorder.dispatch([APPEND], TOOLBOX, context_in(tmp_path))
    assert error_of(result).kind is ErrorKind.UNKNOWN_OUTCOME
    assert isinstance(recorder.exceptions[0], OSError)
