"""Does every screen look as it was accepted? Pictures, compared with those that a person looked at.

After a change of the looks: `pytest tests/screens/test_pictures.py --snapshot-update`, and look at
each picture that changed in `__snapshots__/` before it is committed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import pytest
from textual.pilot import Pilot

from app.messages import LANGUAGES
from tests.screens.moments import MAIN, MORE, Moment, play, vitral

SIZES = ((80, 24), (120, 40), (200, 60))


@dataclass(frozen=True, slots=True)
class Picture:
    """One moment in one size, language and theme."""

    moment: Moment
    size: tuple[int, int]
    language: str
    theme: str = "dark"

    def __str__(self) -> str:
        width, height = self.size
        return f"{self.moment.name}-{width}x{height}-{self.language}-{self.theme}"


def pictures() -> Iterator[Picture]:
    """Each main moment in every size and in every language, turn about, and in the light theme;
    every other one in the size that it is made for."""
    languages = list(LANGUAGES)
    for place, moment in enumerate(MAIN):
        for step, size in enumerate(SIZES):
            yield Picture(moment, size, languages[(place + step) % len(languages)])
        yield Picture(moment, SIZES[1], languages[place % len(languages)], "light")
    for moment in MORE:
        size = SIZES[0] if moment.name in ("drawer", "permission") else SIZES[1]
        yield Picture(moment, size, "en")
    yield Picture(MAIN[1], SIZES[1], "en", "high-contrast")


def test_the_main_screens_are_seen_in_every_size_and_language() -> None:
    names = [moment.name for moment in MAIN]
    shown = list(pictures())
    assert {(one.moment.name, one.size) for one in shown} >= set(product(names, SIZES))
    assert {(one.moment.name, one.language) for one in shown} >= set(product(names, LANGUAGES))


@pytest.mark.parametrize("picture", pictures(), ids=str)
def test_the_screen_looks_as_it_was_accepted(
    picture: Picture, tmp_path: Path, snap_compare: Callable[..., bool]
) -> None:
    async def reach(pilot: Pilot[None]) -> None:
        await play(picture.moment, pilot)

    app = vitral(tmp_path, picture.language, picture.theme)
    assert snap_compare(app, terminal_size=picture.size, run_before=reach)
