"""`vitral scenes`, and `--scene` wherever the simulator answers."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from app.choice import Choice
from app.cli.codes import Code
from app.cli.opening import Opening
from app.cli.running import run
from app.cli.sources import Source, served
from app.messages import Messages
from providers.simulator.scenes.reading import ORDER
from tests.simulating import LOOKUP, post, question
from tests.unit.test_scenes_files import GOOD

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def vitral(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Run:
    """Runs a command in this process: exit code, standard output, standard error."""
    monkeypatch.setenv("VITRAL_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("LANGUAGE", "en")
    monkeypatch.chdir(tmp_path)

    def run_it(*arguments: str) -> tuple[int, str, str]:
        code = run(arguments)
        out, err = capsys.readouterr()
        return int(code), out, err

    return run_it


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    (tmp_path / "mine.toml").write_text(GOOD, "utf-8")
    return tmp_path / "mine.toml"


@pytest.fixture
def wrong(tmp_path: Path) -> Path:
    (tmp_path / "wrong.toml").write_text(GOOD.replace('"overloaded"', '"boom"'), "utf-8")
    return tmp_path / "wrong.toml"


def test_the_list_has_each_scene_in_its_order(vitral: Run) -> None:
    code, out, err = vitral("scenes", "list", "--json")
    assert (code, err) == (Code.ANSWERED, "")
    assert tuple(json.loads(line)["name"] for line in out.splitlines()) == ORDER


@pytest.mark.parametrize(
    ("language", "title"), [("en", "Too busy"), ("pt-BR", "Ocupado demais"), ("es", "Demasiado")]
)
def test_the_list_speaks_the_persons_language(vitral: Run, language: str, title: str) -> None:
    _, out, _ = vitral("scenes", "list", "--language", language)
    assert title in out


def test_a_good_file_is_well(vitral: Run, mine: Path) -> None:
    assert vitral("scenes", "check", mine.name) == (Code.ANSWERED, "mine.toml: all is well.\n", "")


def test_a_wrong_file_is_told_by_line_on_standard_error(vitral: Run, wrong: Path) -> None:
    code, out, err = vitral("scenes", "check", wrong.name)
    assert (code, out) == (Code.FAILED, "")
    assert err.startswith("wrong.toml:14: turns[1].steps[1].faults[1].fault: wanted the name of")


def test_of_several_files_each_has_its_object(vitral: Run, mine: Path, wrong: Path) -> None:
    code, out, err = vitral("scenes", "check", mine.name, wrong.name, "none.toml", "--json")
    first, second, third = (json.loads(line) for line in out.splitlines())
    assert (code, err) == (Code.FAILED, "")
    assert [one["ok"] for one in (first, second, third)] == [True, False, False]
    assert [(one["line"], one["wanted"], one["got"]) for one in second["problems"]] == [
        (14, "fault", "boom")
    ]
    assert third["problems"][0]["wanted"] == "readable"


def test_a_hostile_file_drives_no_terminal(vitral: Run, tmp_path: Path) -> None:
    text = GOOD.replace('"overloaded"', '"\\u001b]0;owned\\u0007"')
    (tmp_path / "hostile.toml").write_text(text, "utf-8")
    _, _, err = vitral("scenes", "check", "hostile.toml")
    assert "\x1b" not in err
    assert "owned" in err


def test_a_scene_is_shown_from_the_first_message_to_the_last_answer(vitral: Run) -> None:
    code, out, _ = vitral("scenes", "show", "cut-connection", "--language", "es")
    assert code == Code.ANSWERED
    said = ("❯ ¿La conexión es estable?", "⚡ cut-in-arguments × 1", "→ lookup_demo_value", "× ∞")
    places = [out.index(words) for words in said]
    assert places == sorted(places)


def test_a_scene_as_json_is_the_whole_scene(vitral: Run) -> None:
    _, out, _ = vitral("scenes", "show", "height", "--json")
    shown = json.loads(out)
    assert shown["opening"] == "What is my height?"
    assert shown["scene"]["turns"][0]["steps"][0]["calls"] == [
        {"tool": LOOKUP, "arguments": {"key": "height"}, "as": "height"}
    ]


def test_a_name_that_no_scene_has_is_an_error_of_usage(vitral: Run) -> None:
    code, out, err = vitral("scenes", "show", "heigth")
    assert (code, out) == (Code.USAGE, "")
    assert "'heigth'" in err
    assert "long-answer" in err


def test_ask_plays_a_scene(vitral: Run) -> None:
    code, out, _ = vitral(
        "ask", "How much do I weigh?", "--scene", "mended-arguments", "--speed", "10000", "--json"
    )
    said = json.loads(out)
    assert code == Code.CALL_FAILED or code == Code.ANSWERED
    assert said["model"] == "vitral-sim-thinking"
    assert [call["args"]["key"] for call in said["calls"]] == ["wieght", "weight"]


def test_ask_plays_a_file_of_ones_own(vitral: Run, mine: Path) -> None:
    mine.write_text(GOOD.replace("overloaded", "drip"), "utf-8")
    code, out, _ = vitral("ask", "Hola", "--scene", mine.name, "--speed", "10000")
    assert (code, out) == (Code.ANSWERED, "Es 1.\n")


def test_a_file_with_mistakes_is_not_played(vitral: Run, wrong: Path) -> None:
    code, out, err = vitral("ask", "Hola", "--scene", wrong.name)
    assert (code, out) == (Code.USAGE, "")
    assert "wrong.toml:14:" in err


def test_a_scene_and_a_cassette_are_not_served_together(vitral: Run) -> None:
    code, _, err = vitral("simulate", "--scene", "height", "--cassette", "x.jsonl")
    assert code == Code.USAGE
    assert "--cassette" in err


def test_a_scene_is_played_by_the_simulator_whoever_was_asked_before() -> None:
    choice = Opening(scene="ship-an-order").choice(Choice("openai", model="gpt-5"))
    assert (choice.provider, choice.model) == ("simulator", "vitral-sim-thinking")


def test_a_model_that_the_person_names_plays_the_scene() -> None:
    choice = Opening(scene="ship-an-order", model="gemini-3-sim").choice(Choice())
    assert choice.model == "gemini-3-sim"


def test_a_served_scene_plays_for_any_client() -> None:
    async def asked() -> bytes:
        with served(Source(speed=0, scene="height"), Messages("en")) as handler:
            body = question("openai-chat", "How tall am I?", LOOKUP)
            response = await handler(post("openai-chat", body))
            return b"".join([data async for data in response.body])

    assert LOOKUP.encode() in asyncio.run(asked())
