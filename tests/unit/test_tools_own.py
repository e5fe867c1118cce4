"""Tools from the person's own folder: what is loaded, and what is said of the rest."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from tests.tool_makers import call, permitting
from tools.own import Trouble, load_own_tools
from tools.tool import Effect, ToolContext
from tools.toolbox import Toolbox

EXAMPLE = '''\
from pydantic import BaseModel, Field

from tools.tool import Effect, JsonValue, ToolContext, tool


class Item(BaseModel):
    name: str = Field(min_length=1, max_length=80, description="Such as bread.")


@tool(effect=Effect.WRITE)
def add_to_shopping_list(arguments: Item, context: ToolContext) -> JsonValue:
    """Adds one thing to the person's shopping list."""
    with (context.workspace / "shopping.md").open("a", encoding="utf-8") as file:
        file.write(f"- {arguments.name}\\n")
    return {"added": arguments.name}
'''

GREET = '''
from pydantic import BaseModel
from tools.tool import tool, ToolContext
class Greeting(BaseModel):
    name: str
@tool
def greet(arguments: Greeting, context: ToolContext) -> str:
    """Greets."""
    return "Hello"
'''


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a good tool, which every problem beside it has to leave alone."""
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools" / "shopping.py").write_text(EXAMPLE, "utf-8")
    return tmp_path / "tools"


def test_the_readme_shows_a_tool_that_works() -> None:
    readme = Path(__file__).parents[2] / "README.md"
    assert f"```python\n{EXAMPLE}```" in readme.read_text("utf-8")


async def test_the_example_of_the_readme_runs_with_permission_and_once(folder: Path) -> None:
    (own,) = load_own_tools(folder).tools
    assert (own.name, own.effect) == ("add_to_shopping_list", Effect.WRITE)
    context = ToolContext(folder, folder / "demo.sqlite")
    for _ in range(2):
        calls = [call("add_to_shopping_list", name="bread")]
        (result,) = await permitting().dispatch(calls, Toolbox([own]), context)
        assert result.output == {"added": "bread"}
    assert (folder / "shopping.md").read_text("utf-8") == "- bread\n"


def test_the_files_are_loaded_by_name(folder: Path) -> None:
    (folder / "a.py").write_text(GREET, "utf-8")
    loaded = load_own_tools(folder)
    assert [tool.name for tool in loaded.tools] == ["greet", "add_to_shopping_list"]
    assert loaded.problems == ()


@pytest.mark.parametrize(
    ("code", "trouble", "detail", "line"),
    [
        ("def (", Trouble.FAILED, "SyntaxError", 1),
        ("x = 1\n1 / 0", Trouble.FAILED, "ZeroDivisionError: division by zero", 2),
        ("import sys\nsys.exit(3)", Trouble.FAILED, "SystemExit: 3", 2),
        ("class Odd(BaseException): ...\nraise Odd", Trouble.FAILED, "Odd", 2),
        ("import no_such_module_here", Trouble.FAILED, "ModuleNotFoundError", 1),
        ("x = 1", Trouble.NO_TOOLS, "", None),
        (GREET.replace('"""Greets."""', ""), Trouble.FAILED, "needs a docstring", 6),
        (GREET.replace("@tool", "@tool(name='my tool')"), Trouble.BAD_NAME, "my tool", None),
        (GREET.replace("greet(", "calculate("), Trouble.NAME_TAKEN, "calculate", None),
        (
            GREET.replace("name: str", "inner: 'Greeting | None' = None"),
            Trouble.BAD_ARGUMENTS,
            "greet: Greeting holds itself",
            None,
        ),
    ],
)
def test_a_file_that_does_not_work_is_told_and_leaves_the_others(
    folder: Path, code: str, trouble: Trouble, detail: str, line: int | None
) -> None:
    file = folder / "bad.py"
    file.write_text(dedent(code), "utf-8")
    loaded = load_own_tools(folder, taken=["calculate"])
    (problem,) = loaded.problems
    assert (problem.file, problem.trouble, problem.line) == (file, trouble, line)
    assert detail in problem.detail
    assert [tool.name for tool in loaded.tools] == ["add_to_shopping_list"]


def test_two_files_cannot_have_one_name_for_a_tool(folder: Path) -> None:
    (folder / "again.py").write_text(EXAMPLE, "utf-8")
    loaded = load_own_tools(folder)
    assert len(loaded.tools) == 1
    assert [problem.file.name for problem in loaded.problems] == ["shopping.py"]


@pytest.mark.parametrize("name", ["_part.py", ".hidden.py", "notes.txt"])
def test_other_files_are_left_alone(folder: Path, name: str) -> None:
    (folder / name).write_text("1 / 0", "utf-8")
    assert load_own_tools(folder).problems == ()


def test_a_folder_that_is_missing_is_told(tmp_path: Path) -> None:
    loaded = load_own_tools(tmp_path / "none")
    assert [problem.trouble for problem in loaded.problems] == [Trouble.NO_FOLDER]
    assert loaded.tools == ()


@pytest.mark.parametrize("named", ["~nobody-of-this-name/tools", "a\0b"])
def test_a_folder_that_no_system_has_is_told(named: str) -> None:
    (problem,) = load_own_tools(Path(named)).problems
    assert problem.trouble is Trouble.NO_FOLDER


def test_what_is_no_plain_file_is_not_opened(folder: Path) -> None:
    (folder / "more.py").mkdir()
    assert load_own_tools(folder).problems == ()
