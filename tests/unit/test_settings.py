"""The settings' file: read with its mistakes named, written with its comments kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.messages import LANGUAGES, Messages
from app.settings import Settings
from app.settings_file import (
    SettingsProblem,
    SettingsUnwritable,
    Wanted,
    change_settings,
    line_of,
    load_settings,
    read_settings,
)
from providers.catalogue import ProviderOptions
from providers.transport import Timeouts
from tests.talking import CANARY

WHOLE = """
# mine
language = "pt-BR"
theme = "light"
log_content = true

[timeouts]
silence = 60

[simulator]
speed = 4

[panel]
raw = true

[providers.mine]
dialect = "anthropic"
address = "http://mine.invalid"
headers = { x-team = "glass" }
"""


def test_a_file_that_is_not_there_is_an_empty_one(tmp_path: Path) -> None:
    loaded = load_settings(tmp_path / "settings.toml")
    assert (loaded.settings, loaded.problems) == (Settings(), ())


def test_a_whole_file_is_read() -> None:
    loaded = read_settings(WHOLE)
    assert loaded.problems == ()
    assert (loaded.settings.language, loaded.settings.panel.raw) == ("pt-BR", True)
    assert loaded.settings.connection_timeouts == Timeouts(connect=10, silence=60)
    assert loaded.settings.provider_options == {
        "mine": ProviderOptions(
            dialect="anthropic", address="http://mine.invalid", headers={"x-team": "glass"}
        )
    }


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("theme = 3", SettingsProblem(1, "theme", Wanted.TEXT, "3")),
        ("\n\nlog_content = 'yes'", SettingsProblem(3, "log_content", Wanted.YES_OR_NO, '"yes"')),
        ("colour = 'red'", SettingsProblem(1, "colour", Wanted.KNOWN_KEY)),
        ("panel = 1", SettingsProblem(1, "panel", Wanted.TABLE, "1")),
        (
            "[timeouts]\nsilence = -1",
            SettingsProblem(2, "timeouts.silence", Wanted.NUMBER_IN_RANGE, "-1"),
        ),
        (
            "[simulator]\nspeed = 'fast'",
            SettingsProblem(2, "simulator.speed", Wanted.NUMBER, '"fast"'),
        ),
        (
            "language = 'tlh'",
            SettingsProblem(1, "language", Wanted.ONE_OF, '"tlh"', ("en", "pt-BR", "es")),
        ),
        (
            "[simulator]\nspeed = -1",
            SettingsProblem(2, "simulator.speed", Wanted.NUMBER_IN_RANGE, "-1"),
        ),
        ("a = = 1", SettingsProblem(1, "", Wanted.TOML)),
        ("theme = 'x'\nb = [", SettingsProblem(2, "", Wanted.TOML)),
    ],
)
def test_a_mistake_is_named_with_its_line(text: str, problem: SettingsProblem) -> None:
    assert read_settings(text).problems == (problem,)


def test_a_dialect_that_we_do_not_speak_names_those_that_we_do() -> None:
    (problem,) = read_settings("[providers.mine]\ndialect = 'morse'").problems
    assert (problem.line, problem.wanted) == (2, Wanted.ONE_OF)
    assert "anthropic" in problem.choices


def test_what_is_right_beside_the_mistakes_counts() -> None:
    loaded = read_settings(
        "theme = 'light'\ncolour = 1\nmodel = 2\n[panel]\nraw = 'x'\nshown = false"
    )
    assert (loaded.settings.theme, loaded.settings.panel.shown) == ("light", False)
    assert [problem.key for problem in loaded.problems] == ["model", "panel.raw", "colour"]


def test_a_file_that_cannot_be_read_is_a_problem_and_no_exception(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    path.write_bytes(b"theme = '\xff'")
    (problem,) = load_settings(path).problems
    assert problem.wanted is Wanted.READABLE


@pytest.mark.parametrize(
    "text",
    [
        f"[providers.openai]\nkey = '{CANARY}'",
        f"[providers.openai.headers]\nauthorization = ['{CANARY}']",
        f"[providers.openai]\nheaders = '{CANARY}'",
        f"broken = '{CANARY}",
    ],
)
def test_a_key_in_the_wrong_place_is_never_repeated(text: str) -> None:
    problems = read_settings(text).problems
    assert problems
    assert CANARY not in repr(problems)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("wanted", Wanted)
def test_every_mistake_has_words_in_every_language(language: str, wanted: Wanted) -> None:
    problem = SettingsProblem(4, "panel.raw", wanted, "3", ("a", "b"))
    said = problem.describe(Messages(language))
    assert "settings." not in said
    assert "4" in said


@pytest.mark.parametrize(
    ("path", "line"),
    [
        (("a",), 1),
        (("t",), 2),
        (("t", "b"), 3),
        (("t", "missing"), 2),
        (("t", "q r", "c"), 5),
        (("d", "e"), None),
    ],
)
def test_the_line_of_a_key_is_found(path: tuple[str, ...], line: int | None) -> None:
    assert line_of("a = 1\n[t]\nb = 2\n[t.'q r']\nc.d = 3\n", path) == line


def test_a_change_keeps_comments_and_all_else(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    path.write_text(WHOLE)
    change_settings(path, {"theme": "dark", "timeouts.connect": 5.0})
    text = path.read_text()
    assert text.startswith("\n# mine\n")
    assert (
        read_settings(text).settings
        == read_settings(
            WHOLE.replace("light", "dark").replace("silence = 60", "silence = 60\nconnect = 5.0")
        ).settings
    )


def test_a_change_makes_the_file_and_its_tables(tmp_path: Path) -> None:
    path = tmp_path / "new" / "settings.toml"
    change_settings(path, {"panel.shown": False})
    assert load_settings(path).settings.panel.shown is False


def test_none_takes_a_key_out(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    path.write_text("theme = 'dark' # why not\nmodel = 'm'\n")
    change_settings(path, {"theme": None, "panel.raw": None})
    assert path.read_text() == "model = 'm'\n"


def test_a_file_with_a_mistake_in_its_syntax_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    path.write_text("a = = 1\n")
    with pytest.raises(SettingsUnwritable):
        change_settings(path, {"theme": "dark"})
    assert path.read_text() == "a = = 1\n"


def test_a_link_to_the_settings_stays_one(tmp_path: Path) -> None:
    real, link = tmp_path / "real.toml", tmp_path / "settings.toml"
    real.write_text("")
    try:
        link.symlink_to(real)
    except OSError:
        pytest.skip("this system makes no links for everyone")
    change_settings(link, {"theme": "dark"})
    assert link.is_symlink()
    assert load_settings(real).settings.theme == "dark"


def test_tools_and_the_role_are_the_persons_to_set() -> None:
    loaded = read_settings(
        'role = "viewer"\ntools_folder = "~/tools"\n[tools.delete_file]\npermission = "deny"\n'
    )
    assert loaded.problems == ()
    assert (loaded.settings.role, loaded.settings.tools_folder) == ("viewer", "~/tools")
    assert loaded.settings.tools["delete_file"].permission == "deny"


def test_a_permission_that_is_none_is_named_and_the_tool_still_asks() -> None:
    loaded = read_settings('[tools.delete_file]\npermission = "yes"\n')
    assert [(problem.line, problem.wanted, problem.choices) for problem in loaded.problems] == [
        (2, Wanted.ONE_OF, ("ask", "allow", "deny"))
    ]
    assert loaded.settings.tools["delete_file"].permission == "ask"


def test_brackets_without_end_are_a_mistake_and_no_exception() -> None:
    loaded = read_settings("a = " + "[" * 100_000)
    assert loaded.problems == (SettingsProblem(None, "", Wanted.TOML),)


def test_a_file_that_is_nested_too_deeply_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    path.write_text("a = " + "[" * 100_000, "utf-8")
    with pytest.raises(SettingsUnwritable):
        change_settings(path, {"theme": "light"})
