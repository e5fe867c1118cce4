"""The workspace: what is read, listed and found in it, and that nothing leads out."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from tests.tool_makers import Recorder, call
from tools.call import ErrorKind, ToolResult
from tools.demo import demo_toolbox
from tools.demo.files import FILE_BYTES, MATCHES, PAGE_BYTES
from tools.demo.workspace import create_workspace, walk
from tools.tool import ToolContext, ToolFailure

needs_links = pytest.mark.skipif(os.name == "nt", reason="links need a privilege on Windows")
needs_pipes = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipe")


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """A small workspace, beside a file that no tool may see."""
    (tmp_path / "secret.txt").write_text("secret", "utf-8")
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "secret.txt").write_text("secret", "utf-8")
    folder = tmp_path / "workspace"
    (folder / "sub").mkdir(parents=True)
    (folder / "a.txt").write_text("one\ntwo Ação\nthree\n", "utf-8")
    (folder / "sub" / "b.md").write_text("Two more", "utf-8")
    return folder


async def run(workspace: Path, name: str, **args: object) -> ToolResult:
    context = ToolContext(workspace, workspace / "none.sqlite")
    recorder = Recorder()
    (result,) = await recorder.dispatch([call(name, **args)], demo_toolbox(), context)
    assert recorder.exceptions == []
    return result


async def output(workspace: Path, name: str, **args: object) -> Any:
    result = await run(workspace, name, **args)
    assert result.error is None
    return result.output


async def failure(workspace: Path, name: str, **args: object) -> str:
    result = await run(workspace, name, **args)
    assert result.error is not None
    assert result.error.kind is ErrorKind.FAILED
    return result.error.message


async def test_a_file_is_read_whole(workspace: Path) -> None:
    assert await output(workspace, "read_file", path="a.txt") == {
        "path": "a.txt",
        "text": "one\ntwo Ação\nthree\n",
        "lines": 3,
    }


@pytest.mark.parametrize("path", ["./sub/b.md", "sub//b.md", "sub/./b.md"])
async def test_a_roundabout_way_inside_is_fine(workspace: Path, path: str) -> None:
    assert (await output(workspace, "read_file", path=path))["text"] == "Two more"


async def test_reading_goes_on_from_a_line(workspace: Path) -> None:
    assert (await output(workspace, "read_file", path="a.txt", from_line=3))["text"] == "three\n"


async def test_a_line_after_the_end_is_said_to_be_after_it(workspace: Path) -> None:
    assert "has 3 lines" in await failure(workspace, "read_file", path="a.txt", from_line=4)


async def test_an_empty_file_has_an_empty_text(workspace: Path) -> None:
    (workspace / "empty").touch()
    assert (await output(workspace, "read_file", path="empty"))["text"] == ""


async def test_the_pages_of_a_long_file_join_to_the_whole(workspace: Path) -> None:
    text = "".join(f"line {number} é\n" for number in range(10_000))
    (workspace / "long.txt").write_bytes(text.encode())
    read, line = "", 1
    while line:
        page = await output(workspace, "read_file", path="long.txt", from_line=line)
        assert len(page["text"].encode()) <= PAGE_BYTES
        read, line = read + page["text"], page.get("next_line", 0)
    assert read == text


async def test_a_byte_order_mark_is_no_text(workspace: Path) -> None:
    (workspace / "bom.txt").write_bytes(b"\xef\xbb\xbfhello")
    assert (await output(workspace, "read_file", path="bom.txt"))["text"] == "hello"


@pytest.mark.parametrize("data", [b"\x89PNG\r\n\x1a\n\0\0", b"abc\0def", "é".encode("latin-1")])
async def test_a_binary_file_is_refused(workspace: Path, data: bytes) -> None:
    (workspace / "binary").write_bytes(data)
    assert "no text in UTF-8" in await failure(workspace, "read_file", path="binary")


async def test_a_huge_file_is_refused(workspace: Path) -> None:
    with (workspace / "huge").open("wb") as file:
        file.truncate(FILE_BYTES + 1)
    assert "too many to read" in await failure(workspace, "read_file", path="huge")


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("../secret.txt", ".. is not allowed"),
        ("sub/../../secret.txt", ".. is not allowed"),
        ("sub/..", ".. is not allowed"),
        ("/etc/passwd", "no path inside"),
        ("//server/share/x", "no path inside"),
        ("C:/Windows/win.ini", "no path inside"),
        ("C:secret.txt", "no path inside"),
        ("\\secret.txt", "no path inside"),
        ("..\\secret.txt", "with /"),
        ("sub\\b.md", "with /"),
        ("", "printable"),
        ("a\0.txt", "printable"),
        ("a\n.txt", "printable"),
        ("x" * 2_000, "printable"),
        ("NUL", "no plain file"),
        ("sub/com1.txt", "no plain file"),
        ("missing.txt", "list_files shows"),
        ("a.txt/b", "list_files shows"),
        ("~/x", "list_files shows"),
        ("sub", "is a folder"),
        (".", "is a folder"),
    ],
)
async def test_a_path_that_leads_to_no_file_here_is_refused(
    workspace: Path, path: str, reason: str
) -> None:
    assert reason in await failure(workspace, "read_file", path=path)


@needs_links
@pytest.mark.parametrize("target", ["../secret.txt", "a.txt", "/etc/passwd", "nowhere"])
async def test_a_link_is_not_followed(workspace: Path, target: str) -> None:
    (workspace / "link").symlink_to(target)
    assert "links are not followed" in await failure(workspace, "read_file", path="link")


@needs_links
@pytest.mark.parametrize("tool", ["read_file", "list_files", "search_text"])
async def test_a_linked_folder_is_not_entered(workspace: Path, tool: str) -> None:
    (workspace / "link").symlink_to("../outside")
    path = "link/secret.txt" if tool == "read_file" else "link"
    query = {"query": "secret"} if tool == "search_text" else {}
    assert "links are not followed" in await failure(workspace, tool, path=path, **query)


@needs_links
async def test_links_are_neither_listed_nor_searched(workspace: Path) -> None:
    (workspace / "file").symlink_to("../secret.txt")
    (workspace / "folder").symlink_to("../outside")
    listed = await output(workspace, "list_files")
    assert [file["path"] for file in listed["files"]] == ["a.txt", "sub/b.md"]
    assert (await output(workspace, "search_text", query="secret"))["matches"] == []


@needs_links
async def test_a_workspace_behind_a_link_is_a_workspace(workspace: Path) -> None:
    chosen = workspace.parent / "chosen"
    chosen.symlink_to(workspace)
    assert (await output(chosen, "read_file", path="sub/b.md"))["text"] == "Two more"


@needs_links
async def test_a_folder_exchanged_for_a_link_during_the_opening_gives_nothing(
    workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (workspace / "sub" / "secret.txt").touch()
    really_open = os.open

    def exchange(*args: Any, **options: Any) -> int:
        (workspace / "sub").rename(workspace / "old")
        (workspace / "sub").symlink_to("../outside")
        return really_open(*args, **options)

    monkeypatch.setattr(os, "open", exchange)
    assert "changed while" in await failure(workspace, "read_file", path="sub/secret.txt")


@needs_pipes
async def test_a_pipe_is_refused_at_once(workspace: Path) -> None:
    os.mkfifo(workspace / "pipe")
    assert "no plain file" in await failure(workspace, "read_file", path="pipe")


async def test_files_are_listed_with_their_sizes(workspace: Path) -> None:
    assert await output(workspace, "list_files") == {
        "files": [{"path": "a.txt", "bytes": 21}, {"path": "sub/b.md", "bytes": 8}],
        "complete": True,
    }


@pytest.mark.parametrize(
    ("args", "expected"),
    [
        ({"path": "sub"}, ["sub/b.md"]),
        ({"pattern": "*.md"}, ["sub/b.md"]),
        ({"pattern": "sub/*"}, ["sub/b.md"]),
        ({"path": "sub", "pattern": "*.txt"}, []),
    ],
)
async def test_a_list_is_narrowed(
    workspace: Path, args: dict[str, str], expected: list[str]
) -> None:
    listed = await output(workspace, "list_files", **args)
    assert [file["path"] for file in listed["files"]] == expected


async def test_a_file_is_no_folder_to_list(workspace: Path) -> None:
    assert "read_file reads" in await failure(workspace, "list_files", path="a.txt")


def test_a_folder_with_too_much_in_it_says_so(workspace: Path) -> None:
    with pytest.raises(ToolFailure, match="more than 2 entries"):
        list(walk(workspace, ".", most=2))


async def test_a_text_is_found_with_its_line_whatever_its_case(workspace: Path) -> None:
    assert await output(workspace, "search_text", query="TWO") == {
        "matches": [
            {"path": "a.txt", "line": 2, "text": "two Ação"},
            {"path": "sub/b.md", "line": 1, "text": "Two more"},
        ],
        "complete": True,
    }


async def test_case_counts_when_asked(workspace: Path) -> None:
    found = await output(workspace, "search_text", query="two", match_case=True)
    assert [match["path"] for match in found["matches"]] == ["a.txt"]


async def test_a_search_passes_over_what_is_no_text(workspace: Path) -> None:
    (workspace / "binary").write_bytes(b"two\0")
    assert len((await output(workspace, "search_text", query="two"))["matches"]) == 2


async def test_a_search_with_too_many_matches_says_that_it_is_not_complete(
    workspace: Path,
) -> None:
    (workspace / "many.txt").write_text("needle\n" * (MATCHES + 1), "utf-8")
    found = await output(workspace, "search_text", query="needle")
    assert (len(found["matches"]), found["complete"]) == (MATCHES, False)


async def test_a_search_with_just_enough_matches_is_complete(workspace: Path) -> None:
    (workspace / "many.txt").write_text("needle\n" * MATCHES, "utf-8")
    assert (await output(workspace, "search_text", query="needle"))["complete"] is True


@pytest.mark.parametrize("name", ["read_file", "list_files"])
async def test_a_workspace_that_is_missing_is_not_invented(tmp_path: Path, name: str) -> None:
    assert "does not exist" in await failure(tmp_path / "missing", name, path=".")
    assert "does not exist" in await failure(tmp_path / "missing", name, path=".")


async def test_a_new_workspace_holds_the_samples(tmp_path: Path) -> None:
    create_workspace(tmp_path / "new" / "workspace")
    listed = await output(tmp_path / "new" / "workspace", "list_files")
    assert [file["path"] for file in listed["files"]] == [
        "data.csv",
        "letter.md",
        "notes.md",
        "recipes.md",
        "garden/plan.md",
    ]


def test_a_workspace_that_exists_is_left_as_it_is(tmp_path: Path) -> None:
    create_workspace(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_creating_a_workspace_leaves_nothing_half_made(tmp_path: Path) -> None:
    create_workspace(tmp_path / "workspace")
    assert [path.name for path in tmp_path.iterdir()] == ["workspace"]


@pytest.mark.parametrize("name", ["list_files", "search_text"])
async def test_a_pattern_is_short(workspace: Path, name: str) -> None:
    args = {"pattern": "[" * 1_000_000} | ({"query": "one"} if name == "search_text" else {})
    result = await run(workspace, name, **args)
    assert result.error is not None
    assert result.error.kind is ErrorKind.INVALID_ARGUMENTS
