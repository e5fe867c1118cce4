"""The command line's promises: exit codes, languages, and what goes to which stream."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from app.cli import main
from app.cli.codes import Code
from app.cli.commands import COMMANDS
from app.cli.language import wanted_language
from app.cli.options import THEMES
from app.cli.running import run
from app.messages import LANGUAGES
from app.places import find_places

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def vitral(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Run:
    """Runs a command in this process: exit code, standard output, standard error."""
    for name in ("LC_ALL", "LC_MESSAGES", "OPENAI_API_KEY", "ANTHROPIC_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("VITRAL_HOME", str(tmp_path))
    monkeypatch.setenv("LANG", "en_US.UTF-8")
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.null.Keyring")

    def run_it(*arguments: str) -> tuple[int, str, str]:
        monkeypatch.setenv("LANGUAGE", "")
        code = run(arguments)
        out, err = capsys.readouterr()
        return int(code), out, err

    return run_it


def test_help_is_no_error(vitral: Run) -> None:
    code, out, err = vitral("--help")
    assert (code, err) == (Code.ANSWERED, "")
    assert "Examples:" in out


@pytest.mark.parametrize("command", [*COMMANDS, "keys set", "keys list", "keys delete"])
def test_each_command_teaches_by_example(vitral: Run, command: str) -> None:
    _, out, _ = vitral(*command.split(), "--help")
    assert f"\n  vitral {command.split()[0]} " in out.split("Examples:")[1]


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", ("Usage:", "Options:", "Show this message and exit.")),
        ("pt-BR", ("Uso:", "Opções:", "Mostrar esta ajuda e sair.")),
        ("es", ("Uso:", "Opciones:", "Mostrar esta ayuda y salir.")),
    ],
)
def test_help_speaks_the_language_that_comes_before_it(
    vitral: Run, language: str, words: tuple[str, ...]
) -> None:
    _, out, _ = vitral("--language", language, "ask", "--help")
    assert [word for word in words if word not in out] == []


@pytest.mark.parametrize("tail", [["--help", "--language", "es"], ["--language=es", "--help"]])
def test_the_language_may_stand_anywhere(vitral: Run, tail: list[str]) -> None:
    _, out, _ = vitral("decode", *tail)
    assert out.startswith("Uso: vitral decode [OPCIONES]")


def test_the_environment_chooses_the_language(vitral: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANG", "pt_BR.UTF-8")
    _, _, err = vitral("nothing")
    assert "Erro: O comando 'nothing' não existe." in err


def settle(text: str) -> None:
    places = find_places()
    places.create()
    places.settings.write_text(text, encoding="utf-8")


def test_the_language_chosen_in_the_app_comes_before_the_environment(vitral: Run) -> None:
    settle('language = "pt-BR"\n')
    _, _, err = vitral("nothing")
    assert "Erro: O comando 'nothing' não existe." in err


@pytest.mark.parametrize("settings", ["language = 3", 'language = "xx"', "language = "])
def test_a_language_that_is_none_is_not_obeyed(vitral: Run, settings: str) -> None:
    settle(settings)
    _, _, err = vitral("nothing")
    assert "Error: No such command 'nothing'." in err


def test_the_app_does_not_open_where_no_terminal_is(vitral: Run) -> None:
    code, out, err = vitral("--language", "es")
    assert (code, out) == (Code.USAGE, "")
    assert err.startswith("Error: la aplicación necesita una terminal")


def test_what_follows_two_dashes_is_no_option() -> None:
    assert wanted_language(["ask", "--", "--language", "es"]) is None


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (["nothing"], "El comando 'nothing' no existe."),
        (["ask"], "Falta el argumento 'TEXTO'."),
        (["ask", " "], "el texto está vacío"),
        (["ask", "a", "b"], "Sobra un argumento (b)"),
        (["ask", "a", "--nope"], "La opción '--nope' no existe."),
        (["ask", "a", "--fault", "nope"], "no existe el fallo 'nope'"),
        (["ask", "a", "--speed", "fast"], "'fast' no es un número válido."),
        (["ask", "a", "--provider", "nope"], "no existe el proveedor 'nope'"),
        (["ask", "a", "--provider", "openai"], "openai necesita una clave"),
        (["ask", "a", "--tools", "nope"], "no existe la herramienta 'nope'"),
        (["ask", "a", "--tool-choice", "nope"], "no existe la herramienta 'nope'"),
        (["ask", "a", "--dialect", "nope"], "'nope' no es uno de estos"),
        (["decode", "nothing.sse", "--dialect", "gemini"], "'nothing.sse' no existe."),
        (["decode", "--dialect", "gemini"], "Falta el argumento 'ARCHIVO…'."),
        (["keys", "set", "nope"], "no existe el proveedor 'nope'"),
        (["ask", "a", "--language", "xx"], "for the language 'xx'; there are en, pt-BR, es"),
    ],
)
def test_wrong_usage_is_told_on_standard_error(
    vitral: Run, arguments: list[str], error: str
) -> None:
    language = [] if "--language" in arguments else ["--language", "es"]
    code, out, err = vitral(*language, *arguments)
    assert (code, out) == (Code.USAGE, "")
    assert error in err


def test_an_argument_cannot_drive_the_terminal(vitral: Run) -> None:
    _, _, err = vitral("ask", "a", "--provider", "\x1b]0;title\x07\u202e")
    assert "\x1b" not in err
    assert "\u202e" not in err


def test_a_key_comes_from_standard_input_and_is_never_printed(
    vitral: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", _Piped("sk-do-not-print-me\n"))
    code, out, err = vitral("keys", "set", "openai")
    assert (code, out) == (Code.FAILED, "")
    assert "OPENAI_API_KEY" in err
    assert "sk-do-not-print-me" not in err


def test_an_empty_key_is_wrong_usage(vitral: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", _Piped("\n"))
    assert vitral("keys", "set", "openai")[0] == Code.USAGE


def test_keys_are_listed_without_the_keys(vitral: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-do-not-print-me")
    _, out, _ = vitral("keys", "list", "--json")
    listed = {line["provider"]: line for line in map(json.loads, out.splitlines())}
    assert listed["anthropic"] == {
        "provider": "anthropic",
        "needs_key": True,
        "source": "environment",
        "variable": "ANTHROPIC_API_KEY",
    }
    assert "sk-do-not-print-me" not in out


def test_a_key_that_the_environment_holds_is_not_ours_to_delete(
    vitral: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-do-not-print-me")
    _, _, err = vitral("keys", "delete", "anthropic")
    assert "ANTHROPIC_API_KEY" in err


def test_each_tool_is_described_in_each_dialect(vitral: Run) -> None:
    _, out, _ = vitral("tools", "--json")
    first = json.loads(out.splitlines()[0])
    assert first["name"] == "lookup_demo_value"
    assert first["schemas"].keys() == first["tokens"].keys()
    assert "functionDeclarations" in first["schemas"]["gemini"]
    assert first["schemas"]["anthropic"]["input_schema"]["required"] == ["key"]


def test_tools_are_listed_for_people_too(vitral: Run) -> None:
    _, out, _ = vitral("tools", "--language", "pt-BR", "--dialect", "anthropic")
    assert "lookup_demo_value  (só lê)" in out
    assert '"input_schema"' in out


TOO_ALIKE = '''
from pydantic import BaseModel
from tools.tool import ToolContext, tool

class Wanted(BaseModel):
    text: str

@tool
def search_code(arguments: Wanted, context: ToolContext) -> str:
    """Looks for a text in the program's source and gives the lines that hold it."""
    return ""

@tool
def find_in_files(arguments: Wanted, context: ToolContext) -> str:
    """Finds."""
    return ""
'''


def with_tools_too_alike(home: Path) -> None:
    (home / "own").mkdir()
    (home / "own" / "alike.py").write_text(TOO_ALIKE, "utf-8")
    (home / "config").mkdir()
    (home / "config" / "settings.toml").write_text(
        f"tools_folder = {json.dumps(str(home / 'own'))}\n", "utf-8"
    )


def test_tools_that_a_model_would_confuse_are_told(vitral: Run, tmp_path: Path) -> None:
    with_tools_too_alike(tmp_path)
    _, out, err = vitral("tools")
    assert "search_code / find_in_files are so alike" in err
    assert "the description of find_in_files does not say what it is for" in err
    assert "To mend" not in out


def test_programs_hear_of_each_tool_what_to_mend(vitral: Run, tmp_path: Path) -> None:
    with_tools_too_alike(tmp_path)
    _, out, _ = vitral("tools", "--json")
    warnings = {one["name"]: one["warnings"] for one in map(json.loads, out.splitlines())}
    assert warnings["calculate"] == []
    assert {"kind": "no_purpose", "tools": ["find_in_files"]} in warnings["find_in_files"]


def test_the_tools_that_come_with_the_program_need_no_mending(vitral: Run) -> None:
    assert vitral("tools")[2] == ""


def test_the_version_is_told(vitral: Run) -> None:
    assert vitral("--version")[1].startswith("vitral, version ")


def test_an_unexpected_error_is_told_by_its_code_alone(
    vitral: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tools.demo.demo_toolbox", _explode)
    code, out, err = vitral("tools")
    assert (code, out) == (Code.FAILED, "")
    assert "secret detail" not in err
    assert len(err.rsplit("Code: ", 1)[1].strip()) == 4


@pytest.mark.parametrize(
    ("arguments", "choice", "theme"),
    [
        ([], "simulator", None),
        (["--provider", "anthropic", "--theme", "light"], "anthropic", "light"),
    ],
)
def test_without_a_command_the_app_opens(
    vitral: Run,
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    choice: str,
    theme: str | None,
) -> None:
    opened: list[tuple[str, str | None]] = []

    def run_app(session: object, *, theme: str | None = None) -> int:
        opened.append((session.choice.provider, theme))  # type: ignore[attr-defined]
        return 0

    for stream in (sys.stdin, sys.stderr):
        monkeypatch.setattr(stream, "isatty", lambda: True)
    monkeypatch.setattr("app.tui.app.run_app", run_app)
    monkeypatch.setattr("sys.argv", ["vitral", *arguments])
    with pytest.raises(SystemExit) as end:
        main()
    assert (end.value.code, opened) == (0, [(choice, theme)])


def test_the_themes_are_those_of_the_app() -> None:
    from app.tui import themes

    assert set(THEMES) == set(themes.THEMES)


@pytest.mark.parametrize("arguments", [["--help"], ["decode", "--dialect", "gemini", "-"]])
def test_a_reader_that_has_gone_is_no_traceback(arguments: list[str]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        process = subprocess.run(
            [sys.executable, "-m", "app", *arguments],
            stdout=writing,
            stderr=subprocess.PIPE,
            input=b"",
            cwd=Path(__file__).parents[2],
            check=False,
        )
    finally:
        os.close(writing)
    assert (process.returncode, process.stderr) == (Code.PIPE_CLOSED, b"")


def test_every_language_has_a_name_for_itself() -> None:
    assert all(LANGUAGES.values())


def _explode() -> None:
    raise RuntimeError("secret detail")


class _Piped:
    """Standard input in a pipe."""

    def __init__(self, text: str) -> None:
        self._text = text

    def isatty(self) -> bool:
        return False

    def readline(self) -> str:
        return self._text


def test_what_the_system_refuses_is_told_in_words(
    vitral: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse() -> None:
        raise PermissionError(errno.EACCES, "Permission denied", "the shelf")

    monkeypatch.setattr("tools.demo.demo_toolbox", refuse)
    code, _, err = vitral("tools")
    assert code == Code.FAILED
    assert "the system refused: the shelf: Permission denied" in err


def test_a_home_that_is_no_folder_is_told_in_words(
    vitral: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "a file"
    home.write_text("no folder", "utf-8")
    monkeypatch.setenv("VITRAL_HOME", str(home))
    code, _, err = vitral("ask", "Hello")
    assert code == Code.FAILED
    assert "This chat could not be stored" in err


def test_an_error_that_cannot_be_written_down_promises_no_code(
    vitral: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "state" / "diagnostics.jsonl").mkdir(parents=True)
    monkeypatch.setattr("tools.demo.demo_toolbox", _explode)
    _, _, err = vitral("tools")
    assert "Code: " not in err


@pytest.mark.parametrize("closed", ["stdin", "stdout", "stderr"])
def test_a_stream_that_was_closed_is_no_error(
    vitral: Run, monkeypatch: pytest.MonkeyPatch, closed: str
) -> None:
    monkeypatch.setattr(sys, closed, None)
    assert vitral("tools", "--json")[0] == Code.ANSWERED


def test_what_a_tool_prints_goes_to_standard_error_and_is_safe(vitral: Run, tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text("print('read: \\x1b[31m')", "utf-8")
    settings = find_places().settings
    settings.parent.mkdir(parents=True, exist_ok=True)
    settings.write_text(f"tools_folder = {json.dumps(str(tmp_path))}", "utf-8")
    _, out, err = vitral("tools", "--json")
    assert all(json.loads(line)["name"] for line in out.splitlines())
    assert "read: ␛[31m" in err
