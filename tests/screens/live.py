"""The app with a real session and the simulator behind it, driven by keys."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from textual.pilot import Pilot

from app.choice import Choice
from app.session import Session, open_session
from app.tui.app import VitralApp
from app.tui.screens.chat import ChatScreen
from app.tui.widgets.call_panel import CallPanel
from app.tui.widgets.composer import Composer
from tests.screens.small_app import shown


class Live:
    """A running app and what a test does with it."""

    def __init__(self, app: VitralApp, pilot: Pilot[None]) -> None:
        self.app, self.pilot = app, pilot

    @property
    def session(self) -> Session:
        return self.app.session

    @property
    def chat(self) -> ChatScreen:
        (chat,) = (one for one in self.app.screen_stack if isinstance(one, ChatScreen))
        return chat

    @property
    def panel(self) -> CallPanel:
        return self.chat.query_one(CallPanel)

    @property
    def picture(self) -> str:
        return shown(self.app)

    async def send(self, text: str) -> None:
        self.chat.query_one(Composer).load_text(text)
        await self.pilot.pause()
        await self.pilot.press("enter")

    async def sees(self, text: str) -> None:
        """Wait until this is on the screen."""
        await self.until(lambda: text in self.picture)

    async def until(self, condition: Callable[[], bool]) -> None:
        for _ in range(400):
            if condition():
                await self.pilot.pause()
                return
            await asyncio.sleep(0.01)
        raise AssertionError(f"did not happen; the screen shows\n{self.picture}")

    async def over(self) -> None:
        """Wait until the message is over."""
        await self.until(lambda: not self.chat.working)


def live_session(home: Path, *, language: str = "en", dialect: str = "anthropic") -> Session:
    choice = Choice(speed=0, dialect=dialect)
    return open_session(choice, language=language, environment={"VITRAL_HOME": str(home)})


@asynccontextmanager
async def live(session: Session, *, size: tuple[int, int] = (120, 40)) -> AsyncIterator[Live]:
    app = VitralApp(session)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        yield Live(app, pilot)
