"""`kill -9` at twenty points of a run: no write happens twice, and nothing finished is lost."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.journeys.crash import DEMO, OWN, Moment, Scene, crash

pytestmark = pytest.mark.journey

DEMO_MOMENTS = (
    Moment(point="begun"),
    Moment(point="effect"),
    Moment(point="recorded"),
    *(Moment(line=line) for line in (1, 4, 7, 8, 9, 10, 11, 12, 13, 14)),
    Moment(seconds=0.5),
    Moment(seconds=0.9),
)
OWN_MOMENTS = (
    Moment(point="begun"),
    Moment(point="effect"),
    Moment(point="recorded"),
    Moment(line=1),
    Moment(line=2),
)


@pytest.mark.parametrize(("scene", "moments"), [(DEMO, DEMO_MOMENTS), (OWN, OWN_MOMENTS)])
def test_no_write_is_done_twice_or_lost_however_the_program_dies(
    tmp_path: Path, scene: Scene, moments: tuple[Moment, ...]
) -> None:
    folders = [tmp_path / str(number) for number in range(len(moments))]
    with ThreadPoolExecutor(max_workers=2) as side_by_side:
        list(side_by_side.map(crash, folders, [scene] * len(moments), moments))
