"""Whatever a call, a message or an action can be has words in every language."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from app.call_views import CallState
from app.events import Ending
from app.messages import LANGUAGES, Messages
from app.tui.actions import ACTIONS, Where
from app.tui.activity import Activity
from tools.call import ErrorKind
from tools.likeness import Kind

LOOKED_AT = {Ending.ANSWERED, Ending.STOPPED, Ending.FAILED}
"""The endings that the chat words in another way."""

FAMILIES: dict[str, Iterable[str]] = {
    "panel.error": ErrorKind,
    "cli.ask.error": ErrorKind,
    "panel.state": CallState,
    "chat.activity": Activity,
    "chat.ended": set(Ending) - LOOKED_AT,
    "actions.where": Where,
    "cli.tools.warning": Kind,
    "action": [action.name for action in ACTIONS],
}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("family", FAMILIES)
def test_every_kind_has_words(language: str, family: str) -> None:
    messages = Messages(language)
    keys = [f"{family}.{kind}" for kind in FAMILIES[family]]
    assert [key for key in keys if messages(key) == key] == []
