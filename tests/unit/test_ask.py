"""`vitral ask` answers as the app does, and scripts can tell how it ended."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from app.cli.codes import Code
from app.cli.running import run
from app.session import Session
from providers.dialects import DIALECT_IDS

HEIGHT = "What is my height?"


class Asking:
    """Runs `ask` against the simulator at full speed."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    def __call__(self, *arguments: str) -> tuple[int, str, str]:
        code = run(["ask", "--speed", "10000", *arguments])
        out, err = self._capsys.readouterr()
        return int(code), out, err

    def json(self, *arguments: str) -> tuple[int, dict[str, Any]]:
        code, out, err = self(*arguments, "--json")
        assert err == ""
        (line,) = out.splitlines()
        return code, json.loads(line)


@pytest.fixture
def ask(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Asking:
    monkeypatch.setenv("VITRAL_HOME", str(tmp_path))
    monkeypatch.setenv("LANGUAGE", "en")
    return Asking(capsys)


@pytest.mark.parametrize("dialect", DIALECT_IDS)
def test_two_calls_of_one_turn_are_answered_in_each_dialect(ask: Asking, dialect: str) -> None:
    code, said = ask.json("What is my height and weight?", "--dialect", dialect)
    assert code == Code.ANSWERED
    assert "170" in said["answer"]
    assert [(c["name"], c["args"], c["state"], c["result"]["value"]) for c in said["calls"]] == [
        ("lookup_demo_value", {"key": "height"}, "answered", 170),
        ("lookup_demo_value", {"key": "weight"}, "answered", 70),
    ]
    assert len({call["call_id"] for call in said["calls"]}) == 2
    assert (said["dialect"], said["ending"], said["rounds"]) == (dialect, "answered", 2)
    assert said["usage"]["output"] > 0


def test_the_answer_alone_is_on_standard_output(ask: Asking) -> None:
    code, out, err = ask(HEIGHT)
    assert (code, out.strip()) == (Code.ANSWERED, "Your height is 170 cm.")
    assert '→ lookup_demo_value {"key": "height"}' in err


def test_a_provider_that_fails_is_code_1_with_a_reference(ask: Asking) -> None:
    code, said = ask.json(HEIGHT, "--fault", "status-401")
    assert (code, said["ending"], said["error"]) == (Code.FAILED, "failed", {"kind": "auth"})
    assert len(said["reference"]) == 4


def test_a_failure_is_told_in_the_persons_language_without_the_providers_words(
    ask: Asking,
) -> None:
    code, out, err = ask(HEIGHT, "--fault", "status-401", "--language", "pt-BR")
    assert (code, out) == (Code.FAILED, "")
    assert "Não consegui obter uma resposta. Tente novamente." in err
    assert "401" not in err


def test_a_call_that_was_cut_is_in_no_list(ask: Asking, monkeypatch: pytest.MonkeyPatch) -> None:
    _wait_for_nothing(monkeypatch)
    code, said = ask.json(HEIGHT, "--fault", "cut-in-arguments")
    assert (code, said["calls"], said["error"]) == (Code.FAILED, [], {"kind": "cut"})


def test_without_tools_nothing_is_called(ask: Asking) -> None:
    code, said = ask.json(HEIGHT, "--tools", "none")
    assert (code, said["calls"]) == (Code.ANSWERED, [])


def test_a_tool_choice_of_none_forbids_calls(ask: Asking) -> None:
    assert ask.json(HEIGHT, "--tool-choice", "none")[1]["calls"] == []


def test_options_before_the_command_hold_for_it(
    ask: Asking, capsys: pytest.CaptureFixture[str]
) -> None:
    run(["--dialect", "gemini", "--speed", "10000", "ask", HEIGHT, "--json"])
    assert json.loads(capsys.readouterr().out)["dialect"] == "gemini"


def test_a_stopped_message_is_code_130(ask: Asking, monkeypatch: pytest.MonkeyPatch) -> None:
    async def stopped(*_: object) -> None:
        raise asyncio.CancelledError

    monkeypatch.setattr(Session, "send", stopped)
    code, said = ask.json(HEIGHT)
    assert (code, said["ending"]) == (Code.STOPPED, "stopped")


def test_a_message_may_come_from_standard_input(
    ask: Asking, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Piped:
        def read(self) -> str:
            return HEIGHT

        def isatty(self) -> bool:
            return False

    monkeypatch.setattr("sys.stdin", Piped())
    assert "170" in ask.json("-")[1]["answer"]


def _wait_for_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.attempts.next_wait", _at_once)


def _at_once(failure: object, number: int, policy: Any, chance: float) -> float | None:
    return 0.0 if number < policy.attempts else None
