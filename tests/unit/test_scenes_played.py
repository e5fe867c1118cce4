"""Each scene that comes with the program, in each language and dialect, ends as its story says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from app.choice import Choice
from app.events import Ending
from providers.history import valid
from providers.request import Choose, tool_choice_word
from providers.simulator.scenes import shipped_scenes
from providers.simulator.scenes.reading import ORDER
from providers.simulator.scenes.scene import LANGUAGES, Language
from tests.sessions import session_in
from tests.simulating import DIALECTS
from tests.staging import Stage

LOOKUP = "lookup_demo_value"
HEIGHT = (LOOKUP, {"key": "height"})
WEIGHT = (LOOKUP, {"key": "weight"})
NOTE = {"path": "on-stage.txt"}


@dataclass(frozen=True, slots=True)
class Story:
    """What one message of a scene comes to. `says` stands in the last answer, whatever the
    language; `fails` are the attempts that were withdrawn."""

    calls: tuple[tuple[str, object], ...] = ()
    outcomes: tuple[str, ...] = ()
    says: tuple[str, ...] = ()
    fails: tuple[str, ...] = ()
    ending: Ending = Ending.ANSWERED


def values(count: int) -> tuple[str, ...]:
    return ("value",) * count


STORIES: Mapping[str, tuple[Story, ...]] = {
    "height": (Story((HEIGHT,), values(1), ("170 cm",)),),
    "height-and-weight": (Story((HEIGHT, WEIGHT), values(2), ("170 cm", "70 kg")),),
    "mended-arguments": (
        Story(
            ((LOOKUP, {"key": "wieght"}), WEIGHT),
            ("invalid_arguments", "value"),
            ("70 kg",),
        ),
    ),
    "ship-an-order": (
        Story(
            (
                ("list_orders", {"status": "paid"}),
                ("update_order_status", {"order_id": 1042, "new_status": "shipped"}),
            ),
            values(2),
            ("1042", "paid", "**shipped**"),
        ),
    ),
    "five-files": (
        Story(
            tuple(
                ("read_file", {"path": path})
                for path in ("notes.md", "recipes.md", "data.csv", "letter.md", "garden/plan.md")
            ),
            values(5),
            ("`notes.md` | 16 |", "`garden/plan.md` | 9 |"),
        ),
    ),
    "exact-sum": (
        Story(
            (("calculate", {"expression": "0.1 + 0.2"}), ("calculate", {"expression": "2^200"})),
            values(2),
            ("0.3", str(2**200)),
        ),
    ),
    "delete-then-read": (
        Story(
            (
                ("write_file", {**NOTE, "text": "Here for a moment.\n"}),
                ("read_file", NOTE),
                ("delete_file", NOTE),
                ("read_file", NOTE),
            ),
            ("value", "value", "value", "failed"),
        ),
    ),
    "cut-connection": (
        Story((HEIGHT,), values(1), ("170 cm",), ("cut",)),
        Story(fails=("cut", "cut", "cut"), ending=Ending.FAILED),
    ),
    "overloaded": (
        Story(
            (("calculate", {"expression": "12.5% of 340"}),),
            values(1),
            ("42.5",),
            ("overloaded", "rate_limit"),
        ),
    ),
    "long-answer": (Story(says=("你好", "🙂", "`functionResponse`")),),
}


def told(text: str) -> str:
    """An answer with points in its figures, as English has them."""
    return text.replace("0,3", "0.3").replace("42,5", "42.5")


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", ORDER)
async def test_a_scene_ends_as_its_story_says(
    name: str, language: Language, dialect: str, tmp_path: Path
) -> None:
    scene = shipped_scenes()[name]
    stage = Stage(tmp_path, scene, dialect)
    for place, (turn, story) in enumerate(zip(scene.turns, STORIES[name], strict=True)):
        assert turn.message is not None
        before = (len(stage.calls), len(stage.outcomes), len(stage.failures))
        done = await stage.say(turn.message[language])
        assert done.ending is story.ending, (place, stage.unmet)
        assert tuple(stage.calls[before[0] :]) == story.calls
        assert tuple(stage.outcomes[before[1] :]) == story.outcomes
        assert tuple(stage.failures[before[2] :]) == story.fails
        for words in story.says:
            assert words in told(stage.last)
    assert stage.unmet == []
    assert valid(stage.memory.history)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", ORDER)
async def test_a_scene_speaks_the_language_of_the_person(
    name: str, language: Language, tmp_path: Path
) -> None:
    scene = shipped_scenes()[name]
    stage = Stage(tmp_path, scene)
    await stage.say(scene.opening(language))
    last = scene.turns[0].steps[-1].text
    assert last is not None
    opening = last[language].strip().split("{")[0]
    assert stage.last.startswith(opening)


@pytest.mark.parametrize(
    ("name", "write"),
    [("ship-an-order", "update_order_status"), ("delete-then-read", "write_file")],
)
async def test_a_no_of_the_persons_is_a_part_of_the_story(
    name: str, write: str, tmp_path: Path
) -> None:
    scene = shipped_scenes()[name]
    stage = Stage(tmp_path, scene, refused=(write,))
    done = await stage.say(scene.opening("en"))
    assert done.ending is Ending.ANSWERED
    assert stage.outcomes[-1] == "not_allowed"
    assert stage.last.startswith("As you wish")


async def test_a_person_who_keeps_the_note_is_told_so(tmp_path: Path) -> None:
    scene = shipped_scenes()["delete-then-read"]
    stage = Stage(tmp_path, scene, refused=("delete_file",))
    await stage.say(scene.opening("en"))
    assert stage.outcomes == ["value", "value", "not_allowed", "value"]
    assert stage.last.startswith("You kept the note")


async def test_a_scene_can_be_played_again_and_again(tmp_path: Path) -> None:
    scene = shipped_scenes()["overloaded"]
    stage = Stage(tmp_path, scene)
    for _ in range(2):
        stage.memory.turns.clear()
        await stage.say(scene.opening("en"))
    assert stage.failures == ["overloaded", "rate_limit"] * 2


async def test_when_no_paid_order_is_left_nothing_is_shipped(tmp_path: Path) -> None:
    scene = shipped_scenes()["ship-an-order"]
    stage = Stage(tmp_path, scene)
    for _ in range(3):
        await stage.say(scene.opening("en"))
    await stage.say(scene.opening("en"))
    assert stage.last == "There is no paid order left, so nothing can be shipped."


async def test_a_file_that_is_missing_is_said_and_the_others_are_read(tmp_path: Path) -> None:
    scene = shipped_scenes()["five-files"]
    stage = Stage(tmp_path, scene)
    (tmp_path / "workspace" / "letter.md").unlink()
    await stage.say(scene.opening("en"))
    assert stage.outcomes == ["value", "value", "value", "failed", "value"]
    assert stage.last.startswith("One of the five files is not in the workspace.")


async def test_reasoning_is_shown_by_a_model_that_thinks_and_by_no_other(tmp_path: Path) -> None:
    scene = shipped_scenes()["mended-arguments"]
    thinking, plain = Stage(tmp_path, scene), Stage(tmp_path, scene, model="vitral-sim")
    for stage in (thinking, plain):
        await stage.say(scene.opening("en"))
    assert thinking.answers[0].reasoning
    assert not plain.answers[0].reasoning


async def test_a_scene_brings_its_tool_choice_and_takes_it_along(tmp_path: Path) -> None:
    file = tmp_path / "forced.toml"
    file.write_text(
        'title.en = "Forced"\nsummary.en = "A call must come."\ntool_choice = "required"\n'
        '[[turns]]\nmessage.en = "Hello"\n[[turns.steps]]\ntext.en = "No."\n',
        "utf-8",
    )
    session = session_in(tmp_path / "home")
    await session.choose(Choice(scene=str(file)))
    assert session.tool_choice is Choose.REQUIRED
    await session.choose(Choice())
    assert tool_choice_word(session.tool_choice) == "auto"
    await session.close()
