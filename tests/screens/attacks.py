"""Every way for text from outside to come to the screen, each with text that means harm.

An attack brings the app to a picture on which a model, a tool, a file, a provider, a stored chat or
the settings speak; `shows` names the widgets that it is about.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

from textual import events as terminal_events

from app import events
from app.choice import Choice
from app.permissions import Question
from app.settings import ProviderSettings
from app.settings_file import SettingsProblem, Wanted
from app.tui.screens.chats import ChatsScreen
from app.tui.screens.choice import ChoiceScreen, FreeChoiceScreen, Listing, SafeInput
from app.tui.screens.compare import CompareScreen
from app.tui.screens.faults import FaultsScreen, NameFilter
from app.tui.screens.key_entry import KeyScreen
from app.tui.screens.permission import Arguments, PermissionScreen, Reaction
from app.tui.screens.picker import DetailsScreen, PickerScreen
from app.tui.screens.tools import ToolsScreen
from app.tui.widgets.answer_column import AnswerColumn
from app.tui.widgets.call_list import CallList
from app.tui.widgets.call_strip import CallStrip
from app.tui.widgets.composer import Composer
from app.tui.widgets.lens_view import LensView
from app.tui.widgets.status_bar import StatusBar
from app.tui.widgets.struck_view import StruckColumn, StruckView
from app.tui.widgets.transcript import Transcript
from providers.history import AssistantTurn, ToolTurn, UserTurn
from providers.parts import CallBroken, CallFragment, CallStarted, Span, Stop
from tests import call_writers, stage
from tests.call_writers import ORIGIN, Wire
from tests.screens.compare_attacks import answering as comparing
from tests.screens.compare_attacks import opened
from tests.screens.harm import HARM, LINES, SEEN, SMALL, Attack
from tests.screens.lab_attacks import looking, struck
from tests.screens.moments import FixedChats, Vitral
from tools.call import (
    BrokenCall,
    ErrorKind,
    FieldProblem,
    ToolCall,
    ToolError,
    ToolResult,
)
from tools.demo.routines import create_routine
from tools.own import OwnToolProblem, OwnTools, Trouble
from tools.permission import Change

# --- the model speaks


def markdown() -> Iterator[tuple[str, str]]:
    """Where in an answer a text can stand, by name."""
    yield "text", LINES
    yield "heading", f"# {HARM}"
    yield "list", f"- {HARM}\n  1. {HARM}"
    yield "quote", f"> {HARM}"
    yield "table", f"| {HARM} |\n|---|\n| {HARM} |"
    yield "code block", f"```{HARM}\n{HARM}\n```"
    yield "known code", f"```python\n{HARM}\n```"
    yield "code in a line", f"`{HARM}`"
    yield "link", f"{SEEN} [x](<{HARM}>) ![{HARM}](a) <https://e.example/{HARM}>"
    yield "html", f"<b title='{HARM}'>{SEEN}</b> &#27;[2J&#x202e;"


def answering(text: str, *, ended: bool) -> Callable[[Vitral], Awaitable[None]]:
    async def play(vitral: Vitral) -> None:
        await vitral.ask(HARM)
        await vitral.tell(*stage.opening(), stage.says(text))
        if ended:
            await vitral.end(stage.ended(text))

    return play


async def reasoning(vitral: Vitral) -> None:
    await vitral.ask("?")
    await vitral.tell(*stage.opening(), stage.thinks(LINES), stage.says("Yes."))
    await vitral.press("f3")


def half_a_call() -> list[events.Event]:
    return [*stage.opening(), events.Received(b"", _pieces((0, 0)))]


def _pieces(span: Span) -> tuple[CallStarted, CallFragment]:
    text = '{"' + HARM + '": "' + HARM
    return CallStarted(0, HARM, HARM, span), CallFragment(0, text, span)


async def assembling(vitral: Vitral) -> None:
    await vitral.ask("?")
    await vitral.tell(*half_a_call())


async def broken(vitral: Vitral) -> None:
    call = BrokenCall(HARM, HARM, HARM, ORIGIN.provider, HARM)
    part = CallBroken(0, HARM, HARM, HARM, HARM)
    turn = AssistantTurn((call,), ORIGIN, stop=Stop.CALLS)
    await vitral.ask("?")
    told = [*stage.opening(), stage.received(part), events.AnswerEnded(turn)]
    await vitral.tell(*told, *call_writers.answered(0, failure()))
    await vitral.press("ctrl+t", "ctrl+t", "tab", "enter")


def failure() -> ToolResult:
    problems = (FieldProblem(HARM, HARM, HARM),)
    return ToolResult(HARM, HARM, error=ToolError(ErrorKind.INVALID_ARGUMENTS, HARM, problems))


def call_with(result: ToolResult) -> list[events.Event]:
    """A whole call whose every part means harm, and its result."""
    wire = Wire()
    call = ToolCall(HARM, {HARM: HARM, "text": LINES}, HARM, HARM)
    told = list(call_writers.whole_call(wire, 0, call.name, call.args, size=400, call_id=HARM))
    turn = AssistantTurn((call,), ORIGIN, stop=Stop.CALLS)
    answered = call_writers.answered(0, result)
    return [*stage.opening(), *told, events.AnswerEnded(turn), *answered]


def resulting(result: ToolResult, *keys: str) -> Callable[[Vitral], Awaitable[None]]:
    async def play(vitral: Vitral) -> None:
        await vitral.ask("?")
        await vitral.tell(*call_with(result))
        vitral.chat.query_one(CallList).focus()
        await vitral.press(*keys)

    return play


async def wire_bytes(vitral: Vitral) -> None:
    """The bytes themselves mean harm, not only what they decode to."""
    data = f"event: {HARM}\ndata: {HARM}\n\n".encode()
    await vitral.ask("?")
    await vitral.tell(*stage.opening(), events.Received(data, _pieces((0, len(data)))))
    await vitral.press("f2")


RESULTS = {
    "text": ToolResult("x", "x", LINES),
    "value": ToolResult("x", "x", {"value": HARM, "unit": HARM}),
    "object": ToolResult("x", "x", {HARM: [HARM, {"deep": HARM}]}),
    "error": failure(),
    "failed": ToolResult("x", "x", error=ToolError(ErrorKind.FAILED, LINES)),
}


# --- the person's own files and settings speak


def stored(session: stage.ScriptedSession) -> None:
    call = ToolCall(HARM, {HARM: HARM}, HARM, HARM)
    session.turns += [
        UserTurn(LINES),
        AssistantTurn((HARM, call), ORIGIN, reasoning=HARM, stop=Stop.CALLS),
        ToolTurn((ToolResult(HARM, HARM, HARM),)),
        stage.answer(LINES),
    ]
    session.sent.append(HARM)  # the chat's title


async def recalled(vitral: Vitral) -> None:
    await vitral.press("up")


def own_provider(session: stage.ScriptedSession) -> None:
    said = ProviderSettings(
        title=HARM, address="http://localhost:1", model=HARM, dialect="anthropic"
    )
    session.settings = session.settings.model_copy(update={"providers": {"own": said}})
    session.choice = Choice("own", model=HARM)


async def still(vitral: Vitral) -> None:
    await vitral.still()


def pressing(*keys: str) -> Callable[[Vitral], Awaitable[None]]:
    async def play(vitral: Vitral) -> None:
        for key in keys:
            await vitral.press(key)

    return play


def pasting(*keys: str) -> Callable[[Vitral], Awaitable[None]]:
    """Press the keys, then paste what means harm to whatever has the keyboard."""

    async def play(vitral: Vitral) -> None:
        await vitral.press(*keys)
        assert vitral.app.focused is not None
        vitral.app.focused.post_message(terminal_events.Paste(HARM))
        await vitral.still()
        await vitral.press("home")  # a narrow field shows its end

    return play


async def key_of_a_provider(vitral: Vitral) -> None:
    vitral.app.push_screen(KeyScreen(vitral.session.messages, HARM))
    await vitral.still()


async def permission(vitral: Vitral) -> None:
    call = ToolCall(HARM, {HARM: HARM, "text": LINES}, HARM, HARM)
    about = Change("change.routine", {"name": HARM, "days": 2, "exercises": 2})
    question = Question(call, create_routine, about, 0)
    vitral.app.push_screen(PermissionScreen(vitral.session.messages, question, "tool_use"))
    await vitral.still()


async def permission_word(vitral: Vitral) -> None:
    await permission(vitral)
    await pasting("w")(vitral)


def wrong_settings(session: stage.ScriptedSession) -> None:
    session.problems = (SettingsProblem(1, HARM, next(iter(Wanted)), HARM, (HARM,)),)


def own_tools(session: stage.ScriptedSession) -> None:
    trouble = OwnToolProblem(Path("\x1b[31m.py"), Trouble.BAD_NAME, HARM)
    session.shelf.__dict__["own"] = OwnTools((), (trouble,))


def titles(session: stage.ScriptedSession) -> None:
    session.store = FixedChats(session.places.chats, [HARM])


ATTACKS = (
    *(
        Attack(f"answer: {name}, {how}", (Transcript,), answering(text, ended=how == "whole"))
        for name, text in markdown()
        for how in ("growing", "whole")
    ),
    Attack("reasoning", (Transcript,), reasoning),
    Attack("half a call", (Transcript, CallList), assembling),
    Attack("half a call, small", (CallStrip,), assembling, size=SMALL),
    Attack("broken call", (Transcript, CallList), broken),
    *(
        Attack(f"result: {name}", (Transcript, CallList), resulting(result, "enter"))
        for name, result in RESULTS.items()
    ),
    *(
        Attack(f"lens {key}: {name}", (LensView,), resulting(RESULTS[name], key))
        for key in "1234"
        for name in ("text", "error")
    ),
    Attack("bytes of the wire", (LensView,), wire_bytes),
    Attack("stored chat", (Transcript, CallList, StatusBar), still, stored),
    Attack("sent before", (Composer,), recalled, stored),
    Attack("paste into the composer", (Composer,), pasting()),
    Attack("provider and model", (StatusBar,), still, own_provider),
    Attack("picker", (PickerScreen, Listing), pressing("ctrl+o"), own_provider),
    Attack("picker's details", (DetailsScreen,), pressing("ctrl+o", "enter"), own_provider),
    Attack(
        "picker's models",
        (FreeChoiceScreen,),
        pressing("ctrl+o", "enter", "down", "enter"),
        own_provider,
    ),
    Attack(
        "paste into a filter", (SafeInput, Listing), pasting("ctrl+o", "enter", "down", "enter")
    ),
    Attack("key", (KeyScreen,), key_of_a_provider),
    Attack("titles of chats", (ChatsScreen, Listing), pressing("ctrl+l"), titles),
    Attack("deleting a chat", (ChoiceScreen,), pressing("ctrl+l", "ctrl+d"), titles),
    Attack("permission", (PermissionScreen, Arguments, Reaction), permission),
    Attack("a word to the model", (PermissionScreen, SafeInput), permission_word),
    Attack("mistakes in the settings", (Transcript,), still, wrong_settings),
    *(
        Attack(
            f"fault lab: {what}", (FaultsScreen, StruckView, StruckColumn), looking(back), struck
        )
        for back, what in enumerate(("no answer", "call", "broken call"))
    ),
    Attack("paste into the lab's filter", (FaultsScreen, NameFilter), pasting("ctrl+b")),
    Attack("compared providers", (CompareScreen, AnswerColumn), opened, own_provider),
    Attack("compared answers", (AnswerColumn, Transcript, CallList), comparing),
    Attack("tools of one's own", (ToolsScreen,), pressing("f5"), own_tools),
)
