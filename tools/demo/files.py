"""The workspace as tools: list its files, read one, search them all. `tools.demo.workspace`
keeps the way in; here is what the model gets."""

from __future__ import annotations

from collections.abc import Iterator
from fnmatch import fnmatchcase
from io import StringIO
from itertools import islice
from pathlib import Path

from pydantic import BaseModel, Field

from tools.demo.workspace import Found, read_bytes, walk
from tools.tool import JsonValue, ToolContext, ToolFailure, tool

FILE_BYTES = 4_000_000
PAGE_BYTES = 32_000
LISTED = 500
WALKED = 20_000
MATCHES = 100
SEARCHED_BYTES = 30_000_000
AROUND = 100
"""Characters that a match shows on each side."""


class Reading(BaseModel):
    path: str = Field(description="Such as notes.md or garden/plan.md.")
    from_line: int = Field(default=1, ge=1, description="The first line to read.")


class Listing(BaseModel):
    path: str = Field(default=".", description="The folder to list, with all below it.")
    pattern: str | None = Field(
        default=None, max_length=200, description="Only these names, such as *.md."
    )


class Search(BaseModel):
    query: str = Field(min_length=1, max_length=200, description="The text to look for.")
    path: str = Field(default=".", description="The folder to look in, with all below it.")
    pattern: str | None = Field(
        default=None, max_length=200, description="Only in these names, such as *.md."
    )
    match_case: bool = Field(default=False, description="Whether A and a are different.")


@tool
def read_file(arguments: Reading, context: ToolContext) -> JsonValue:
    """Reads a text file of the workspace. Of a long file it gives a page, and `next_line` says
    from which line to go on."""
    lines = _split(_text(context.workspace, arguments.path))
    if arguments.from_line > max(len(lines), 1):
        message = f"{arguments.path!r} has {len(lines)} lines; line {arguments.from_line} is after."
        raise ToolFailure(message)
    start = arguments.from_line - 1
    page: list[str] = []
    size = 0
    for line in lines[start:]:
        size += len(line.encode())
        if page and size > PAGE_BYTES:
            break
        page.append(line)
    end = start + len(page)
    following = {"next_line": end + 1} if end < len(lines) else {}
    return {"path": arguments.path, "text": "".join(page), "lines": len(lines), **following}


@tool
def list_files(arguments: Listing, context: ToolContext) -> JsonValue:
    """Lists the files of the workspace, or of one folder in it, with their sizes in bytes."""
    found = _matching(context.workspace, arguments.path, arguments.pattern)
    files = list(islice(found, LISTED + 1))
    return {
        "files": [{"path": _shown(file.name), "bytes": file.size} for file in files[:LISTED]],
        "complete": len(files) <= LISTED,
    }


@tool
def search_text(arguments: Search, context: ToolContext) -> JsonValue:
    """Finds the lines of the workspace's text files that contain a text."""
    found = list(islice(_hits(arguments, context.workspace), MATCHES + 1))
    complete = len(found) <= MATCHES and None not in found
    return {"matches": [hit for hit in found[:MATCHES] if hit], "complete": complete}


def _hits(search: Search, workspace: Path) -> Iterator[JsonValue]:
    """The lines that match, then None if there was too much text to look through."""
    wanted = search.query if search.match_case else search.query.casefold()
    left = SEARCHED_BYTES
    for file in _matching(workspace, search.path, search.pattern):
        left -= file.size
        if left < 0:
            yield None
            return
        for number, line in enumerate(_lines(workspace, file), start=1):
            at = (line if search.match_case else line.casefold()).find(wanted)
            if at >= 0:
                text = line[max(at - AROUND, 0) : at + len(wanted) + AROUND].strip()
                yield {"path": _shown(file.name), "line": number, "text": text}


def _text(workspace: Path, name: str) -> str:
    data = read_bytes(workspace, name, FILE_BYTES)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise _no_text(name) from error
    if "\0" in text:
        raise _no_text(name)
    return text


def _no_text(name: str) -> ToolFailure:
    return ToolFailure(f"{name!r} is no text in UTF-8 and cannot be shown.")


def _lines(workspace: Path, file: Found) -> list[str]:
    """The lines of a file; none if it cannot be read as text."""
    try:
        return _split(_text(workspace, file.name))
    except ToolFailure:
        return []


def _split(text: str) -> list[str]:
    """Lines as editors count them, with their ends; `str.splitlines` knows too many ends."""
    return list(StringIO(text, newline=""))


def _matching(workspace: Path, folder: str, pattern: str | None) -> Iterator[Found]:
    for file in walk(workspace, folder, WALKED):
        name = file.name.rpartition("/")[2]
        if pattern is None or fnmatchcase(name, pattern) or fnmatchcase(file.name, pattern):
            yield file


def _shown(name: str) -> str:
    """A file name as text: bytes that are no UTF-8 become `?`."""
    return name.encode("utf-8", "replace").decode()
