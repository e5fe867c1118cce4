"""Which tools are on: the settings switch them, the person's own stand at the end."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.messages import LANGUAGES, Messages
from app.own_tools import describe_problem
from app.permissions import Rule
from app.settings import Settings
from app.settings_file import load_settings, read_settings
from app.tool_shelf import ToolShelf
from tests.journeys.crash import OWN_TOOL
from tests.sessions import session_in
from tools.demo import demo_toolbox
from tools.own import OwnToolProblem, Trouble


def shelf(toml: str = "", only: tuple[str, ...] | None = None) -> ToolShelf:
    loaded = read_settings(toml)
    assert loaded.problems == ()
    return ToolShelf(loaded.settings, only)


def test_without_settings_all_demo_tools_are_on_and_ask() -> None:
    whole = shelf()
    assert whole.on.names == demo_toolbox().names
    assert whole.rule("delete_file") is Rule.ASK


def test_a_tool_is_switched_off_and_another_one_denied() -> None:
    some = shelf('[tools.calculate]\nenabled = false\n[tools.delete_file]\npermission = "deny"\n')
    assert "calculate" not in some.on
    assert "calculate" in some.whole
    assert some.rule("delete_file") is Rule.DENY


def test_what_is_asked_for_narrows_what_is_on() -> None:
    assert shelf(only=("calculate", "read_file")).on.names == ("calculate", "read_file")


def test_own_tools_come_last_and_their_troubles_are_told(tmp_path: Path) -> None:
    (tmp_path / "lines.py").write_text(OWN_TOOL)
    (tmp_path / "broken.py").write_text("1 / 0")
    own = ToolShelf(Settings(tools_folder=str(tmp_path)))
    assert own.whole.names == (*demo_toolbox().names, "append_line")
    assert [problem.trouble for problem in own.own.problems] == [Trouble.FAILED]


def test_each_tool_says_what_it_costs() -> None:
    assert all(standing.tokens > 20 for standing in shelf().standings())


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("trouble", Trouble)
def test_each_trouble_has_its_words(language: str, trouble: Trouble) -> None:
    said = describe_problem(
        OwnToolProblem(Path("a/b.py"), trouble, "detail", 3), Messages(language)
    )
    assert "b.py:3" in said
    assert "own_tools" not in said


def test_a_change_of_a_tool_holds_at_once_and_in_the_file(tmp_path: Path) -> None:
    session = session_in(tmp_path)
    before = session.agent
    session.change_tool("calculate", enabled=False)
    session.change_tool("delete_file", permission="allow")
    assert "calculate" not in session.agent.toolbox
    assert session.agent is not before
    assert session.shelf.rule("delete_file") is Rule.ALLOW
    stored = load_settings(session.places.settings).settings
    assert (stored.tools["calculate"].enabled, stored.tools["delete_file"].permission) == (
        False,
        "allow",
    )


def test_a_new_role_holds_for_the_next_message(tmp_path: Path) -> None:
    session = session_in(tmp_path)
    session.change(role="viewer")
    assert session.agent.context.role == "viewer"


def test_a_tilde_in_the_folder_of_own_tools_is_the_persons_home(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "lines.py").write_text(OWN_TOOL)
    assert "append_line" in shelf('tools_folder = "~/mine"\n').whole
