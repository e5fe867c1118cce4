"""The reads and writes of a turn, however long each takes, against running them one by one."""

from __future__ import annotations

import asyncio
import random
from dataclasses import dataclass, field
from itertools import count

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel

from tests.tool_makers import call, permitting
from tools.call import ToolCall
from tools.tool import Effect, JsonValue, Tool, ToolContext

NAMES = ("a", "b")


class Cell(BaseModel):
    name: str
    value: int = 0


@dataclass
class Shelf:
    """Named values with tools whose every step may take several turns of the event loop."""

    delays: random.Random
    cells: dict[str, int] = field(default_factory=dict)
    writing: int = 0
    reading: int = 0

    async def read(self, arguments: BaseModel, context: ToolContext) -> JsonValue:
        assert isinstance(arguments, Cell)
        assert not self.writing
        self.reading += 1
        await self._some_time()
        found = self.cells.get(arguments.name)
        await self._some_time()
        self.reading -= 1
        return found

    async def write(self, arguments: BaseModel, context: ToolContext) -> JsonValue:
        assert isinstance(arguments, Cell)
        assert self.writing + self.reading == 0
        self.writing += 1
        before = self.cells.pop(arguments.name, None)
        await self._some_time()
        self.cells[arguments.name] = arguments.value
        self.writing -= 1
        return before

    async def _some_time(self) -> None:
        for _ in range(self.delays.randrange(4)):
            await asyncio.sleep(0)

    @property
    def tools(self) -> tuple[Tool, ...]:
        return (
            Tool("read", "Reads.", Cell, Effect.READ, self.read),
            Tool("write", "Writes.", Cell, Effect.WRITE, self.write),
        )


def one_by_one(calls: list[ToolCall]) -> list[int | None]:
    cells: dict[str, int] = {}
    results = []
    for one in calls:
        results.append(cells.get(one.args["name"]))
        if one.name == "write":
            cells[one.args["name"]] = one.args["value"]
    return results


names = st.sampled_from(NAMES)
reads = names.map(lambda name: call("read", "same_id", name=name))
writes = st.tuples(names, st.integers(0, 9)).map(
    lambda cell: call("write", "same_id", name=cell[0], value=cell[1])
)


@pytest.fixture(scope="module")
def context(tmp_path_factory: pytest.TempPathFactory) -> ToolContext:
    """One database for all examples, each of which is a turn of its own."""
    folder = tmp_path_factory.mktemp("shelf")
    return ToolContext(folder, folder / "demo.sqlite")


turn_numbers = count()


@settings(max_examples=25, deadline=None)
@given(st.lists(st.one_of(reads, reads, writes), max_size=6), st.randoms())
def test_a_turn_gives_what_its_calls_give_one_by_one(
    context: ToolContext, calls: list[ToolCall], delays: random.Random
) -> None:
    turn = permitting(next(turn_numbers)).dispatch(calls, Shelf(delays).tools, context)
    results = asyncio.run(turn)
    assert [result.output for result in results] == one_by_one(calls)
    assert all(result.ok for result in results)
