"""Which of the stored chats to open? A list by the time of the last change, with deletion."""

from __future__ import annotations

import sqlite3
import time
from typing import ClassVar

from textual.binding import Binding, BindingType

from app.conversations import Conversations
from app.messages import Messages
from app.storage.rows import ChatSummary
from app.storage.schema import NewerFileError
from app.tui.ink import Ink, Line, Piece
from app.tui.screens.choice import ChoiceDialog, ChoiceScreen, Offer, chosen_mark


def day_and_time(seconds: float) -> str:
    """A moment in local time, in a form that all languages read: `2026-11-30 20:25`."""
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(seconds))


class ChatsScreen(ChoiceDialog[int | None]):
    """Gives the id of the chat to open, None when the person left. `current` is open now."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+d,delete", "delete_chat", show=False, priority=True),
    ]

    def __init__(
        self, messages: Messages, conversations: Conversations, current: int | None = None
    ) -> None:
        super().__init__(messages, messages("chats.title"), (), keys=messages("chats.keys"))
        self._conversations = conversations
        self._current = current
        self._read = False
        self._problem = ""

    def on_mount(self) -> None:
        super().on_mount()
        self.run_worker(self._load(), exclusive=True)

    async def _load(self) -> None:
        try:
            chats = await self._conversations.list()
        except (sqlite3.Error, NewerFileError):
            self._problem = self.messages("chats.unreadable")
            chats = ()
        self._read = True
        self.replace_choices([self._choice(chat) for chat in chats])

    def _choice(self, chat: ChatSummary) -> Offer:
        turns = self.messages.plural("chats.turns", chat.turns)
        note = f"{day_and_time(chat.changed)} · {turns}"
        title = chat.title or self.messages("chats.untitled")
        return Offer(str(chat.id), title, note, chosen_mark(chat.id == self._current))

    def note_line(self, found: int) -> Line:
        if self._problem:
            return (Piece(f"✗ {self._problem}", Ink.FAILED),)
        if not self._read:
            return ()
        return (
            super().note_line(found)
            if self.choices
            else (Piece(self.messages("chats.none"), Ink.DIM),)
        )

    def take(self, chosen: str) -> None:
        self.dismiss(int(chosen))

    def action_delete_chat(self) -> None:
        """Ask, then delete the chat under the cursor."""
        wanted = self.highlighted
        title = next((choice.label for choice in self.choices if choice.id == wanted), None)
        if title is None:
            return
        text = self.messages
        answers = [Offer("keep", text("chats.keep")), Offer("delete", text("chats.delete"))]
        screen = ChoiceScreen(
            text, text("chats.delete_title", title=title), answers, filtered=False
        )

        def answered(answer: str | None) -> None:
            if answer == "delete":
                self.run_worker(self._delete(int(wanted)), exclusive=True)

        self.app.push_screen(screen, answered)

    async def _delete(self, chat: int) -> None:
        try:
            await self._conversations.delete(chat)
        except (sqlite3.Error, NewerFileError):
            self._problem = self.messages("chats.not_deleted")
        await self._load()
