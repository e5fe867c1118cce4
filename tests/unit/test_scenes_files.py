"""A scene's file: what is wrong in it is named with its line, its place and what was wanted."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.messages import LANGUAGES as CATALOGUES
from app.messages import Messages
from app.scene_words import describe_error
from providers.simulator.scenes import SceneError, Wanted, find_scene, read_scene, shipped_scenes
from providers.simulator.scenes.reading import ORDER, parse_scene
from providers.simulator.scenes.scene import LANGUAGES, Scene

GOOD = """\
title = { en = "One", es = "Uno" }
summary = "Both."
model = "vitral-sim"
pace = { fragments_per_second = 10 }

[[turns]]
message = { en = "Hello", es = "Hola" }

[[turns.steps]]
calls = [
  { tool = "calculate", arguments = { expression = "1" }, as = "one" },
  { tool = "calculate", arguments = { expression = "2" }, as = "two" },
]
faults = [{ fault = "overloaded" }]

[[turns.steps]]
expects.values = ["one"]
text = { en = "It is {one}.", es = "Es {one}." }
"""

BAD = [
    ("no TOML", "[[turns]]", "[[turns]", 6, "", Wanted.TOML),
    ("no title", 'title = { en = "One", es = "Uno" }\n', "\n", 1, "title", Wanted.THERE),
    ("an unknown key", 'model = "vitral-sim"', "modle = 1", 3, "modle", Wanted.KNOWN_KEY),
    ("a title of numbers", '"Uno"', "1", 1, "title.es", Wanted.TEXT),
    ("an empty title", '"Uno"', '""', 1, "title.es", Wanted.NOT_EMPTY),
    ("an unknown language", 'es = "Uno"', 'fr = "Un"', 1, "title.fr", Wanted.ONE_OF),
    ("an unknown model", '"vitral-sim"', '"gpt-9"', 3, "model", Wanted.ONE_OF),
    ("a pace in words", "= 10", '= "fast"', 4, "pace.fragments_per_second", Wanted.NUMBER),
    ("no pace at all", "= 10", "= 0", 4, "pace.fragments_per_second", Wanted.NUMBER_IN_RANGE),
    ("a message in one language", ', es = "Hola"', "", 7, "turns[1].message", Wanted.ALL_LANGUAGES),
    ("a tool without a name", 'tool = "calculate", arguments = { expression = "2" }, ', "", 12,
     "turns[1].steps[1].calls[2].tool", Wanted.THERE),
    ("arguments in a text", '{ expression = "2" }', '"2"', 12,
     "turns[1].steps[1].calls[2].arguments", Wanted.TABLE),
    ("arguments that are a date", 'expression = "2"', "expression = 2020-01-01", 12,
     "turns[1].steps[1].calls[2].arguments.expression", Wanted.JSON),
    ("arguments that are no number", 'expression = "2"', "expression = nan", 12,
     "turns[1].steps[1].calls[2].arguments", Wanted.JSON),
    ("two calls of one name", 'as = "two"', 'as = "one"', 12,
     "turns[1].steps[1].calls[2].as", Wanted.OWN_NAME),
    ("arguments and raw", 'as = "two"', 'as = "two", raw = "{"', 12,
     "turns[1].steps[1].calls[2].raw", Wanted.ARGUMENTS_OR_RAW),
    ("calls in a text", "calls = [\n", 'calls = "x"\nother = [\n', 10,
     "turns[1].steps[1].calls", Wanted.LIST),
    ("an unknown fault", '"overloaded"', '"explosion"', 14,
     "turns[1].steps[1].faults[1].fault", Wanted.FAULT),
    ("times in words", '"overloaded"', '"overloaded", times = "two"', 14,
     "turns[1].steps[1].faults[1].times", Wanted.WHOLE_NUMBER),
    ("always in words", '"overloaded"', '"overloaded", always = "yes"', 14,
     "turns[1].steps[1].faults[1].always", Wanted.YES_OR_NO),
    ("an expectation of no call", '["one"]', '["one", "six"]', 17,
     "turns[1].steps[2].expects.values[2]", Wanted.EARLIER_CALL),
    ("a result of no call", "Es {one}", "Es {six.value}", 18,
     "turns[1].steps[2].text.es", Wanted.EARLIER_CALL),
    ("a last step without words", 'text = { en = "It is {one}.", es = "Es {one}." }', "", 16,
     "turns[1].steps[2]", Wanted.WORDS_AT_END),
    ("a last step that calls", 'text = {', 'calls = [{ tool = "x" }]\ntext = {', 18,
     "turns[1].steps[2].calls", Wanted.NO_CALLS_AT_END),
]  # fmt: skip


def problems(text: str) -> list[tuple[int | None, str, Wanted]]:
    with pytest.raises(SceneError) as caught:
        parse_scene(text, "bad.toml")
    return [(one.line, one.key, one.wanted) for one in caught.value.problems]


def test_the_good_file_is_good() -> None:
    assert parse_scene(GOOD, "good.toml").tools == ("calculate",)


@pytest.mark.parametrize(
    ("old", "new", "line", "key", "wanted"), [row[1:] for row in BAD], ids=[row[0] for row in BAD]
)
def test_a_mistake_is_named_with_its_line(
    old: str, new: str, line: int, key: str, wanted: Wanted
) -> None:
    assert old in GOOD
    assert (line, key, wanted) in problems(GOOD.replace(old, new))


def test_a_step_that_leads_nowhere_is_named() -> None:
    text = 'title = "x"\nsummary = "x"\n[[turns]]\n[[turns.steps]]\ntext = "a"\n\n[[turns.steps]]\n'
    text += 'text = "b"\n'
    assert problems(text) == [(4, "turns[1].steps[1]", Wanted.CALLS_BEFORE_END)]


def test_all_mistakes_are_told_at_once_in_the_files_order() -> None:
    text = GOOD.replace('"Uno"', "1").replace("= 10", "= 0").replace('"overloaded"', "3")
    assert [line for line, _, _ in problems(text)] == [1, 4, 14]


def test_a_file_with_windows_line_ends_has_the_same_lines() -> None:
    text = GOOD.replace('"overloaded"', '"explosion"').replace("\n", "\r\n")
    assert [line for line, _, _ in problems(text)] == [14]


def test_brackets_by_the_thousand_are_a_mistake_and_no_crash() -> None:
    assert problems("a = " + "[" * 100_000) in ([(None, "", Wanted.TOML)], [(1, "", Wanted.TOML)])


def test_a_file_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(SceneError) as caught:
        read_scene(tmp_path / "none.toml")
    (problem,) = caught.value.problems
    assert (problem.line, problem.wanted) == (None, Wanted.READABLE)


def test_a_name_that_no_scene_has_is_answered_with_those_there_are() -> None:
    with pytest.raises(SceneError) as caught:
        find_scene("heigth")
    assert caught.value.known == ORDER


def test_a_scene_is_found_by_the_path_of_its_file(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(GOOD, "utf-8")
    assert find_scene(str(tmp_path / "mine.toml")).model == "vitral-sim"


@pytest.mark.parametrize("language", CATALOGUES)
@pytest.mark.parametrize("wanted", Wanted)
def test_each_mistake_has_words_in_each_language(wanted: Wanted, language: str) -> None:
    key = f"scene.wanted.{wanted}"
    assert Messages(language)(key, choices="x") != key


def test_a_mistake_is_told_as_editors_jump_to_it() -> None:
    with pytest.raises(SceneError) as caught:
        parse_scene(GOOD.replace('"overloaded"', '"explosion"'), "my/scene.toml")
    (line,) = describe_error(caught.value, Messages("en"))
    assert line.startswith("my/scene.toml:14: turns[1].steps[1].faults[1].fault: wanted the name")
    assert line.endswith("; found explosion.")


@pytest.mark.parametrize("name", ORDER)
def test_a_scene_that_comes_with_the_program_speaks_all_languages(name: str) -> None:
    scene = shipped_scenes()[name]
    assert scene.languages == LANGUAGES
    assert all(scene.opening(language) for language in LANGUAGES)


def test_each_file_of_the_folder_is_in_the_list() -> None:
    import providers.simulator.scenes as package

    folder = Path(str(package.__path__[0])) / "shipped"
    assert sorted(file.stem for file in folder.iterdir()) == sorted(ORDER)


def test_a_scene_in_one_language_speaks_it_to_everybody() -> None:
    scene = Scene.model_validate(
        {"title": {"es": "Uno"}, "summary": {"es": "Uno"},
         "turns": [{"message": {"es": "Hola"}, "steps": [{"text": {"es": "Buenas"}}]}]}
    )  # fmt: skip
    assert scene.opening("pt_BR") == "Hola"
