"""Which of many tools does a request need? A small stable set, and those that were asked for.

A long list of tools costs tokens in every request and confuses a model. Staged, the model sees
the tools that are always there and `find_tools`; what it finds stays for the rest of the chat,
behind what was sent before and in place, so that a provider's prompt cache keeps its prefix.

Nothing is remembered here: which tools were found is read from the results in the chat.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pydantic import BaseModel, ConfigDict, Field

from tools.call import ToolResult
from tools.likeness import meanings
from tools.tool import Effect, JsonValue, Tool, ToolContext, tool
from tools.toolbox import Toolbox

FIND_TOOLS = "find_tools"

FOUND_AT_ONCE = 4
"""The most tools that one search brings in."""


class Wanted(BaseModel):
    model_config = ConfigDict(extra="forbid")

    task: str = Field(
        min_length=1,
        max_length=300,
        description="What is to be done, in a few English words, such as: ship an order.",
    )


def staged(whole: Toolbox, always: Iterable[str], results: Iterable[ToolResult]) -> Toolbox:
    """The tools of the next request: those of `always` that exist, `find_tools`, and what the
    chat's results brought in, in the order in which it came."""
    first = [name for name in whole.names if name in set(always)]
    later = dict.fromkeys(name for result in results for name in found_by(result))
    names = [*first, *(name for name in later if name in whole and name not in first)]
    chosen = [one for name in names if (one := whole.find(name)) is not None]
    return Toolbox([*chosen[: len(first)], finder(whole), *chosen[len(first) :]])


def found_by(result: ToolResult) -> tuple[str, ...]:
    """The names of the tools that this result brought in; none for any other result."""
    if result.name != FIND_TOOLS or not isinstance(result.output, dict):
        return ()
    found = result.output.get("found")
    entries = found if isinstance(found, list) else []
    names = (entry.get("name") for entry in entries if isinstance(entry, dict))
    return tuple(name for name in names if isinstance(name, str))


def finder(whole: Toolbox) -> Tool:
    """The tool that finds others of `whole`."""

    @tool(name=FIND_TOOLS, effect=Effect.READ)
    def find_tools(arguments: Wanted, context: ToolContext) -> JsonValue:
        """Finds more tools for a task, when none of the present ones fits. The tools that it
        names can be called from the next step on."""
        found = search(tuple(whole), arguments.task)
        return {"found": [{"name": one.name, "description": one.description} for one in found]}

    return find_tools


def search(tools: Sequence[Tool], task: str) -> tuple[Tool, ...]:
    """The tools whose names and descriptions share most meanings with the task, the best first."""
    wanted = meanings(task)
    scored = [(_score(one, wanted), place, one) for place, one in enumerate(tools)]
    best = sorted((-score, place) for score, place, _ in scored if score)
    return tuple(tools[place] for _, place in best[:FOUND_AT_ONCE])


def _score(one: Tool, wanted: frozenset[str]) -> int:
    """A meaning in the name counts twice: names are chosen with more care than sentences."""
    named = meanings(one.name) & wanted
    return 2 * len(named) + len((meanings(one.description) & wanted) - named)
