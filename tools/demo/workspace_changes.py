"""How a file of the workspace is written or deleted, with nothing beside the workspace touched.

`tools.demo.workspace` says which paths are fine. Here each folder on the way is opened from the
one above it where the system can do that (all but Windows), so that one exchanged for a link in
the meantime is not walked through. A file is written beside its place and then moved there: it is
never seen half, and a link that stands there is replaced, not followed.

Hidden files are not changed: what stands in them (`.git`, `.env`) often runs or decides things.
"""

from __future__ import annotations

import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from tools.demo.workspace import (
    check_workspace,
    is_link,
    no_plain_file,
    no_such_file,
    steps_of,
    through_a_link,
)
from tools.tool import ToolFailure

BY_FOLDER = {os.open, os.mkdir, os.stat, os.unlink, os.rename} <= os.supports_dir_fd
"""Whether this system can open a name in a folder that is open already."""

FOLDER_FLAGS = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0)
NEW_FILE_FLAGS = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
NO_LINK = getattr(os, "O_NOFOLLOW", 0)
NEW_FILE_MODE = 0o666


def size_of(workspace: Path, name: str) -> int | None:
    """The size in bytes of the plain file that stands there; None if nothing does. Raises
    ToolFailure for what may not be changed."""
    with _place(workspace, name, make=False) as place:
        found = None if place is None else place.plain_file()
    return None if found is None else found.st_size


def write_file_whole(workspace: Path, name: str, data: bytes) -> None:
    """Puts a file there, or in the place of the one that is there; makes the folders on the way.
    Raises ToolFailure, and then no file has changed."""
    with _place(workspace, name, make=True) as place:
        assert place is not None
        before = place.plain_file()
        place.put(data, NEW_FILE_MODE if before is None else stat.S_IMODE(before.st_mode))


def delete_plain_file(workspace: Path, name: str) -> int:
    """Deletes a file and gives the size that it had; raises ToolFailure."""
    with _place(workspace, name, make=False) as place:
        found = None if place is None else place.plain_file()
        if place is None or found is None:
            raise no_such_file(name)
        place.remove()
    return found.st_size


@dataclass(frozen=True, slots=True)
class _Place:
    """The name of a file, in a folder that exists. `opened` is that folder, where it can be."""

    name: str
    folder: Path
    opened: int | None
    leaf: str

    def status(self) -> os.stat_result | None:
        try:
            found = os.stat(self._at(self.leaf), dir_fd=self.opened, follow_symlinks=False)
        except (FileNotFoundError, NotADirectoryError):
            return None
        if is_link(found):
            raise through_a_link(self.name)
        return found

    def plain_file(self) -> os.stat_result | None:
        """What stands there, if it is a file that may be changed; None if nothing does."""
        found = self.status()
        if found is not None and not stat.S_ISREG(found.st_mode):
            raise no_plain_file(self.name)
        return found

    def put(self, data: bytes, mode: int) -> None:
        beside = self._at(f".{secrets.token_hex(8)}.new")
        file = os.open(beside, NEW_FILE_FLAGS | NO_LINK, mode, dir_fd=self.opened)
        try:
            with os.fdopen(file, "wb") as writing:
                writing.write(data)
                writing.flush()
                os.fsync(writing.fileno())
            os.replace(beside, self._at(self.leaf), src_dir_fd=self.opened, dst_dir_fd=self.opened)
        except BaseException:
            os.unlink(beside, dir_fd=self.opened)
            raise
        self._sync()

    def remove(self) -> None:
        os.unlink(self._at(self.leaf), dir_fd=self.opened)
        self._sync()

    def make_folder(self) -> None:
        with suppress(FileExistsError):  # somebody was faster; what it is, is looked at again
            os.mkdir(self._at(self.leaf), dir_fd=self.opened)

    def _at(self, leaf: str) -> str | Path:
        return self.folder / leaf if self.opened is None else leaf

    def _sync(self) -> None:
        """The ledger says "done" next: the folder has to know it too, where it can be told."""
        if self.opened is not None:
            with suppress(OSError):  # some file systems cannot
                os.fsync(self.opened)


@contextmanager
def _place(workspace: Path, name: str, *, make: bool) -> Iterator[_Place | None]:
    """The place of a file that may be changed; None if its folder is missing and not to be made.
    What the system refuses inside the block becomes a ToolFailure."""
    steps = steps_of(name)
    if not steps:
        raise no_plain_file(name)
    if any(step.startswith(".") for step in steps):
        message = f"{name!r} is hidden (a name begins with a point), and is not changed."
        raise ToolFailure(message)
    check_workspace(workspace)
    with ExitStack() as folders:
        try:
            yield _walked(workspace, name, steps, folders, make=make)
        except OSError as error:
            message = f"{name!r} cannot be changed: the system does not allow it."
            raise ToolFailure(message) from error


def _walked(
    workspace: Path, name: str, steps: list[str], folders: ExitStack, *, make: bool
) -> _Place | None:
    """Opens one folder after the other; `folders` closes them."""
    place = _Place(name, workspace, _opened(workspace, None, FOLDER_FLAGS, folders), steps[0])
    for step in steps[1:]:
        found = place.status()
        if found is None and make:
            place.make_folder()
            found = place.status()
        if found is None:
            return None
        if not stat.S_ISDIR(found.st_mode):
            message = f"{name!r} leads through a file as if it were a folder."
            raise ToolFailure(message)
        inner = _opened(place.leaf, place.opened, FOLDER_FLAGS | NO_LINK, folders)
        place = _Place(name, place.folder / place.leaf, inner, step)
    return place


def _opened(folder: str | Path, above: int | None, flags: int, folders: ExitStack) -> int | None:
    if not BY_FOLDER:
        return None
    opened = os.open(folder, flags, dir_fd=above)
    folders.callback(os.close, opened)
    return opened
