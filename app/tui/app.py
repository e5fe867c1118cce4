"""The program on the screen: themes, the screens, and what is chosen for all of them.

Composes and nothing else. What a message does is the chat screen's, whom to ask the session's.
"""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable
from functools import partial
from typing import ClassVar

from textual.app import App
from textual.binding import BindingType

from app.choice import Choice
from app.messages import Messages
from app.safe_text import safe
from app.session import Session
from app.settings_file import SettingsUnwritable
from app.struck import Struck
from app.tui.actions import Where, actions, bindings
from app.tui.screens.chat import ChatScreen
from app.tui.signals import end_on_signals
from app.tui.themes import DEFAULT, THEMES, accent_of, colours_of, textual_theme

_OURS = (
    "help",
    "commands",
    "provider",
    "chats",
    "tools",
    "tool_choice",
    "scene",
    "faults",
    "theme",
    "language",
)

_FIRST = ("quit", "compare")
"""The actions whose keys are heard before any widget hears them."""


class VitralApp(App[None]):
    """Shows one session."""

    CSS_PATH = ["vitral.tcss", "panel.tcss", "screens.tcss"]  # noqa: RUF012 - Textual's type
    ENABLE_COMMAND_PALETTE = False  # ours is one of our own dialogs
    TITLE = "Vitral"
    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings(action for action in actions(Where.ANYWHERE) if action.name in _OURS),
        # Over a dialog too, which keeps all other keys to itself; F6 is the composer's otherwise.
        *bindings((one for one in actions(Where.ANYWHERE) if one.name in _FIRST), priority=True),
    ]

    def __init__(self, session: Session, *, theme: str | None = None) -> None:
        self.session = session
        self._struck = Struck()
        session.keep_struck = self._struck.keep
        self._leaving = False
        super().__init__()
        for colours in THEMES.values():
            self.register_theme(textual_theme(colours))
        wanted = theme or session.settings.theme
        self.theme = wanted if wanted in THEMES else DEFAULT

    @property
    def messages(self) -> Messages:
        """The texts of the language that is shown."""
        return self.session.messages

    def get_css_variables(self) -> dict[str, str]:
        voice = colours_of(self).voice(accent_of(self.session))
        return {**super().get_css_variables(), "voice": voice}

    def get_default_screen(self) -> ChatScreen:
        return ChatScreen(self.session)

    def on_mount(self) -> None:
        if self.session.choice.scene is not None:
            self.run_worker(self._offer_opening(), exclusive=True, group="scenes")

    async def on_unmount(self) -> None:
        await self.session.close()

    @property
    def _chat(self) -> ChatScreen | None:
        screens = (one for one in self.screen_stack if isinstance(one, ChatScreen))
        return next(screens, None)

    # --- actions

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Nothing of the app begins once it ends: a dialog would come up without its widgets."""
        return not self._leaving and super().check_action(action, parameters)

    async def action_quit(self) -> None:
        self._leaving = True
        await super().action_quit()

    def action_help(self) -> None:
        from app.tui.screens.help import HelpScreen

        self.push_screen(HelpScreen(self.messages))

    def action_commands(self) -> None:
        from app.tui.commands import open_commands

        open_commands(self, self.messages)

    def action_help_quit(self) -> None:
        """Ctrl+C with nothing to copy: say how to leave."""
        self.notify(self.messages("app.how_to_quit"), markup=False, timeout=3)

    def action_provider(self) -> None:
        """Choose whom to ask."""
        from app.tui.screens.picker import PickerScreen

        session = self.session
        options = session.settings.provider_options
        screen = PickerScreen(self.messages, session.credentials, options, session.choice)
        self.push_screen(screen, self._take_provider)

    def _take_provider(self, choice: Choice | None) -> None:
        if choice is not None:
            self.run_worker(self._choose(choice), exclusive=True, group="provider")

    async def _choose(self, choice: Choice) -> None:
        from providers.catalogue import CatalogueError

        try:
            await self.session.choose(choice)
        except CatalogueError:
            self.notify(self.messages("app.not_chosen"), severity="warning", markup=False)
            return
        self.refresh_css()
        if self._chat is not None:
            self._chat.show_origin()
            await self._offer_opening()

    def action_chats(self) -> None:
        """Choose an earlier chat."""
        from app.tui.screens.chats import ChatsScreen

        if self._chat is not None and not self._chat.working:
            open_now = self.session.chat.id if self.session.history else None
            screen = ChatsScreen(self.messages, self.session.store, open_now)
            self.push_screen(screen, self._take_chat)

    def _take_chat(self, chat_id: int | None) -> None:
        if chat_id is not None:
            self.run_worker(self._open(chat_id), exclusive=True, group="chats")

    async def _open(self, chat_id: int) -> None:
        from app.conversations import NoSuchChatError

        try:
            await self.session.open_chat(chat_id)
        except NoSuchChatError:
            self.notify(self.messages("app.no_such_chat"), severity="warning", markup=False)
            return
        if self._chat is not None:
            self._chat.show_chat()

    def action_tools(self) -> None:
        """Switch tools on and off, and say which writes are asked for."""
        from app.tui.screens.tools import ToolsScreen

        self.push_screen(ToolsScreen(self.messages, self.session), lambda _: self._show_cost())

    def _show_cost(self) -> None:
        if self._chat is not None:
            self.run_worker(self._chat.show_cost(), exclusive=True, group="tools")

    def action_tool_choice(self) -> None:
        """Say whether the model must call a tool, and which."""
        self.run_worker(self._open_tool_choice(), exclusive=True, group="tools")

    async def _open_tool_choice(self) -> None:
        from app.tui.screens.tool_choice import tool_choice_screen

        tools = await asyncio.to_thread(lambda: self.session.toolbox.names)
        screen = tool_choice_screen(self.messages, self.session.tool_choice, tools)
        self.push_screen(screen, self._take_tool_choice)

    def _take_tool_choice(self, wanted: str | None) -> None:
        from providers.request import tool_choice_of

        if wanted is not None:
            self.session.tool_choice = tool_choice_of(wanted)
            self._show_cost()

    def action_scene(self) -> None:
        """Choose a scene for the simulator to play."""
        if self._chat is not None and not self._chat.working:
            self.run_worker(self._show_scenes(), exclusive=True, group="scenes")

    async def _show_scenes(self) -> None:
        from app.tui.screens.scenes import scenes_screen

        screen = await scenes_screen(self.messages, self.session.choice.scene)
        self.push_screen(screen, self._take_scene)

    def _take_scene(self, name: str | None) -> None:
        from app.tui.screens.scenes import playing

        if name is not None:
            self._take_provider(playing(self.session.choice, name))

    async def _offer_opening(self) -> None:
        """Put the first message of the scene that plays, if one does, into the composer; say so
        when a file that it reads is not there."""
        from app.scene_files import missing_files
        from providers.catalogue import load_scene

        name, session = self.session.choice.scene, self.session
        if name is None or self._chat is None:
            return
        scene = await asyncio.to_thread(load_scene, name)
        self._chat.offer(scene.opening(self.messages.language))
        missing = await asyncio.to_thread(missing_files, scene, session.settings, session.places)
        if missing:
            said = self.messages("scene.files_missing", files=safe(", ".join(missing)))
            self.notify(said, severity="warning", markup=False)

    def action_faults(self) -> None:
        """Let the next messages go wrong, and see what came of the last ones."""
        from app.tui.screens.faults import FaultsScreen

        if self._chat is not None and not self._chat.working:
            screen = FaultsScreen(self.messages, self.session.choice, self._struck)
            self.push_screen(screen, self._take_provider)

    def action_compare(self) -> None:
        """Ask several providers the same thing, side by side."""
        from app.tui.screens.compare import CompareScreen

        if self._chat is not None and self.screen is self._chat:
            self.push_screen(CompareScreen(self.session))

    def action_theme(self) -> None:
        from app.tui.screens.preferences import theme_screen

        self.push_screen(theme_screen(self.messages, self.theme), self._take_theme)

    def _take_theme(self, name: str | None) -> None:
        if name is not None and name in THEMES:
            self.theme = name
            self.run_worker(self._remember(partial(self.session.change, theme=name)))

    def action_language(self) -> None:
        from app.tui.screens.preferences import language_screen

        self.push_screen(language_screen(self.messages), self._take_language)

    def _take_language(self, name: str | None) -> None:
        if name is not None:
            self.run_worker(self._speak(name))

    async def _speak(self, language: str) -> None:
        await self._remember(partial(self.session.speak, language))
        if self._chat is not None:
            self._chat.relabel()

    async def _remember(self, change: Callable[[], None]) -> None:
        """Make a change that is written to the settings; say so when it cannot be."""
        try:
            await asyncio.to_thread(change)
        except SettingsUnwritable:
            self.notify(self.messages("app.not_remembered"), severity="warning", markup=False)


def spare_collector() -> None:
    """Take what is loaded out of the garbage collector's sight: a full collection goes through
    all modules and classes, which alone is longer than a frame."""
    gc.collect()
    gc.freeze()


def run_app(session: Session, *, theme: str | None = None) -> int:
    """Show the session until the person leaves; the exit code."""
    app = VitralApp(session, theme=theme)
    app.call_later(app.call_after_refresh, spare_collector)
    app.call_later(end_on_signals, app)
    app.run()
    return app.return_code or 0
