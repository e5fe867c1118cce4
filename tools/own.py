"""The person's own tools, loaded from a folder of theirs: each `.py` file in it, by name.

A file is a plain Python module with functions under `@tool`. What is wrong with one file is told
and leaves the others as they are; nothing that a file does while it is loaded ends the program.
The files are the person's code and run with all their rights: the folder is named by them, and
never by a model.
"""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from traceback import extract_tb
from types import ModuleType

from tools.at_work import at_work
from tools.tool import Tool
from tools.toolbox import NAME


class Trouble(StrEnum):
    """Why a file, or a tool in it, is not used."""

    NO_FOLDER = "no_folder"
    FAILED = "failed"
    """Loading the file raised something."""
    NO_TOOLS = "no_tools"
    BAD_NAME = "bad_name"
    NAME_TAKEN = "name_taken"
    BAD_ARGUMENTS = "bad_arguments"
    """The arguments' model has no schema that providers take."""


@dataclass(frozen=True, slots=True)
class OwnToolProblem:
    """What is wrong with a file. `detail` is technical (an exception, a tool's name) and quotes
    the file; `line` is where in it, when that is known."""

    file: Path
    trouble: Trouble
    detail: str = ""
    line: int | None = None


@dataclass(frozen=True, slots=True)
class OwnTools:
    """The tools of a folder, by file and then as they stand in it, and what was left out."""

    tools: tuple[Tool, ...]
    problems: tuple[OwnToolProblem, ...]


def load_own_tools(folder: Path, taken: Iterable[str] = ()) -> OwnTools:
    """The tools in a folder; `taken` are the names that they may not have. Raises nothing, and
    blocks while the files run. Files whose names begin with `_` or `.` are left alone."""
    try:
        files = sorted(folder.expanduser().iterdir())
    except (OSError, RuntimeError, ValueError) as error:  # not there, `~` of nobody, no path at all
        return OwnTools((), (OwnToolProblem(folder, Trouble.NO_FOLDER, str(error)),))
    tools: dict[str, Tool] = {}
    problems: list[OwnToolProblem] = []
    names = set(taken)
    for file in files:
        if file.suffix != ".py" or file.name.startswith(("_", ".")) or not file.is_file():
            continue
        try:
            module = _loaded(file)
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt):  # the person's own Ctrl+C
                raise
            problems.append(_failed(file, error))
            continue
        found = _tools_in(module)
        if not found:
            problems.append(OwnToolProblem(file, Trouble.NO_TOOLS))
        for tool in found:
            problem = _problem(file, tool, names)
            if problem is None:
                tools[tool.name] = tool
                names.add(tool.name)
            else:
                problems.append(problem)
    return OwnTools(tuple(tools.values()), tuple(problems))


def _loaded(file: Path) -> ModuleType:
    name = f"vitral_own_tools_{file.stem}"
    spec = importlib.util.spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        message = f"{file.name} is no Python file"
        raise ImportError(message)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # where Pydantic looks up the names in annotations
    try:
        with at_work():
            spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


def _tools_in(module: ModuleType) -> tuple[Tool, ...]:
    """Each tool once, whatever names it has in the file."""
    found = {id(value): value for value in vars(module).values() if isinstance(value, Tool)}
    return tuple(found.values())


def _problem(file: Path, tool: Tool, taken: set[str]) -> OwnToolProblem | None:
    if not NAME.fullmatch(tool.name):
        return OwnToolProblem(file, Trouble.BAD_NAME, tool.name)
    if tool.name in taken:
        return OwnToolProblem(file, Trouble.NAME_TAKEN, tool.name)
    try:
        _ = tool.parameters
    except Exception as error:  # noqa: BLE001 - Pydantic raises many things for what has no schema
        return OwnToolProblem(file, Trouble.BAD_ARGUMENTS, f"{tool.name}: {error}")
    return None


def _failed(file: Path, error: BaseException) -> OwnToolProblem:
    lines = [
        frame.lineno for frame in extract_tb(error.__traceback__) if frame.filename == str(file)
    ]
    if isinstance(error, SyntaxError) and error.filename == str(file):
        lines.append(error.lineno)
    detail = f"{type(error).__name__}: {error}"
    return OwnToolProblem(file, Trouble.FAILED, detail, lines[-1] if lines else None)
