"""The workspace as tools that change it: write a file, delete one.

Their effect is outside the database, so the ledger notes first that it begins."""

from __future__ import annotations

from pydantic import BaseModel, Field

from tools.demo.workspace import no_such_file
from tools.demo.workspace_changes import delete_plain_file, size_of, write_file_whole
from tools.permission import Change
from tools.tool import Effect, JsonValue, ToolContext, tool

TEXT_LENGTH = 1_000_000


class Writing(BaseModel):
    path: str = Field(description="Such as notes.md or garden/plan.md.")
    text: str = Field(max_length=TEXT_LENGTH, description="The whole text of the file.")


class Deleting(BaseModel):
    path: str = Field(description="Such as notes.md or garden/plan.md.")


def _writing(arguments: Writing, context: ToolContext) -> Change:
    now = size_of(context.workspace, arguments.path)
    size = len(arguments.text.encode())
    if now is None:
        return Change("change.new_file", {"path": arguments.path, "bytes": size})
    return Change("change.file", {"path": arguments.path, "bytes": size, "now": now})


@tool(effect=Effect.WRITE, preview=_writing)
def write_file(arguments: Writing, context: ToolContext) -> JsonValue:
    """Writes a text file of the workspace. One that is there already is replaced as a whole, so
    read it first if a part is to stay."""
    data = arguments.text.encode()
    write_file_whole(context.workspace, arguments.path, data)
    return {"path": arguments.path, "bytes": len(data)}


def _deleting(arguments: Deleting, context: ToolContext) -> Change:
    size = size_of(context.workspace, arguments.path)
    if size is None:
        raise no_such_file(arguments.path)
    return Change("change.no_file", {"path": arguments.path, "bytes": size})


@tool(effect=Effect.WRITE, preview=_deleting)
def delete_file(arguments: Deleting, context: ToolContext) -> JsonValue:
    """Deletes one file of the workspace for good."""
    size = delete_plain_file(context.workspace, arguments.path)
    return {"path": arguments.path, "deleted": True, "bytes": size}
