"""A program that makes one write, for tests that kill it: `python -m tests.tool_process FOLDER
TOOL [ARGS]` dispatches the call at turn 1, place 0 of a chat, with permission, and prints the
result's output as JSON. Its database and its workspace are in FOLDER."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path

from pydantic import BaseModel

from tests.tool_makers import call, permitting
from tools.demo import demo_toolbox
from tools.tool import Effect, JsonValue, ToolContext, tool
from tools.toolbox import Toolbox


class Line(BaseModel):
    text: str


@tool(effect=Effect.WRITE)
def append_line(arguments: Line, context: ToolContext) -> JsonValue:
    """Appends a line to a file: an effect outside the database that can be counted."""
    with (context.workspace / "lines.txt").open("a", encoding="utf-8") as file:
        file.write(f"{arguments.text}\n")
    return "appended"


TOOLBOX = Toolbox([*demo_toolbox(), append_line])


def context_in(folder: Path) -> ToolContext:
    return ToolContext(folder, folder / "demo.sqlite")


def main(folder: str, name: str, args: str = "{}") -> None:
    calls = [call(name, "call_1", **json.loads(args))]
    (result,) = asyncio.run(permitting().dispatch(calls, TOOLBOX, context_in(Path(folder))))
    print(json.dumps(result.output if result.error is None else result.error.kind))


if __name__ == "__main__":
    main(*sys.argv[1:])
