"""Writing and deleting in the workspace, and that nothing beside it is touched."""

from __future__ import annotations

import os
import stat
from itertools import count
from pathlib import Path

import pytest

from tests.tool_makers import Recorder, call, error_of, permitting
from tools.call import ErrorKind, ToolCall, ToolResult
from tools.demo import demo_toolbox
from tools.demo.workspace_changes import delete_plain_file, write_file_whole
from tools.permission import Change
from tools.tool import ToolContext, ToolFailure

needs_links = pytest.mark.skipif(os.name == "nt", reason="links need a privilege on Windows")
turns = count(1)


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "secret.txt").write_text("secret", "utf-8")
    folder = tmp_path / "workspace"
    (folder / "sub").mkdir(parents=True)
    (folder / "a.txt").write_text("content", "utf-8")
    return folder


async def run(
    workspace: Path, *calls: ToolCall, recorder: Recorder | None = None
) -> tuple[ToolResult, ...]:
    recorder = recorder or permitting(next(turns))
    context = ToolContext(workspace, workspace.parent / "demo.sqlite")
    results = await recorder.dispatch(calls, demo_toolbox(), context)
    assert recorder.exceptions == []
    return results


async def test_a_file_that_is_deleted_first_cannot_be_read(workspace: Path) -> None:
    calls = [call("delete_file", path="a.txt"), call("read_file", path="a.txt")]
    deleted, read = await run(workspace, *calls)
    assert deleted.output == {"path": "a.txt", "deleted": True, "bytes": 7}
    assert error_of(read).message.startswith("There is no 'a.txt'")


async def test_a_file_that_is_read_first_is_read_whole(workspace: Path) -> None:
    calls = [call("read_file", path="a.txt"), call("delete_file", path="a.txt")]
    read, _ = await run(workspace, *calls)
    assert read.output["text"] == "content"
    assert not (workspace / "a.txt").exists()


@pytest.mark.parametrize("path", ["new.txt", "sub/new.txt", "fresh/folder/new.txt", "a.txt"])
async def test_a_written_file_holds_the_text_and_leaves_nothing_beside_it(
    workspace: Path, path: str
) -> None:
    (result,) = await run(workspace, call("write_file", path=path, text="Ação\r\n"))
    assert result.output == {"path": path, "bytes": 8}
    file = workspace / path
    assert file.read_bytes() == "Ação\r\n".encode()
    assert [other.name for other in file.parent.iterdir() if other.name.startswith(".")] == []


OUTSIDE = ["../outside/secret.txt", "/etc/passwd", "C:\\x.txt", "sub/../../outside/secret.txt", ""]
NO_FILE = [".", "sub", "a.txt/inside.txt", "con", "nul.txt"]
HIDDEN = [".env", ".git/hooks/pre-commit", "sub/.hidden"]


@pytest.mark.parametrize("path", [*OUTSIDE, *NO_FILE, *HIDDEN])
@pytest.mark.parametrize("name", ["write_file", "delete_file"])
async def test_a_path_to_anything_but_a_plain_file_inside_is_refused(
    workspace: Path, name: str, path: str
) -> None:
    text = {"text": "x"} if name == "write_file" else {}
    recorder = permitting(next(turns))
    before = listing(workspace.parent)
    (result,) = await run(workspace, call(name, path=path, **text), recorder=recorder)
    assert error_of(result).kind is ErrorKind.FAILED
    assert recorder.asked == {}
    assert listing(workspace.parent) == before


def listing(folder: Path) -> list[tuple[str, bytes]]:
    return sorted(
        (str(file), file.read_bytes())
        for file in folder.rglob("*")
        if file.is_file() and "demo.sqlite" not in file.name
    )


@needs_links
@pytest.mark.parametrize("path", ["link.txt", "linked/secret.txt", "linked/new.txt"])
@pytest.mark.parametrize("name", ["write_file", "delete_file"])
async def test_no_link_is_walked_through(workspace: Path, name: str, path: str) -> None:
    (workspace / "link.txt").symlink_to(workspace.parent / "outside" / "secret.txt")
    (workspace / "linked").symlink_to(workspace.parent / "outside", target_is_directory=True)
    text = {"text": "x"} if name == "write_file" else {}
    (result,) = await run(workspace, call(name, path=path, **text))
    assert error_of(result).kind is ErrorKind.FAILED
    assert listing(workspace.parent / "outside") == [
        (str(workspace.parent / "outside" / "secret.txt"), b"secret")
    ]


@needs_links
async def test_a_folder_exchanged_for_a_link_while_the_person_thinks_is_refused(
    workspace: Path,
) -> None:
    async def exchange() -> None:
        (workspace / "sub").rmdir()
        (workspace / "sub").symlink_to(workspace.parent / "outside", target_is_directory=True)

    recorder = permitting(next(turns))
    recorder.thinking = exchange
    write = call("write_file", path="sub/secret.txt", text="mine now")
    (result,) = await run(workspace, write, recorder=recorder)
    assert "through a link" in error_of(result).message
    assert (workspace.parent / "outside" / "secret.txt").read_text("utf-8") == "secret"


@needs_links
async def test_a_second_name_of_a_file_outside_is_parted_from_it(workspace: Path) -> None:
    (workspace / "hard.txt").hardlink_to(workspace.parent / "outside" / "secret.txt")
    await run(workspace, call("write_file", path="hard.txt", text="mine"))
    assert (workspace.parent / "outside" / "secret.txt").read_text("utf-8") == "secret"


@needs_links
def test_a_file_keeps_its_mode_when_it_is_replaced(workspace: Path) -> None:
    (workspace / "a.txt").chmod(0o700)
    write_file_whole(workspace, "a.txt", b"new")
    assert stat.S_IMODE((workspace / "a.txt").stat().st_mode) == 0o700


def test_a_write_that_fails_half_way_leaves_the_old_file(
    workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(ToolFailure, match="cannot be changed"):
        write_file_whole(workspace, "a.txt", b"new")
    assert [file.name for file in sorted(workspace.iterdir())] == ["a.txt", "sub"]
    assert (workspace / "a.txt").read_bytes() == b"content"


def test_where_folders_cannot_be_opened_the_same_holds_by_path(
    workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tools.demo.workspace_changes.BY_FOLDER", False)
    write_file_whole(workspace, "fresh/b.txt", b"new")
    assert (workspace / "fresh" / "b.txt").read_bytes() == b"new"
    assert delete_plain_file(workspace, "fresh/b.txt") == 3


async def test_a_workspace_that_is_missing_is_not_made(tmp_path: Path) -> None:
    (result,) = await run(tmp_path / "none", call("write_file", path="a.txt", text=""))
    assert "does not exist" in error_of(result).message
    assert not (tmp_path / "none").exists()


@pytest.mark.parametrize(
    ("write", "change"),
    [
        (
            call("write_file", path="b.txt", text="é"),
            Change("change.new_file", {"path": "b.txt", "bytes": 2}),
        ),
        (
            call("write_file", path="a.txt", text="é"),
            Change("change.file", {"path": "a.txt", "bytes": 2, "now": 7}),
        ),
        (
            call("delete_file", path="a.txt"),
            Change("change.no_file", {"path": "a.txt", "bytes": 7}),
        ),
    ],
)
async def test_the_person_is_told_what_happens_to_which_file(
    workspace: Path, write: ToolCall, change: Change
) -> None:
    recorder = permitting(next(turns))
    await run(workspace, write, recorder=recorder)
    assert recorder.asked == {0: change}
