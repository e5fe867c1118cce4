"""One table for every action: each has words, a key of its own, and something that does it."""

from __future__ import annotations

import pytest

from app.messages import LANGUAGES, Messages
from app.tui.actions import ACTIONS, Action, Where, shown
from app.tui.app import VitralApp
from app.tui.screens.chat import ChatScreen

BY_TEXT_AREA = {"send", "new_line", "history_back", "history_forward"}
BY_TEXTUAL = {"copy_selection"}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("action", ACTIONS, ids=lambda action: action.name)
def test_each_action_has_a_name_and_a_line_in_the_help(action: Action, language: str) -> None:
    messages = Messages(language)
    for key in (action.title, action.help, f"actions.where.{action.where.value}"):
        assert messages(key) != key


@pytest.mark.parametrize("where", Where)
def test_no_key_means_two_things_in_one_place(where: Where) -> None:
    keys = [key for one in ACTIONS if one.where in (where, Where.ANYWHERE) for key in one.keys]
    assert len(keys) == len(set(keys))


@pytest.mark.parametrize(
    "action",
    [one for one in ACTIONS if one.where in (Where.ANYWHERE, Where.CHAT)],
    ids=lambda action: action.name,
)
def test_each_action_is_bound_to_the_node_that_does_it(action: Action) -> None:
    if action.name in BY_TEXTUAL:
        return
    bound = [
        node
        for node in (ChatScreen, VitralApp)
        if any(
            one.action == action.name
            for one in node._merge_bindings().key_to_bindings.get(action.keys[0], [])
        )
    ]
    assert len(bound) == 1
    assert hasattr(bound[0], f"action_{action.name}")


@pytest.mark.parametrize(
    ("key", "written"),
    [("ctrl+p", "^P"), ("f1", "F1"), ("escape", "Esc"), ("shift+enter", "⇧↵"), ("pageup", "PgUp")],
)
def test_keys_are_written_as_people_write_them(key: str, written: str) -> None:
    assert shown(key) == written
