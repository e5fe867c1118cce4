"""A scene is the same story however its bytes are cut, and its lines are found in any TOML."""

from __future__ import annotations

import asyncio
import tomllib
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import tomlkit
from hypothesis import given, settings
from hypothesis import strategies as st

from providers.simulator.scenes import Scene, shipped_scenes
from providers.simulator.scenes.reading import ORDER
from providers.simulator.scenes.toml_lines import Path as Place
from providers.simulator.scenes.toml_lines import lines_of
from tests.simulating import DIALECTS
from tests.staging import Stage

KEYS = st.text(st.sampled_from("abc-_ .\"#'=[]é"), min_size=1, max_size=5)
PLAIN = st.one_of(
    st.integers(-99, 99), st.booleans(), st.text(st.sampled_from("ab\"'\\\n#[]{},= é"), max_size=9)
)
VALUES = st.recursive(
    PLAIN, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3)
)
DOCUMENTS = st.dictionaries(KEYS, VALUES, max_size=4)


def story(scene: Scene, dialect: str, seed: int) -> tuple[object, ...]:
    async def told() -> tuple[object, ...]:
        with TemporaryDirectory() as home:
            stage = Stage(Path(home), scene, dialect, seed)
            await stage.say(scene.opening("en"))
            return stage.calls, stage.outcomes, stage.last, stage.unmet

    return asyncio.run(told())


@settings(max_examples=15, deadline=None)
@given(
    name=st.sampled_from(ORDER),
    dialect=st.sampled_from(DIALECTS),
    seed=st.integers(0, 10_000),
    read_bytes=st.none() | st.integers(1, 4_000),
)
def test_a_scene_calls_the_same_under_any_seed_and_cuts(
    name: str, dialect: str, seed: int, read_bytes: int | None
) -> None:
    scene = shipped_scenes()[name]
    pace = scene.pace.model_copy(update={"read_bytes": read_bytes})
    cut = scene.model_copy(update={"pace": pace})
    assert story(cut, dialect, seed) == story(scene, DIALECTS[0], 0)


def places(value: object, path: Place = ()) -> Iterator[Place]:
    """The path of everything in a document."""
    match value:
        case dict():
            inner: Iterator[tuple[str | int, object]] = iter(value.items())
        case list():
            inner = iter(enumerate(value))
        case _:
            return
    for step, item in inner:
        yield (*path, step)
        yield from places(item, (*path, step))


@given(DOCUMENTS)
def test_everything_in_a_document_has_a_line(document: dict[str, object]) -> None:
    text = tomlkit.dumps(document)
    lines = lines_of(text)
    assert set(lines) >= set(places(tomllib.loads(text)))


@given(DOCUMENTS, st.integers(0, 5))
def test_lines_above_move_all_lines_down(document: dict[str, object], above: int) -> None:
    text = tomlkit.dumps(document)
    moved = lines_of("# a comment\n" * above + text)
    assert moved == {place: line + above for place, line in lines_of(text).items()}


@given(st.lists(KEYS, unique=True, max_size=8))
def test_each_key_is_on_the_line_that_names_it(keys: list[str]) -> None:
    text = "".join(tomlkit.dumps({key: place}) for place, key in enumerate(keys))
    assert lines_of(text) == {(key,): place + 1 for place, key in enumerate(keys)}
