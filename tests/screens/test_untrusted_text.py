"""Does text from outside stay text? Every way in, watched at the terminal's end of the line."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from textual.widget import Widget

import app.tui
from app.tui.app import VitralApp
from app.tui.commands import CommandsScreen
from app.tui.screens.chat import ChatScreen
from app.tui.screens.choice import ChoiceDialog, Dialog
from app.tui.screens.compare import Columns
from app.tui.screens.help import HelpBody, HelpScreen
from app.tui.widgets.bars import Bar
from app.tui.widgets.call_panel import CallPanel, EmptyPanel
from app.tui.widgets.columns import Body, Column
from app.tui.widgets.key_bar import KeyBar
from app.tui.widgets.painted_lines import PaintedLines
from app.tui.widgets.playback_bar import PlaybackBar
from tests.screens.attacks import ATTACKS
from tests.screens.harm import HARM, SEEN, Attack
from tests.screens.moments import Moment, Vitral, play, vitral
from tests.screens.small_app import clickable
from tests.screens.wiretap import Wiretap, smuggled, written
from tests.stage import ScriptedSession

OURS_ALONE = {CommandsScreen, EmptyPanel, HelpScreen, HelpBody, KeyBar, PlaybackBar}
"""These show nothing but the catalogue's words."""
FRAMES = {ChatScreen, Body, Column, Columns, CallPanel, Bar, Dialog, ChoiceDialog, PaintedLines}
"""These show what stands in them, or are what others are made from."""


@asynccontextmanager
async def under(attack: Attack, home: Path) -> AsyncIterator[Vitral]:
    """The app on a terminal that is listened to, after the attack."""
    attacked: VitralApp = vitral(home)
    attacked.driver_class = Wiretap
    assert isinstance(attacked.session, ScriptedSession)
    attack.before(attacked.session)
    async with attacked.run_test(headless=False, size=attack.size, notifications=True) as pilot:
        yield await play(Moment(attack.name, attack.play), pilot)


def widgets_of_ours() -> Iterator[type[Widget]]:
    """Every widget and screen that the program has."""
    for module in pkgutil.walk_packages(app.tui.__path__, "app.tui."):
        for one in vars(importlib.import_module(module.name)).values():
            if isinstance(one, type) and issubclass(one, Widget) and one.__module__ == module.name:
                yield one


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.name)
async def test_text_from_outside_stays_text(attack: Attack, tmp_path: Path) -> None:
    async with under(attack, tmp_path) as attacked:
        assert SEEN in "\n".join(attacked.picture), "the text is not even shown"
        assert smuggled(attacked.app) == []
        assert "\x1b[31m" not in written(attacked.app)
        assert clickable(attacked.app) == []
        assert not attacked.app._exit


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.name)
async def test_the_attack_is_on_what_it_says(attack: Attack, tmp_path: Path) -> None:
    async with under(attack, tmp_path) as attacked:
        screen = attacked.app.screen
        on_screen = {type(one) for one in (screen, *screen.query("*")) if one.display}
        assert on_screen >= set(attack.shows)


def test_every_widget_is_attacked() -> None:
    attacked = {widget for attack in ATTACKS for widget in attack.shows}
    assert set(widgets_of_ours()) - attacked - OURS_ALONE - FRAMES == set()


async def test_the_wiretap_hears_what_is_not_made_safe(tmp_path: Path) -> None:
    from textual.widgets import Static

    async with under(Attack("none", (), ATTACKS[0].play), tmp_path) as attacked:
        await attacked.chat.mount(Static(HARM, markup=False))
        await attacked.still()
        assert smuggled(attacked.app) != []
