"""With many tools a request holds a small stable set, and what the chat has asked for."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest
from pydantic import BaseModel, Field, create_model

from tools.call import ErrorKind, ToolError, ToolResult
from tools.cost import tokens_estimate
from tools.demo import demo_toolbox
from tools.staging import FIND_TOOLS, Wanted, finder, found_by, search, staged
from tools.tool import Effect, Tool, ToolContext
from tools.toolbox import Toolbox

CONTEXT = ToolContext(Path("workspace"), Path("database"))
ALWAYS = ("lookup_demo_value", "calculate")


async def run(arguments: BaseModel, context: ToolContext) -> None:
    return None


def thirty_tools() -> Toolbox:
    """Thirty tools that cost about ten thousand tokens together."""
    fields = {f"part_{n}": (str, Field(description="What it is for. " * 9)) for n in range(8)}
    model: type[BaseModel] = create_model("Parts", **fields)  # type: ignore[call-overload]
    animals = [f"animal{n}" for n in range(30)]
    return Toolbox(
        Tool(f"feed_{animal}", f"Feeds the {animal} of the zoo.", model, Effect.READ, run)
        for animal in animals
    )


def cost(toolbox: Toolbox) -> int:
    return sum(
        tokens_estimate(
            {"name": one.name, "description": one.description, "parameters": one.parameters}
        )
        for one in toolbox
    )


def found(*names: str) -> ToolResult:
    entries = [{"name": name, "description": ""} for name in names]
    return ToolResult("c1", FIND_TOOLS, output={"found": entries})


def test_at_first_only_the_stable_set_and_the_finder_are_sent() -> None:
    assert staged(demo_toolbox(), ALWAYS, []).names == (*ALWAYS, FIND_TOOLS)


def test_what_was_found_stays_behind_what_was_sent_in_the_order_in_which_it_came() -> None:
    results = [found("list_files"), found("get_order", "list_files")]
    names = [staged(demo_toolbox(), ALWAYS, results[:n]).names for n in range(3)]
    assert names[2] == (*ALWAYS, FIND_TOOLS, "list_files", "get_order")
    for shorter, longer in itertools.pairwise(names):
        assert longer[: len(shorter)] == shorter


def test_a_tool_that_no_longer_exists_is_left_out() -> None:
    assert staged(demo_toolbox(), (), [found("gone")]).names == (FIND_TOOLS,)


@pytest.mark.parametrize(
    "result",
    [
        ToolResult("c1", "read_file", output={"found": [{"name": "get_order"}]}),
        ToolResult("c1", FIND_TOOLS, output={"found": "get_order"}),
        ToolResult("c1", FIND_TOOLS, output={"found": [{"name": 7}, "get_order"]}),
        ToolResult("c1", FIND_TOOLS, error=ToolError(ErrorKind.FAILED, "no")),
    ],
)
def test_no_other_result_brings_a_tool_in(result: ToolResult) -> None:
    assert found_by(result) == ()


@pytest.mark.parametrize(
    ("task", "best"),
    [
        ("ship an order", "update_order_status"),
        ("save my weight", "save_measurement"),
        ("delete a file", "delete_file"),
        ("do some arithmetic", "calculate"),
        ("create a training routine", "create_routine"),
    ],
)
def test_the_tool_for_a_task_is_found_first(task: str, best: str) -> None:
    assert search(tuple(demo_toolbox()), task)[0].name == best


async def test_the_finder_names_what_it_found() -> None:
    output = await finder(demo_toolbox()).run(Wanted(task="ship an order"), CONTEXT)
    result = ToolResult("c1", FIND_TOOLS, output=output)
    assert "update_order_status" in found_by(result)


def test_thirty_tools_cost_a_tenth_when_they_are_sent_by_stage() -> None:
    whole = thirty_tools()
    assert 9_000 < cost(whole) < 13_000
    assert cost(staged(whole, whole.names[:1], [])) < cost(whole) / 10
