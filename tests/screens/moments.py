"""Moments of a session, played by the real app from a script: what a person sees, held still.

Each moment brings a fresh app to one state of the screen. Nothing in them depends on the clock, on
this machine's settings or on how fast events are drawn, so that their pictures can be compared.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from textual.pilot import Pilot
from textual.widgets import Input

from app import events
from app.choice import Choice
from app.conversations import Conversations
from app.permissions import Question
from app.storage.rows import ChatSummary
from app.tui.app import VitralApp
from app.tui.screens.chat import ChatScreen
from app.tui.screens.choice import Listing
from app.tui.screens.permission import PermissionScreen
from app.tui.widgets.call_list import CallList
from app.tui.widgets.status_bar import StatusBar
from providers.credentials import Credentials
from providers.history import AssistantTurn
from providers.parts import Stop, TextDelta, Usage
from tests import call_writers, stage
from tests.call_writers import ORIGIN, Wire
from tests.keyrings import MemoryKeyring
from tests.screens.words import WORDS, Words
from tools.call import ToolCall, ToolResult
from tools.demo.routines import create_routine
from tools.permission import Change, Values

SECONDS = 3.1
"""What the clock of every moment says."""

HEIGHT = ToolCall("lookup_demo_value", {"key": "height"}, ORIGIN.provider, "toolu_01Afx72k9")
WEIGHT = ToolCall("lookup_demo_value", {"key": "weight"}, ORIGIN.provider, "toolu_01Bq8w4m2")
RESULTS = (
    ToolResult(
        HEIGHT.call_id, HEIGHT.name, {"key": "height", "value": 170, "unit": "cm"}, seconds=0.002
    ),
    ToolResult(
        WEIGHT.call_id, WEIGHT.name, {"key": "weight", "value": 70, "unit": "kg"}, seconds=0.003
    ),
)


class Vitral:
    """A running app and what a moment does with it."""

    def __init__(self, pilot: Pilot[None]) -> None:
        assert isinstance(pilot.app, VitralApp)
        assert isinstance(pilot.app.session, stage.ScriptedSession)
        self.pilot, self.app, self.session = pilot, pilot.app, pilot.app.session
        self.words: Words = WORDS[self.session.messages.language]

    @property
    def chat(self) -> ChatScreen:
        (chat,) = (one for one in self.app.screen_stack if isinstance(one, ChatScreen))
        return chat

    @property
    def picture(self) -> list[str]:
        """The rows of the screen, as text."""
        return [strip.text.rstrip() for strip in self.app.screen._compositor.render_strips()]

    async def ask(self, text: str) -> None:
        """Send a message, and hold its clock still."""
        self.chat._begin(text)
        assert self.chat._clock is not None
        self.chat._clock.stop()
        self.chat.query_one(StatusBar).update(seconds=SECONDS)

    async def tell(self, *told: events.Event) -> None:
        """Tell these events and wait until they are drawn."""
        self.session.script.tell(*told)
        await self.still()

    async def end(self, *told: events.Event, done: events.Done | None = None) -> None:
        """Tell the last events, after which the message is over."""
        self.session.script.tell(*told)
        self.session.script.end(done)
        await self.until(lambda: not self.chat.working)
        await self.still()

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)
        others = [one for one in self.app.workers if one.name != "message"]
        if others:
            await self.app.workers.wait_for_complete(others)
        await self.still()

    async def still(self) -> None:
        """Wait until all that was told is drawn."""
        cards = self.chat.query_one(CallList)
        await self.pilot.pause()
        for field in self.app.screen.query(Input):
            field.cursor_blink = False
        await self.until(
            lambda: (
                self.session.script.told and not self.chat._playback.waiting and not cards._frame
            )
        )
        await self.pilot.pause()

    async def until(self, condition: Callable[[], bool]) -> None:
        for _ in range(400):
            if condition():
                return
            await asyncio.sleep(0.005)
        raise AssertionError("the moment did not come")


@dataclass(frozen=True, slots=True)
class Moment:
    """A state of the screen: its name, and how it is reached."""

    name: str
    play: Callable[[Vitral], Awaitable[None]]


async def play(moment: Moment, pilot: Pilot[None]) -> Vitral:
    """Bring the app that `pilot` drives to the moment."""
    running = Vitral(pilot)
    await running.until(lambda: bool(running.app.screen.query(CallList)))
    await running.still()
    await moment.play(running)
    return running


class FixedChats(Conversations):
    """A store that lists these chats, whatever is in its file."""

    def __init__(self, path: Path, titles: Sequence[str]) -> None:
        super().__init__(path)
        moment = time.mktime((2026, 11, 30, 20, 25, 0, 0, 0, -1))  # the same words in every zone
        self._listed = tuple(
            ChatSummary(place, title, moment, moment - 5_000 * place, 2 * place)
            for place, title in enumerate(titles, start=1)
        )

    async def list(self, limit: int = 1_000) -> tuple[ChatSummary, ...]:
        return self._listed


def vitral(home: Path, language: str = "en", theme: str = "dark") -> VitralApp:
    """The app on a scripted session of Anthropic's, knowing nothing of this machine."""
    session = stage.scripted(home, language=language)
    session.choice = Choice(ORIGIN.provider, model=ORIGIN.model)
    session.credentials = Credentials(
        {"OPENAI_API_KEY": "not-a-key"}, MemoryKeyring(anthropic="not-a-key")
    )
    session.store = FixedChats(home / "chats.db", WORDS[language].titles)
    app = VitralApp(session, theme=theme)
    app.animation_level = "none"
    return app


# --- the script's pieces


def first_round(wire: Wire, text: str) -> list[events.Event]:
    """A round begins, and the model says something before its calls."""
    return [*call_writers.started(1), wire.part(TextDelta(text))]


def whole(wire: Wire, key: int, call: ToolCall) -> list[events.Event]:
    return list(call_writers.whole_call(wire, key, call.name, call.args, call_id=call.call_id))


def half(wire: Wire, key: int = 2) -> list[events.Event]:
    """The second call, whose arguments break off in the middle of a word."""
    start = wire.start(key, WEIGHT.name, WEIGHT.call_id)
    return [start, *[wire.fragment(key, text) for text in ('{"key"', ": ", '"wei')]]


def both_calls(words: Words) -> list[events.Event]:
    """A round with two calls, and their results."""
    wire = Wire()
    calls = [*whole(wire, 1, HEIGHT), *whole(wire, 2, WEIGHT)]
    results = [one for n, result in enumerate(RESULTS) for one in call_writers.answered(n, result)]
    turn = AssistantTurn((words.before, HEIGHT, WEIGHT), ORIGIN, stop=Stop.CALLS)
    ended = events.AnswerEnded(turn, Usage(input=398, output=61))
    return [*first_round(wire, words.before), *calls, ended, *results]


def last_answer(words: Words) -> list[events.Event]:
    """The round that puts the results into words."""
    turn = AssistantTurn((words.answer,), ORIGIN)
    ended = events.AnswerEnded(turn, Usage(input=412, output=38))
    return [*call_writers.started(2), stage.says(words.answer), ended]


# --- the moments


async def empty(vitral: Vitral) -> None:
    await vitral.still()


async def assembling(vitral: Vitral) -> None:
    wire, words = Wire(), vitral.words
    await vitral.ask(words.question)
    await vitral.tell(*first_round(wire, words.before), *whole(wire, 1, HEIGHT), *half(wire))


async def answered(vitral: Vitral) -> None:
    await vitral.ask(vitral.words.question)
    await vitral.end(*both_calls(vitral.words), *last_answer(vitral.words))


async def failed(vitral: Vitral) -> None:
    wire, words = Wire(), vitral.words
    await vitral.ask(words.question)
    cut = [*first_round(wire, words.before), *half(wire, 1), events.Withdrawn(stage.CUT)]
    await vitral.end(*cut, done=events.Done(events.Ending.FAILED, stage.CUT, "K7Q2"))


async def waiting(vitral: Vitral) -> None:
    wire, words = Wire(), vitral.words
    await vitral.ask(words.question)
    cut = [*first_round(wire, words.before), *half(wire, 1), events.Withdrawn(stage.CUT)]
    await vitral.tell(*cut, events.Waiting(3.0, 2, 3, stage.CUT))


async def picker(vitral: Vitral) -> None:
    await vitral.press("ctrl+o")


async def help_screen(vitral: Vitral) -> None:
    await vitral.press("f1")


async def chats(vitral: Vitral) -> None:
    await vitral.press("ctrl+l")


async def permission(vitral: Vitral) -> None:
    call = ToolCall("create_routine", vitral.words.routine, ORIGIN.provider, "toolu_01Crd5s6t")
    about: Values = {"name": str(call.args["name"]), "days": 2, "exercises": 2}
    question = Question(call, create_routine, Change("change.routine", about), 0)
    await answered(vitral)
    vitral.app.push_screen(PermissionScreen(vitral.session.messages, question, "tool_use"))
    await vitral.still()


async def drawer(vitral: Vitral) -> None:
    await answered(vitral)
    await vitral.press("ctrl+t")


async def wire(vitral: Vitral) -> None:
    await assembling(vitral)
    await vitral.press("f2")


async def voices(vitral: Vitral) -> None:
    await answered(vitral)
    vitral.chat.query_one(CallList).focus()
    await vitral.press("3")


async def tools(vitral: Vitral) -> None:
    await vitral.press("f5")
    await vitral.until(lambda: vitral.app.screen.query_one(Listing).option_count > 0)
    await vitral.still()


async def commands(vitral: Vitral) -> None:
    await vitral.press("ctrl+p")


async def markdown(vitral: Vitral) -> None:
    await vitral.ask(vitral.words.question)
    await vitral.end(*call_writers.started(1), stage.says(vitral.words.markdown))


MAIN = (
    Moment("empty", empty),
    Moment("assembling", assembling),
    Moment("answered", answered),
    Moment("failed", failed),
    Moment("waiting", waiting),
    Moment("picker", picker),
    Moment("help", help_screen),
    Moment("chats", chats),
)
"""The main screens."""

MORE = (
    Moment("permission", permission),
    Moment("drawer", drawer),
    Moment("wire", wire),
    Moment("voices", voices),
    Moment("tools", tools),
    Moment("commands", commands),
    Moment("markdown", markdown),
)
"""What else can be on the screen."""
