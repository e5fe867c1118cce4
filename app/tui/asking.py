"""Who asks the person before a write, on the screen? The dialog, as the session's `Asker`."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from app.permissions import Answer, Question
from app.tui.screens.permission import NO, QUIET, PermissionScreen
from providers.dialects import dialect

if TYPE_CHECKING:
    from app.tui.screens.chat import ChatScreen


async def ask_person(chat: ChatScreen, question: Question) -> Answer:
    """What the person says to this write; the dialog goes when the message is stopped."""
    app, session = chat.app, chat.session
    answered: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()

    def take(answer: Answer | None) -> None:
        if not answered.done():
            answered.set_result(answer or NO)

    elsewhere = app.screen is not chat  # in another dialog: whose keys these are is not known
    screen = PermissionScreen(
        session.messages,
        question,
        dialect(session.origin.dialect).envelope,
        typing=elsewhere or chat.seconds_since_typing < QUIET,
    )
    await app.push_screen(screen, take)
    try:
        return await answered
    finally:
        if answered.cancelled() and screen.is_current:
            screen.dismiss(NO)
