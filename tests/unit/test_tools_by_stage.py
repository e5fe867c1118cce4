"""A model that is sent few tools at first finds the others, and what was sent stays in place."""

from __future__ import annotations

import asyncio
from itertools import pairwise
from pathlib import Path

import pytest
from pydantic import BaseModel, Field

from app import events
from app.agent import Agent, Asking
from app.settings import Settings
from app.tool_shelf import ToolShelf, sent_tools
from providers.dialects import DIALECT_IDS
from providers.history import AssistantTurn, ToolTurn
from providers.parts import Part
from providers.request import OneTool
from tests.scripted import Memory, ScriptedSpeaker, attempts, call, calls, text
from tests.sessions import Person, say, session_in
from tools.call import ErrorKind, ToolResult
from tools.cost import tokens_estimate
from tools.staging import FIND_TOOLS
from tools.tool import Effect, JsonValue, Tool, ToolContext
from tools.toolbox import Toolbox

SUBJECTS = ("invoice", "customer", "parcel", "holiday", "recipe", "meeting")
DEEDS = ("create", "cancel", "list", "rename", "archive")
FIRST = ("list_recipe", "list_meeting")


class Sheet(BaseModel):
    """Arguments whose schema is as long as a real one's."""

    title: str = Field("", description="How the office calls it, in a few words. " * 8)
    owner: str = Field("", description="Who answers for it, by full name or by number. " * 8)
    remark: str = Field("", description="What the next reader should know about it. " * 8)


def one_of_many(name: str) -> Tool:
    async def run(arguments: BaseModel, context: ToolContext) -> JsonValue:
        return f"{name}: done"

    about = f"Will {name.replace('_', ' one ')} of the office and say how it went."
    return Tool(name, about, Sheet, Effect.READ, run)


def large_toolbox() -> Toolbox:
    """Thirty tools, about ten thousand tokens."""
    return Toolbox(one_of_many(f"{deed}_{subject}") for subject in SUBJECTS for deed in DEEDS)


class Office:
    """An agent with thirty tools, sent by stage."""

    def __init__(self, *answers: list[Part]) -> None:
        self.memory, self.speaker = Memory(), ScriptedSpeaker(list(answers))
        context = ToolContext(Path(), Path())
        self.agent = Agent(large_toolbox(), context, attempts(), _no_exception, FIRST)

    def answer(self, asking: Asking | None = None) -> events.Done:
        return asyncio.run(
            self.agent.answer(self.memory, "Go on", self.speaker, lambda _: None, asking)
        )

    @property
    def sent(self) -> list[tuple[str, ...]]:
        """The tools' names of each request."""
        return [tuple(tool.name for tool in one.tools) for one in self.speaker.requests]

    @property
    def results(self) -> list[ToolResult]:
        turns = [turn for turn in self.memory.history if isinstance(turn, ToolTurn)]
        return [result for turn in turns for result in turn.results]


def _no_exception(_: object, error: BaseException) -> None:
    raise AssertionError from error


def search(task: str, call_id: str = "c1") -> list[Part]:
    return calls(call(FIND_TOOLS, call_id, task=task))


def test_a_tool_that_is_found_is_sent_and_can_be_called() -> None:
    office = Office(
        search("cancel an invoice"), calls(call("cancel_invoice", "c2")), text("It is cancelled.")
    )
    assert office.answer().ending is events.Ending.ANSWERED
    assert office.sent[0] == (*FIRST, FIND_TOOLS)
    assert "cancel_invoice" in office.sent[1]
    assert office.results[-1].output == "cancel_invoice: done"


def test_what_was_sent_stays_in_place_for_the_rest_of_the_chat() -> None:
    office = Office(
        search("cancel an invoice"), search("archive a parcel", "c2"), text("Ready."), text("Yes.")
    )
    office.answer()
    office.answer()
    for earlier, later in pairwise(office.sent):
        assert later[: len(earlier)] == earlier
    assert "cancel_invoice" in office.sent[-1]


def test_a_tool_that_was_not_found_yet_is_unknown_and_the_finder_is_named() -> None:
    office = Office(calls(call("cancel_invoice")), text("I see."))
    office.answer()
    error = office.results[0].error
    assert error is not None
    assert error.kind is ErrorKind.UNKNOWN_TOOL
    assert FIND_TOOLS in error.message


def test_a_tool_that_is_forced_is_sent_from_the_start() -> None:
    office = Office(calls(call("rename_parcel")), text("Done."))
    office.answer(Asking(choice=OneTool("rename_parcel")))
    assert "rename_parcel" in office.sent[0]
    assert office.results[0].output == "rename_parcel: done"


def test_stages_save_most_of_a_list_of_ten_thousand_tokens() -> None:
    box = large_toolbox()
    whole, staged = (
        sum(
            tokens_estimate({"name": one.name, "about": one.description, "args": one.parameters})
            for one in sent_tools(box, first, ())
        )
        for first in (None, FIRST)
    )
    assert 9_000 < whole < 12_000
    assert staged < whole / 8


def test_the_shelf_says_what_is_sent_and_what_that_saves() -> None:
    cost = ToolShelf(Settings(tools_by_stage=True, first_tools=["calculate"])).cost()
    assert (cost.sent, cost.by_stage) == (2, True)
    assert cost.saved == cost.tokens - cost.sent_tokens > 0


def test_without_stages_all_is_sent_and_nothing_is_saved() -> None:
    cost = ToolShelf(Settings()).cost()
    assert (cost.sent, cost.saved, cost.by_stage) == (cost.on, 0, False)


@pytest.mark.parametrize("dialect", DIALECT_IDS)
@pytest.mark.parametrize(
    "question", ["Ship order 1042", "Envie o pedido 1042", "Envía el pedido 1042"]
)
async def test_the_simulator_finds_the_tool_that_it_was_not_sent(
    tmp_path: Path, dialect: str, question: str
) -> None:
    session = session_in(tmp_path, dialect, Person())
    session.change(tools_by_stage=True)
    done, _ = await say(session, question)
    assert done.ending is events.Ending.ANSWERED
    answers = [turn for turn in session.history if isinstance(turn, AssistantTurn)]
    names = [one.name for turn in answers for one in turn.calls]
    assert names == [FIND_TOOLS, "update_order_status"]
    await session.close()
