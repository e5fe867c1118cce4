"""No path leads out of the workspace, however it is put together."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.demo.workspace import read_bytes
from tools.tool import ToolFailure


@pytest.fixture(scope="module")
def workspace() -> Iterator[Path]:
    with TemporaryDirectory() as folder:
        inside = Path(folder) / "workspace"
        (inside / "sub").mkdir(parents=True)
        (inside / "a.txt").write_bytes(b"inside")
        (inside / "sub" / "a.txt").write_bytes(b"inside")
        (Path(folder) / "a.txt").write_bytes(b"outside")
        if os.name != "nt":  # where links need a privilege
            (inside / "up").symlink_to("..")
            (inside / "sub" / "up").symlink_to(folder)
        yield inside


steps = st.sampled_from(
    [
        "..",
        ".",
        "",
        "sub",
        "a.txt",
        "up",
        "~",
        "C:",
        "workspace",
        " ..",
        "...",
        "%2e%2e",
        "\\..",
        "\0",
    ]
)
paths = st.builds(
    lambda start, parts, sign: start + sign.join(parts),
    st.sampled_from(["", "/", "//", "\\", "C:\\", "file:///", "./"]),
    st.lists(steps, max_size=6),
    st.sampled_from(["/", "//", "\\"]),
)


@given(path=paths | st.text(max_size=20))
def test_a_path_is_refused_or_stays_inside(workspace: Path, path: str) -> None:
    try:
        data = read_bytes(workspace, path, limit=100)
    except ToolFailure:
        return
    assert data == b"inside"


@given(path=paths)
def test_the_full_name_of_a_file_inside_is_refused_too(workspace: Path, path: str) -> None:
    with pytest.raises(ToolFailure):
        read_bytes(workspace, f"{workspace}/{path}", limit=100)
