"""Kills `vitral ask` at a chosen moment, starts it again, and counts what it did to the world.

Two scenes: one writes to the demo database and to files, the other has a tool of the person's own
whose effect, a line in a file, can be counted and is in no transaction.
"""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tools.crash_points import VARIABLE, Point

ROOT = Path(__file__).parents[2]

LONGEST = 60.0
"""Seconds after which a run counts as stuck."""

OWN_TOOL = """
from pydantic import BaseModel
from tools.tool import Effect, tool

class Line(BaseModel):
    text: str

@tool(effect=Effect.WRITE)
def append_line(arguments: Line, context: object):
    "Appends a line to a file."
    with (context.workspace / "lines.txt").open("a") as file:
        file.write(arguments.text + "\\n")
    return "appended"

"""


@dataclass(frozen=True, slots=True)
class Scene:
    """What is asked, and what the world is to look like once it is done."""

    name: str
    text: str
    lines: int
    """How many lines a whole run writes to standard error: a call or a result each."""
    options: tuple[str, ...] = ()


DEMO = Scene(
    "demo",
    "Save my weight 71 kg, read the notes, save my weight 72 kg, ship order 1042, "
    "write tea to todo.txt, then read it, save my height 181 cm",
    lines=14,
)
OWN = Scene("own", "Hello", lines=2, options=("--tool-choice", "append_line"))


@dataclass(frozen=True, slots=True)
class Moment:
    """When to kill: at a point of the ledger, after so many lines of standard error, or after a
    time in seconds."""

    point: Point | None = None
    line: int | None = None
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class World:
    """What was done, by counting: each saved value, each line, how often the order was moved."""

    saved: Mapping[float, int]
    lines: int
    order: str
    ledger: Mapping[str, int] = field(default_factory=dict)


class Home:
    """A home of its own for one crash."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        tools = folder / "own"
        tools.mkdir(parents=True)
        (tools / "lines.py").write_text(OWN_TOOL, "utf-8")
        config = folder / "config"
        config.mkdir()
        (config / "settings.toml").write_text(f"tools_folder = {json.dumps(str(tools))}\n")

    def start(self, *arguments: str, hold: Point | None = None) -> subprocess.Popen[str]:
        """`vitral ask` at full speed, permitted everything."""
        environment = {**os.environ, "VITRAL_HOME": str(self.folder), "LANGUAGE": "en"}
        if hold is not None:
            environment[VARIABLE] = hold
        command = [sys.executable, "-m", "app", "ask", *arguments]
        return subprocess.Popen(
            [*command, "--approve", "all", "--speed", "1000"],
            env=environment,
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )

    def run(self, *arguments: str) -> tuple[int, dict[str, Any]]:
        """A whole run; its code and its answer."""
        with self.start(*arguments, "--json") as process:
            out, err = process.communicate(timeout=LONGEST)
        assert out, f"{err}{self.diagnostics}"
        return process.returncode, json.loads(out)

    @property
    def diagnostics(self) -> str:
        """What the program wrote down of its troubles."""
        path = self.folder / "state" / "diagnostics.jsonl"
        return path.read_text("utf-8") if path.exists() else ""

    def killed(self, scene: Scene, moment: Moment) -> bool:
        """Start the scene and kill it at the moment; whether it was still running then."""
        with self.start(scene.text, *scene.options, hold=moment.point) as process:
            killer = threading.Timer(moment.seconds or LONGEST, process.kill)
            killer.start()
            try:
                _await(process, moment)
                process.send_signal(signal.SIGKILL)
            finally:
                killer.cancel()
            process.wait(LONGEST)
        return process.returncode == -signal.SIGKILL

    def finished(self) -> dict[tuple[int, int], str]:
        """The results that were shown: (turn, place) → result, as the chats' file has them."""
        found: dict[tuple[int, int], str] = {}
        for turn, place, content in self._rows(
            "chats.sqlite3", "SELECT turn, place, content FROM results"
        ):
            found[turn, place] = content
        asked = 0
        for turn, content in self._rows("chats.sqlite3", "SELECT id, content FROM turns"):
            said = json.loads(content)
            if said["turn"] == "tools":
                for place, result in enumerate(said["results"]):
                    found[asked, place] = json.dumps({"v": 1, **result}, separators=(",", ":"))
            asked = turn
        return found

    def world(self) -> World:
        data = self.folder / "data"
        lines = data / "workspace" / "lines.txt"
        saved = Counter(
            float(value)
            for (value,) in self._rows(
                "demo.sqlite3", "SELECT value FROM measurements WHERE taken_at > '2025-02'"
            )
        )
        states = Counter(
            str(state) for (state,) in self._rows("demo.sqlite3", "SELECT state FROM ledger")
        )
        orders = self._rows("demo.sqlite3", "SELECT status FROM orders WHERE id = 1042")
        return World(
            saved,
            len(lines.read_text("utf-8").splitlines()) if lines.exists() else 0,
            str(orders[0][0]) if orders else "",
            states,
        )

    def _rows(self, file: str, question: str) -> list[tuple[Any, ...]]:
        path = self.folder / "data" / file
        if not path.exists():
            return []
        with closing(sqlite3.connect(path)) as db:
            try:
                return db.execute(question).fetchall()
            except sqlite3.OperationalError:  # killed before the tables were made
                return []


def crash(folder: Path, scene: Scene, moment: Moment) -> None:
    """One crash and what follows; asserts that nothing was done twice and nothing was lost."""
    home = Home(folder)
    home.killed(scene, moment)
    before, shown = home.world(), home.finished()
    if _asked(home):
        _, answer = home.run("--resume", "last", *scene.options)
    else:  # nothing of the message was kept: it was killed before it began
        assert not shown
        _, answer = home.run(scene.text, *scene.options)
    after = home.world()
    about = f"{scene.name} {moment}: {before} → {after}, {answer}"
    assert answer["ending"] == "answered", about
    for place, result in shown.items():
        assert home.finished().get(place) == result, f"{place} was lost: {about}"
    errors = [call["error"]["kind"] for call in answer["calls"] if "error" in call]
    assert set(errors) <= {"unknown_outcome"}, about
    match scene.name:
        case "demo":
            assert after.saved == {71.0: 1, 72.0: 1, 181.0: 1}, about
            assert after.order == "shipped", about
        case _:
            unknown = "unknown_outcome" in errors
            assert after.lines in ((0, 1) if unknown else (1,)), about
    assert after.saved.items() >= before.saved.items(), about


def _asked(home: Home) -> bool:
    return bool(home._rows("chats.sqlite3", "SELECT id FROM turns"))


def _await(process: subprocess.Popen[str], moment: Moment) -> None:
    """Until the moment has come, or the program has ended by itself."""
    assert process.stderr is not None
    if moment.seconds:
        process.wait(LONGEST)
        return
    for number, line in enumerate(process.stderr, start=1):
        if moment.point is not None and line.startswith("held at"):
            return
        if moment.line is not None and number >= moment.line:
            return


def moments(scene: Scene, count: int, seconds: float) -> list[Moment]:
    """`count` moments over the whole run: its points of the ledger, then by turns after a line
    and after a part of the `seconds` that a whole run takes."""
    points: tuple[Point, ...] = ("begun", "effect", "recorded")
    chosen = [Moment(point=point) for point in points][:count]
    left = count - len(chosen)
    for number in range(left):
        if number % 2 == 0 and number // 2 < scene.lines:
            chosen.append(Moment(line=1 + number // 2 % scene.lines))
        else:
            chosen.append(Moment(seconds=seconds * (0.3 + 0.7 * (number + 1) / left)))
    return chosen


def whole_run(folder: Path, scene: Scene) -> float:
    """How many seconds an undisturbed run takes; asserts that it does what the scene says."""
    home = Home(folder)
    began = time.monotonic()
    code, answer = home.run(scene.text, *scene.options)
    assert (code, answer["ending"]) == (0, "answered"), answer
    return time.monotonic() - began
