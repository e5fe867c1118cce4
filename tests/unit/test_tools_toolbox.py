"""How a function becomes a tool, which tools are on, and what they cost."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from pydantic import BaseModel

from tests.tool_makers import number, numbered_tool
from tools.cost import tokens_estimate
from tools.demo import demo_toolbox
from tools.tool import Effect, JsonValue, ToolContext, tool
from tools.toolbox import Toolbox

CONTEXT = ToolContext(Path("workspace"), Path("demo.sqlite"))


class Greeting(BaseModel):
    name: str


@tool
def greet(arguments: Greeting, context: ToolContext) -> JsonValue:
    """Greets a person."""
    return f"Hello, {arguments.name}, from {threading.current_thread().name}"


@tool(effect=Effect.WRITE, time_limit=5, name="greet-later")
async def greet_later(arguments: Greeting, context: ToolContext) -> JsonValue:
    """Greets a person
    at another time."""
    return threading.current_thread().name


def test_a_function_gives_its_name_its_docstring_and_its_model() -> None:
    assert (greet.name, greet.description, greet.arguments) == (
        "greet",
        "Greets a person.",
        Greeting,
    )


def test_a_tool_reads_unless_it_says_otherwise() -> None:
    assert (greet.effect, greet_later.effect) == (Effect.READ, Effect.WRITE)


def test_options_replace_what_the_function_says() -> None:
    assert (greet_later.name, greet_later.time_limit) == ("greet-later", 5)


def test_a_docstring_of_several_lines_is_dedented() -> None:
    assert greet_later.description == "Greets a person\nat another time."


async def test_a_plain_function_runs_in_a_thread() -> None:
    said = await greet.run(Greeting(name="Ana"), CONTEXT)
    assert str(said).startswith("Hello, Ana")
    assert threading.main_thread().name not in str(said)


async def test_an_async_function_runs_in_the_loop() -> None:
    said = await greet_later.run(Greeting(name="Ana"), CONTEXT)
    assert said == threading.current_thread().name


def test_a_function_without_a_docstring_is_refused() -> None:
    def silent(arguments: Greeting, context: ToolContext) -> JsonValue:
        return None

    with pytest.raises(TypeError, match="needs a docstring"):
        tool(silent)


def test_a_function_without_a_model_is_refused() -> None:
    def loose(arguments: dict[str, str], context: ToolContext) -> JsonValue:
        """Takes anything."""
        return None

    with pytest.raises(TypeError, match="Pydantic model"):
        tool(loose)  # type: ignore[type-var]  # what the test is about


def box(*names: str) -> Toolbox:
    return Toolbox(numbered_tool(number, name=name) for name in names)


def test_the_tools_keep_the_order_in_which_they_were_given() -> None:
    assert box("b", "a", "c").names == ("b", "a", "c")


def test_a_choice_of_tools_keeps_the_order_of_the_box() -> None:
    assert box("b", "a", "c").with_only(["c", "b"]).names == ("b", "c")


def test_a_choice_of_an_unknown_tool_names_those_that_exist() -> None:
    with pytest.raises(ValueError, match="no such tool: x; there are: a, b"):
        box("a", "b").with_only(["x"])


def test_unknown_names_are_listed() -> None:
    assert box("a").unknown(["x", "a", "y"]) == ("x", "y")


@pytest.mark.parametrize("name", ["", "a b", "é", "a.b", "a" * 65, "a\n"])
def test_a_name_that_a_dialect_would_refuse_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="tool name"):
        box(name)


def test_two_tools_of_one_name_are_refused() -> None:
    with pytest.raises(ValueError, match="two tools"):
        box("a", "a")


def test_the_demo_tools_are_found_by_name() -> None:
    tools = demo_toolbox()
    assert "calculate" in tools
    assert tools.find("calculate") is not None
    assert tools.find("nothing") is None


def test_parameters_are_made_once() -> None:
    assert greet.parameters is greet.parameters


@pytest.mark.parametrize(
    ("spec", "tokens"), [({}, 1), ({"a": 1}, 2), ({"a": 12}, 2), ({"é": 12}, 3)]
)
def test_four_bytes_of_compact_json_count_as_a_token(spec: dict[str, int], tokens: int) -> None:
    assert tokens_estimate(spec) == tokens
