"""Does the README show what the app looks like today?"""

from __future__ import annotations

from pathlib import Path

from tests.screens.picture import PICTURE, draw


async def test_the_picture_of_the_readme_is_what_the_app_shows(tmp_path: Path) -> None:
    drawn = await draw(tmp_path)
    kept = PICTURE.read_text(encoding="utf-8")
    assert drawn == kept, "write it anew with: python -m tests.screens.picture"
