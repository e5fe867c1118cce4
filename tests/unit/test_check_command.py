"""`vitral check`: what it prints, asks, writes and returns."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from xml.etree import ElementTree as Xml

import pytest

from app.checking.quirks import chat, gemini
from app.checking.suite import CHECKS
from app.checking.verdicts import Outcome
from app.cli.codes import Code
from app.cli.running import run
from app.messages import LANGUAGES, Messages
from providers.failures import FailureKind
from tests.sdk.lab import HEALTHY, Lab, running_lab

Check = Callable[..., tuple[int, str, str]]


@pytest.fixture
def check(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Check:
    monkeypatch.setenv("VITRAL_HOME", str(tmp_path))
    monkeypatch.setenv("LANGUAGE", "en")
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.null.Keyring")

    def checked(*arguments: str) -> tuple[int, str, str]:
        code = run(["check", *arguments])
        out, err = capsys.readouterr()
        return int(code), out, err

    return checked


@pytest.fixture(scope="module")
def lab() -> Iterator[Lab]:
    with running_lab() as lab:
        yield lab


def test_the_table_has_a_row_for_each_check(check: Check) -> None:
    code, out, err = check()
    head, *rows, _ = out.splitlines()
    assert (code, head) == (Code.ANSWERED, "Vitral · openai-responses · vitral-sim")
    assert len(rows) == len(CHECKS)
    assert err.startswith("18 short requests, about ")


def test_the_columns_of_the_table_stand_below_one_another(check: Check) -> None:
    _, out, _ = check("--only", "text", "--only", "wrong-key")
    _, one, other, _ = out.splitlines()
    assert one.index("Plain answer") == other.index("Wrong key")


def test_the_json_is_one_object(check: Check) -> None:
    code, out, err = check("--json", "--dialect", "openai-chat", "--model", "quirk-index-0")
    said = json.loads(out)
    assert (code, err, said["right"]) == (Code.ANSWERED, "", True)
    assert said["quirks"] == [{"dialect": "openai-chat", "number": 2, "name": "index-0"}]
    assert [one["name"] for one in said["checks"]] == [one.name for one in CHECKS]


def test_something_wrong_is_code_1(check: Check) -> None:
    code, out, _ = check("--dialect", "openai-chat", "--model", "quirk-error-inside")
    assert code == Code.FAILED
    assert "✗ wrong" in out
    assert "13 · an error comes inside a stream that had begun well" in out


def test_a_provider_that_answers_nobody_ends_with_a_clear_sentence(check: Check) -> None:
    code, out, err = check("--fault", "status-401", "--language", "pt-BR")
    assert code == Code.FAILED
    assert (
        "Uma simples pergunta ficou sem resposta: a chave é recusada. Nada mais foi perguntado."
        in err
    )
    assert "401" not in out + err


def test_a_check_that_there_is_not_is_a_mistake_of_usage(check: Check) -> None:
    code, _, err = check("--only", "juggling")
    assert code == Code.USAGE
    assert "parallel-calls" in err


@pytest.mark.parametrize("extra", [(), ("--json",)])
def test_what_may_cost_money_needs_a_yes(
    check: Check, monkeypatch: pytest.MonkeyPatch, extra: tuple[str, ...]
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-never-sent-anywhere")
    code, _, err = check("--provider", "openai", *extra)
    assert code == Code.USAGE
    assert "--yes" in err


@pytest.mark.parametrize("dialect", ["openai-chat", "anthropic"])
def test_a_server_on_a_socket_is_checked_at_its_address(
    check: Check, lab: Lab, dialect: str
) -> None:
    provider = {"openai-chat": "ollama", "anthropic": "anthropic"}[dialect]
    address = lab.at(HEALTHY, "/v1" if dialect == "openai-chat" else "")
    code, out, _ = check(
        "--provider", provider, "--base-url", address, "--model", "vitral-sim", "--json"
    )
    said = json.loads(out)
    assert (code, said["counts"]["failed"], said["dialect"]) == (Code.ANSWERED, 0, dialect)


def test_the_junit_file_has_a_case_for_each_check(check: Check, tmp_path: Path) -> None:
    file = tmp_path / "report.xml"
    check("--junit", str(file))
    suite = Xml.parse(file).getroot().find("testsuite")
    assert suite is not None
    assert [case.get("name") for case in suite.iter("testcase")] == [one.name for one in CHECKS]
    assert (suite.get("tests"), suite.get("failures"), suite.get("skipped")) == ("20", "0", "1")


def test_the_junit_file_tells_what_is_wrong_in_the_persons_words(
    check: Check, tmp_path: Path
) -> None:
    file = tmp_path / "report.xml"
    check("--fault", "status-401", "--junit", str(file), "--language", "es")
    failure = Xml.parse(file).getroot().find("testsuite/testcase/failure")
    assert failure is not None
    assert (failure.get("type"), failure.text) == (
        "no_answer",
        "Respuesta simple: mal: sin respuesta: la clave se rechaza",
    )


def test_a_file_that_cannot_be_written_is_told_before_anything_is_asked(
    check: Check, tmp_path: Path
) -> None:
    code, out, err = check("--junit", str(tmp_path / "nowhere" / "report.xml"))
    assert (code, out) == (Code.USAGE, "")
    assert "report.xml" in err


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_check_outcome_quirk_and_kind_has_words(language: str) -> None:
    texts = Messages(language)
    keys = [
        *(f"check.name.{one.name}" for one in CHECKS),
        *(f"check.outcome.{outcome}" for outcome in Outcome),
        *(f"check.kind.{kind}" for kind in FailureKind),
        *(f"check.quirk.{s.quirk.dialect}.{s.quirk.name}" for s in chat.SIGNS),
        *(f"check.quirk.{s.quirk.dialect}.{s.quirk.name}" for s in gemini.SIGNS),
    ]
    assert [key for key in keys if texts(key) == key] == []
