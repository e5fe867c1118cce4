"""The one folder that the file tools may look into, and nothing beside it.

A path is taken apart and walked step by step from the workspace: no `..`, no absolute path or
drive, no link on the way, and at the end a plain file. What was opened is checked again after
the opening, so that a file exchanged in between is refused too.
"""

from __future__ import annotations

import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import as_file, files
from pathlib import Path, PurePosixPath, PureWindowsPath

from tools.tool import ToolFailure

PATH_LENGTH = 1_000
DEVICES = frozenset(
    ["con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in range(1, 10))]
)
"""Names that Windows keeps for devices, with any ending."""

OPEN_FLAGS = (
    os.O_RDONLY
    | getattr(os, "O_BINARY", 0)  # Windows: no translation of line ends
    | getattr(os, "O_NOFOLLOW", 0)  # a link put there in the meantime is refused
    | getattr(os, "O_NONBLOCK", 0)  # a pipe put there in the meantime does not hold us
)


@dataclass(frozen=True, slots=True)
class Found:
    """A plain file of the workspace: its path for the model, with "/", and its size in bytes."""

    name: str
    size: int


def create_workspace(path: Path) -> None:
    """Fills a new folder with the sample files; leaves one that exists as it is."""
    if path.exists():
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    with (
        as_file(files("tools.demo") / "sample") as sample,
        tempfile.TemporaryDirectory(dir=path.parent, prefix=f".{path.name}-") as half_made,
    ):
        whole = Path(half_made) / path.name
        shutil.copytree(sample, whole)
        try:
            whole.rename(path)  # at once, so that no half-filled folder is ever seen
        except OSError:
            if not path.is_dir():  # unless another program was faster
                raise


def inside(workspace: Path, name: str) -> Path:
    """The place of `name` in the workspace, which exists there; raises ToolFailure."""
    steps = steps_of(name)
    check_workspace(workspace)
    place = workspace
    for step in steps:
        place = place / step
        try:
            found = place.lstat()
        except (FileNotFoundError, NotADirectoryError) as error:
            raise no_such_file(name) from error
        except OSError as error:
            raise unreadable(name) from error
        if is_link(found):
            raise through_a_link(name)
    return place


def check_workspace(workspace: Path) -> None:
    if not workspace.is_dir():
        message = "The workspace folder does not exist; the person has to create it."
        raise ToolFailure(message)


def read_bytes(workspace: Path, name: str, limit: int) -> bytes:
    """The whole of a plain file of at most `limit` bytes; raises ToolFailure."""
    place = inside(workspace, name)
    if place.is_dir():
        message = f"{name!r} is a folder; list_files shows what is in it."
        raise ToolFailure(message)
    try:
        if not stat.S_ISREG(place.lstat().st_mode):  # some devices act when they are opened
            raise no_plain_file(name)
        with os.fdopen(os.open(place, OPEN_FLAGS), "rb") as file:
            _check_opened(workspace, place, name, os.fstat(file.fileno()))
            data = file.read(limit + 1)
    except OSError as error:
        raise unreadable(name) from error
    if len(data) > limit:
        message = f"{name!r} has more than {limit:,} bytes, too many to read."
        raise ToolFailure(message)
    return data


def walk(workspace: Path, name: str, most: int) -> Iterator[Found]:
    """The plain files in and below a folder, by name; hidden ones, links and what cannot be read
    are left out. Raises ToolFailure if `name` is no folder or holds more than `most` entries."""
    place = inside(workspace, name)
    if not place.is_dir():
        message = f"{name!r} is no folder; read_file reads a file."
        raise ToolFailure(message)
    prefix = "/".join(steps_of(name))
    seen = 0
    waiting = [(place, f"{prefix}/" if prefix else "")]
    while waiting:
        folder, prefix = waiting.pop()
        below = []
        for step, found in _entries(folder):
            seen += 1
            if seen > most:
                message = f"{name!r} holds more than {most:,} entries: name a folder in it."
                raise ToolFailure(message)
            if stat.S_ISDIR(found.st_mode):
                below.append((folder / step, f"{prefix}{step}/"))
            elif stat.S_ISREG(found.st_mode):
                yield Found(prefix + step, found.st_size)
        waiting.extend(reversed(below))


def steps_of(name: str) -> list[str]:
    """The parts of a path that may be walked from the workspace; raises ToolFailure."""
    windows = PureWindowsPath(name)
    if len(name) > PATH_LENGTH or not name or not name.isprintable():
        message = f"A path has 1 to {PATH_LENGTH} printable characters."
        raise ToolFailure(message)
    if windows.drive or windows.root or PurePosixPath(name).is_absolute():
        message = f"{name!r} is no path inside the workspace: leave out the start, as in notes.md."
        raise ToolFailure(message)
    if "\\" in name:
        message = f"Write {name!r} with / between folder and file."
        raise ToolFailure(message)
    steps = [step for step in name.split("/") if step not in ("", ".")]
    if ".." in steps:
        message = f"{name!r} leads out of the workspace: .. is not allowed."
        raise ToolFailure(message)
    if any(_is_device(step) for step in steps):
        raise no_plain_file(name)
    return steps


def _is_device(step: str) -> bool:
    """Whether Windows would open something else than a file of this name."""
    return step.split(".")[0].rstrip(" ").lower() in DEVICES or (os.name == "nt" and ":" in step)


def is_link(found: os.stat_result) -> bool:
    """A symbolic link or, on Windows, any other reparse point, such as a junction."""
    return stat.S_ISLNK(found.st_mode) or bool(getattr(found, "st_reparse_tag", 0))


def _check_opened(workspace: Path, place: Path, name: str, opened: os.stat_result) -> None:
    if not stat.S_ISREG(opened.st_mode):
        raise no_plain_file(name)
    real = place.resolve()
    if not real.is_relative_to(workspace.resolve()) or not os.path.samestat(opened, real.stat()):
        message = f"{name!r} changed while it was opened; nothing was read."
        raise ToolFailure(message)


def _entries(folder: Path) -> list[tuple[str, os.stat_result]]:
    """What stands in a folder and is neither hidden nor a link, by name."""
    try:
        with os.scandir(folder) as entries:
            names = sorted(entry.name for entry in entries if not entry.name.startswith("."))
    except (PermissionError, FileNotFoundError):
        return []
    found = []
    for name in names:
        try:
            status = (folder / name).lstat()
        except FileNotFoundError:  # deleted since
            continue
        if not is_link(status):
            found.append((name, status))
    return found


def no_such_file(name: str) -> ToolFailure:
    return ToolFailure(f"There is no {name!r} in the workspace; list_files shows what there is.")


def through_a_link(name: str) -> ToolFailure:
    return ToolFailure(f"{name!r} goes through a link, and links are not followed.")


def unreadable(name: str) -> ToolFailure:
    return ToolFailure(f"{name!r} cannot be opened: the system does not allow it.")


def no_plain_file(name: str) -> ToolFailure:
    return ToolFailure(f"{name!r} is no plain file, and only plain files are read or changed.")
