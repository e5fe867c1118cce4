"""The dialogs, driven by keys: choosing a provider, a model, a chat, and reading the help."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TypeVar

import pytest
from textual.pilot import Pilot
from textual.screen import Screen

from app.choice import Choice
from app.conversations import Conversations
from app.messages import LANGUAGES, Messages
from app.storage.rows import ChatSummary
from app.tui.actions import ACTIONS
from app.tui.actions import shown as key_shown
from app.tui.commands import open_commands
from app.tui.screens.chats import ChatsScreen
from app.tui.screens.choice import ChoiceScreen, FreeChoiceScreen, Offer
from app.tui.screens.help import HelpScreen
from app.tui.screens.key_entry import KeyScreen
from app.tui.screens.picker import PickerScreen
from app.tui.screens.preferences import language_screen, theme_screen
from app.tui.widgets.call_panel import CallPanel
from app.tui.widgets.lens_view import Lens, LensView
from providers.catalogue import ProviderOptions
from providers.credentials import Credentials
from providers.history import UserTurn
from providers.secret import Secret
from tests.screens.small_app import HOSTILE, SmallApp, acting_characters, clickable, shown

SMALL = (80, 24)
Answer = TypeVar("Answer")


class Keyring:
    """A keyring that holds what it is told."""

    def __init__(self, **keys: str) -> None:
        self.keys = keys

    def get(self, provider: str) -> str | None:
        return self.keys.get(provider)

    def put(self, provider: str, key: str) -> None:
        self.keys[provider] = key

    def delete(self, provider: str) -> bool:
        return self.keys.pop(provider, None) is not None

    def name(self) -> str:
        return "test"


class Opened(SmallApp):
    """An app on which one dialog is open; `answers` gathers what it gave."""

    def __init__(self, screen: Screen[Answer], language: str = "en") -> None:
        super().__init__(language=language)
        self.opened = screen
        self.answers: list[object] = []

    def on_mount(self) -> None:
        self.push_screen(self.opened, self.answers.append)


@asynccontextmanager
async def dialog(
    screen: Screen[Answer], *keys: str, size: tuple[int, int] = SMALL, language: str = "en"
) -> AsyncIterator[tuple[Opened, Pilot[None]]]:
    app = Opened(screen, language)
    async with app.run_test(size=size) as pilot:
        await app.workers.wait_for_complete()
        await pilot.pause()
        await pilot.press(*keys)
        await pilot.pause()
        yield app, pilot


def credentials(**keys: str) -> Credentials:
    return Credentials({"OPENAI_API_KEY": "sk-from-environment"}, Keyring(**keys))


def picker(**keys: str) -> PickerScreen:
    return PickerScreen(Messages(), credentials(**keys))


async def test_the_picker_says_where_each_key_is_from() -> None:
    async with dialog(picker(google="kept-in-the-keyring")) as (app, _):
        lines = {line.split("  ")[0].strip("✓·● "): line for line in _listed(app)}
        assert "key from OPENAI_API_KEY" in lines["OpenAI"]
        assert "key from the keyring" in lines["Google Gemini"]
        assert "no key yet" in lines["Anthropic"]
        assert "no key needed" in lines["Ollama"]


async def test_enter_twice_starts_the_simulator() -> None:
    async with dialog(picker(), "enter", "enter") as (app, _):
        (choice,) = app.answers
        assert isinstance(choice, Choice)
        assert (choice.provider, choice.fault) == ("simulator", None)


async def test_typing_filters_the_providers() -> None:
    async with dialog(picker(), *"mistr") as (app, _):
        assert [line.split()[1] for line in _listed(app)] == ["Mistral"]


async def test_a_filter_that_finds_nothing_says_so() -> None:
    async with dialog(picker(), *"zzz") as (app, _):
        assert "Nothing matches." in shown(app)


async def test_a_missing_key_can_be_typed_and_is_never_shown() -> None:
    keys = credentials()
    screen = PickerScreen(Messages(), keys)
    typed = (*"anthropic", "enter", "enter", *"sk-secret-1")
    async with dialog(screen, *typed) as (app, pilot):
        hidden = "sk-secret-1" not in shown(app)
        await pilot.press("enter", "enter")
        await pilot.pause()
        (choice,) = app.answers
        assert isinstance(choice, Choice)
        assert hidden
        assert keys._typed == {"anthropic": Secret("sk-secret-1")}


async def test_a_key_with_a_space_in_it_is_not_taken() -> None:
    async with dialog(KeyScreen(Messages(), "OpenAI"), *"sk-a", "space", *"b", "enter") as (app, _):
        assert "A key has no spaces" in shown(app)
        assert app.answers == []


async def test_a_model_that_is_not_in_the_list_can_be_typed() -> None:
    keys = (*"openai", "enter", "down", "enter", *"my-model-7", "enter", "enter")
    async with dialog(picker(), *keys) as (app, _):
        (choice,) = app.answers
        assert isinstance(choice, Choice)
        assert choice.model == "my-model-7"


async def test_the_simulator_speaks_the_dialect_that_was_chosen() -> None:
    keys = ("enter", "down", "down", "enter", "down", "down", "enter", "enter")
    async with dialog(picker(), *keys) as (app, _):
        (choice,) = app.answers
        assert isinstance(choice, Choice)
        assert choice.dialect == "anthropic"


async def test_the_current_choice_is_where_the_picker_starts() -> None:
    current = Choice("openai", dialect="openai-chat", model="gpt-4.1")
    screen = PickerScreen(Messages(), credentials(), current=current)
    async with dialog(screen, "enter", "enter") as (app, _):
        assert app.answers == [current]


async def test_escape_goes_back_one_step_and_then_leaves() -> None:
    async with dialog(picker(), "enter", "escape", "escape") as (app, _):
        assert app.answers == [None]


async def test_rows_are_as_wide_as_the_list_after_a_dialog_above_it_has_gone() -> None:
    keys = ("enter", "down", "down", "enter", "down", "down", "enter")
    async with dialog(picker(), *keys) as (app, _):
        assert "vitral-sim" in shown(app)
        assert "anthropic" in shown(app)


async def test_a_list_without_a_filter_does_not_hear_what_is_typed() -> None:
    async with dialog(picker(), "enter", *"claude") as (app, _):
        assert "Dialect" in shown(app)


async def test_after_a_fault_was_chosen_enter_starts() -> None:
    keys = ("enter", "up", "enter", *"cut-in", "enter", "enter")
    async with dialog(picker(), *keys) as (app, _):
        (choice,) = app.answers
        assert isinstance(choice, Choice)
        assert choice.fault == "cut-in-arguments"


async def test_a_provider_of_the_settings_with_a_hostile_name_is_inert() -> None:
    options = {HOSTILE: ProviderOptions(title=HOSTILE, address="http://a", model=HOSTILE)}
    screen = PickerScreen(Messages(), credentials(), options)
    async with dialog(screen, *"owned", "enter", size=(200, 24)) as (app, _):
        assert "[@click=app.quit]" in shown(app)
        assert (acting_characters(app), clickable(app)) == ([], [])


async def test_a_hostile_paste_into_a_filter_is_inert() -> None:
    from textual import events

    screen = FreeChoiceScreen(Messages(), "title", [])
    async with dialog(screen) as (app, pilot):
        app.screen.focused.post_message(events.Paste(HOSTILE))  # type: ignore[union-attr]
        await pilot.pause()
        assert (acting_characters(app), clickable(app)) == ([], [])


async def test_the_filter_ignores_case_and_accents() -> None:
    screen = ChoiceScreen(Messages(), "title", [Offer("a", "Coração"), Offer("b", "other")])
    async with dialog(screen, *"CORACAO", "enter") as (app, _):
        assert app.answers == ["a"]


@asynccontextmanager
async def stored(folder: Path, *titles: str) -> AsyncIterator[Conversations]:
    chats = Conversations(folder / "chats.db")
    for title in titles:
        await chats.new().keep(UserTurn(title))
    try:
        yield chats
    finally:
        await chats.close()


async def test_a_chat_is_found_by_its_title_and_opened(tmp_path: Path) -> None:
    async with (
        stored(tmp_path, "weights", "heights") as chats,
        dialog(ChatsScreen(Messages(), chats), *"weig", "enter") as (app, _),
    ):
        assert app.answers == [1]


async def test_a_chat_is_deleted_only_after_a_yes(tmp_path: Path) -> None:
    async with (
        stored(tmp_path, "weights") as chats,
        dialog(ChatsScreen(Messages(), chats), "ctrl+d") as (app, pilot),
    ):
        asked = (len(await chats.list()), "for good?" in shown(app))
        await pilot.press("down", "enter")
        await app.workers.wait_for_complete()
        assert (asked, await chats.list()) == ((1, True), ())


async def test_a_chat_that_is_kept_stays(tmp_path: Path) -> None:
    async with (
        stored(tmp_path, "weights") as chats,
        dialog(ChatsScreen(Messages(), chats), "ctrl+d", "enter") as (app, _),
    ):
        await app.workers.wait_for_complete()
        assert len(await chats.list()) == 1


class Tampered(Conversations):
    """A store into whose file someone wrote a title."""

    async def list(self, limit: int = 1) -> tuple[ChatSummary, ...]:
        return (ChatSummary(1, HOSTILE, started=0.0, changed=0.0, turns=1),)


async def test_a_chat_with_a_hostile_title_is_inert(tmp_path: Path) -> None:
    screen = ChatsScreen(Messages(), Tampered(tmp_path / "chats.db"))
    async with dialog(screen, "ctrl+d", size=(140, 24)) as (app, _):
        assert "[@click=app.quit]" in shown(app)
        assert (acting_characters(app), clickable(app)) == ([], [])


async def test_chats_that_cannot_be_read_are_a_sentence_and_no_crash(tmp_path: Path) -> None:
    path = tmp_path / "chats.db"
    path.write_bytes(b"this is no database, but it is long enough to look like a file" * 40)
    chats = Conversations(path)
    async with dialog(ChatsScreen(Messages(), chats)) as (app, _):
        assert "could not be read" in shown(app)
    await chats.close()


async def test_the_help_names_every_action_of_the_table() -> None:
    async with dialog(HelpScreen(Messages()), size=(100, 80)) as (app, _):
        text = shown(app)
        missing = [one.name for one in ACTIONS if key_shown(one.keys[0]) not in text]
        assert missing == []


@pytest.mark.parametrize("language", LANGUAGES)
async def test_every_language_is_listed_in_its_own_words(language: str) -> None:
    messages = Messages(language)
    async with dialog(language_screen(messages), language=language) as (app, _):
        assert all(own_name in shown(app) for own_name in LANGUAGES.values())


async def test_a_theme_is_chosen_with_the_arrows() -> None:
    async with dialog(theme_screen(Messages(), "dark"), "down", "enter") as (app, _):
        assert app.answers == ["light"]


@pytest.mark.parametrize("language", LANGUAGES)
async def test_the_picker_is_whole_at_eighty_columns_in_every_language(language: str) -> None:
    screen = PickerScreen(Messages(language), credentials())
    async with dialog(screen, language=language) as (app, _):
        keys = Messages(language)("choice.keys")
        assert keys in shown(app)


def _listed(app: SmallApp) -> list[str]:
    """The lines of the list, as they are shown."""
    marks = ("✓", "·", "●")
    return [line.strip() for line in shown(app).splitlines() if line.strip().startswith(marks)]


class Counting(SmallApp):
    """An app with two actions of the table: one its own, one that nobody implements here."""

    def __init__(self) -> None:
        super().__init__(CallPanel(Messages()))
        self.themes = 0

    def action_theme(self) -> None:
        self.themes += 1


async def test_the_palette_runs_what_was_found_by_its_name() -> None:
    app = Counting()
    async with app.run_test(size=SMALL) as pilot:
        open_commands(app, app.messages)
        await pilot.pause()
        await pilot.press(*"theme", "enter")
        await pilot.pause()
        assert app.themes == 1


async def test_the_palette_runs_an_action_of_the_panel_on_the_panel() -> None:
    app = Counting()
    async with app.run_test(size=SMALL) as pilot:
        open_commands(app, app.messages)
        await pilot.pause()
        await pilot.press(*"voices", "enter")
        await pilot.pause()
        assert app.query_one(LensView).lens is Lens.VOICES


async def test_the_palette_offers_nothing_that_cannot_be_done_here() -> None:
    app = Counting()
    async with app.run_test(size=SMALL) as pilot:
        open_commands(app, app.messages)
        await pilot.pause()
        assert "try again" not in shown(app)
