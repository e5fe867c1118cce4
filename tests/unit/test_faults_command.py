"""`vitral faults` says what each fault is, what a correct client does, and where it can happen."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from app.cli.codes import Code
from app.cli.running import run
from app.messages import LANGUAGES, Messages
from providers.faults import FAMILIES, FAULTS

Faults = Callable[..., str]


@pytest.fixture
def faults(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Faults:
    """Runs the command, which cannot fail; what it wrote on standard output."""
    monkeypatch.setenv("VITRAL_HOME", str(tmp_path))
    monkeypatch.setenv("LANGUAGE", "en")

    def listed(*arguments: str) -> str:
        code = run(["faults", *arguments])
        out, err = capsys.readouterr()
        assert (code, err) == (Code.ANSWERED, "")
        return out

    return listed


def documents(out: str) -> dict[str, dict[str, Any]]:
    """Name → what is said of that fault in JSON."""
    return {said["name"]: said for said in map(json.loads, out.splitlines())}


def test_every_fault_is_listed_in_the_order_of_the_catalogue(faults: Faults) -> None:
    lines = [line for line in faults().splitlines() if line.startswith("  ") and "→" not in line]
    assert [line.split()[0] for line in lines] == list(FAULTS)


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_fault_is_told_with_what_is_right(faults: Faults, language: str) -> None:
    texts = Messages(language)
    lines = [line.strip() for line in faults("--language", texts.tag).splitlines()]
    for fault in FAULTS.values():
        place = next(n for n, line in enumerate(lines) if line.startswith(f"{fault.name}  "))
        assert texts(fault.about) in lines[place]
        assert lines[place + 1] == f"→ {texts(fault.right)}"


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_family_has_its_title_and_a_line_of_air_before_it(
    faults: Faults, language: str
) -> None:
    texts = Messages(language)
    blocks = faults("--language", texts.tag).split("\n\n")
    titles = [block.splitlines()[0] for block in blocks]
    assert titles == [texts(f"cli.faults.family.{family}") for family in FAMILIES]


def test_a_fault_of_one_dialect_says_so(faults: Faults) -> None:
    said = [line for line in faults().splitlines() if "double-message-start" in line]
    assert said[0].endswith("(only anthropic)")


def test_a_fault_of_every_dialect_names_none(faults: Faults) -> None:
    said = [line for line in faults().splitlines() if "cut-at-byte" in line]
    assert "only" not in said[0]


def test_in_json_each_fault_is_one_line_of_its_own(faults: Faults) -> None:
    assert list(documents(faults("--json"))) == list(FAULTS)


def test_in_json_a_fault_has_its_texts_in_the_language_that_was_asked_for(faults: Faults) -> None:
    texts = Messages("pt_BR")
    said = documents(faults("--json", "--language", "pt-BR"))["hang"]
    assert (said["about"], said["right"]) == (texts("fault.hang"), texts("fault.right.time_limit"))


def test_in_json_a_failure_has_its_kind_and_its_wait(faults: Faults) -> None:
    said = documents(faults("--json"))["status-429-ms"]
    assert said["expected"]["anthropic"]["calls"] == {
        "answer": None,
        "failure": "rate_limit",
        "retry": True,
        "wait": 1.5,
    }


def test_in_json_an_answer_is_told_apart_by_dialect_and_by_calls(faults: Faults) -> None:
    expected = documents(faults("--json"))["dropped-event"]["expected"]
    seen = {dialect: told["calls"]["answer"] for dialect, told in expected.items()}
    assert seen == {
        "openai-responses": "whole",
        "openai-chat": "broken",
        "anthropic": "broken",
        "gemini": "unseen",
    }
    assert {told["words"]["answer"] for told in expected.values()} == {"unseen"}


def test_in_json_only_the_dialects_where_it_can_happen_are_named(faults: Faults) -> None:
    said = documents(faults("--json"))["status-429-retry-info"]
    assert (said["dialects"], list(said["expected"])) == (["gemini"], ["gemini"])


def test_in_json_a_models_own_mistake_is_marked(faults: Faults) -> None:
    slips = {name for name, said in documents(faults("--json")).items() if said["model_slip"]}
    assert slips == {"bad-json-arguments", "truncated-arguments"}
