"""Events told as entries: what stands in the chat after each turn that a message can take."""

from __future__ import annotations

import pytest

from app import events
from app.messages import Messages
from app.storage.rows import Note
from app.tui.document import Entry
from app.tui.entries import Answer, Calls, Message, Notice, Reasoning
from app.tui.story import Story, last_message, tell_history
from providers.failures import Failure, FailureKind
from providers.history import ToolTurn, Turn, UserTurn
from providers.parts import Restarted, Stop
from providers.request import Choose
from tests import stage
from tools.call import ErrorKind, ToolCall, ToolError, ToolResult

LOOKUP = ToolCall("lookup_demo_value", {"key": "height"}, "simulator", "call_0")


class Sheet:
    """A page that keeps what was written."""

    def __init__(self) -> None:
        self.entries: list[Entry] = []

    def append(self, entry: Entry) -> None:
        self.entries.append(entry)

    def withdraw(self, entry: Entry) -> None:
        self.entries.remove(entry)

    def changed(self, entry: Entry) -> None:
        assert entry in self.entries

    def texts(self, kind: type) -> list[str]:
        return [entry.plain() for entry in self.entries if isinstance(entry, kind)]


def told(*told_events: events.Event, language: str = "en") -> Sheet:
    sheet = Sheet()
    story = Story(sheet, Messages(language))
    for event in told_events:
        story.apply(event)
    return sheet


def stored_call(result: ToolResult) -> Sheet:
    sheet = Sheet()
    turns: list[Turn] = [UserTurn("height?"), stage.answer(LOOKUP), ToolTurn((result,))]
    tell_history(turns, sheet, Messages())
    return sheet


def kinds(sheet: Sheet) -> list[type]:
    return [type(entry) for entry in sheet.entries]


def test_text_comes_together_in_one_answer() -> None:
    sheet = told(*stage.opening(), stage.says("Your he"), stage.says("ight"))
    assert sheet.texts(Answer) == ["Your height"]


def test_calls_stand_below_what_was_said_before_them() -> None:
    sheet = told(
        *stage.opening(), stage.says("Let me look."), stage.opens_call(0, "lookup_demo_value")
    )
    assert kinds(sheet) == [Answer, Calls]


def test_a_line_of_calls_shows_values_and_names() -> None:
    sheet = told(
        *stage.opening(),
        stage.closes_call(0, "lookup_demo_value", key="height"),
        stage.ended(LOOKUP),
        stage.answered(0, "lookup_demo_value", {"key": "height", "value": 170, "unit": "cm"}),
    )
    assert sheet.texts(Calls) == ["▸ 1 call   ✓ 170 cm"]


def test_an_answer_that_never_began_leaves_nothing() -> None:
    sheet = told(*stage.opening(), stage.opens_call(0, "lookup_demo_value"))
    assert kinds(sheet) == [Calls]


def test_reasoning_stands_apart_from_the_answer() -> None:
    sheet = told(*stage.opening(), stage.thinks("hm"), stage.says("Yes."))
    assert kinds(sheet) == [Reasoning, Answer]


def test_a_failed_attempt_takes_its_text_back_and_says_so() -> None:
    sheet = told(*stage.opening(), stage.says("Let me"), events.Withdrawn(stage.CUT))
    assert kinds(sheet) == [Notice]


def test_the_torn_call_of_a_failed_attempt_stays_to_be_seen() -> None:
    sheet = told(
        *stage.opening(), stage.opens_call(0, "lookup", '{"k'), events.Withdrawn(stage.CUT)
    )
    assert sheet.texts(Calls) == ["▸ 1 call   ✗ cut midway, not run"]


def test_the_calls_of_the_next_attempt_take_the_place_of_the_torn_ones() -> None:
    sheet = told(
        *stage.opening(),
        stage.opens_call(0, "lookup", '{"k'),
        events.Withdrawn(stage.CUT),
        events.AttemptStarted(2, 3),
        stage.opens_call(0, "lookup"),
    )
    assert sheet.texts(Calls) == ["▸ 1 call   … lookup"]


def test_a_message_that_starts_over_takes_its_text_back() -> None:
    sheet = told(*stage.opening(), stage.says("wrong"), stage.received(Restarted()))
    assert sheet.texts(Answer) == [""]


def test_the_wait_counts_down_in_one_place() -> None:
    waits = [events.Waiting(float(left), 2, 3, stage.CUT) for left in (3, 2, 1)]
    sheet = told(*stage.opening(), events.Withdrawn(stage.CUT), *waits)
    assert sheet.texts(Notice) == [
        "The answer was cut off.\nTrying again in 1 s (2 of 3)\nEsc stop   ^O provider"
    ]


def test_the_wait_is_gone_when_the_next_attempt_begins() -> None:
    sheet = told(
        *stage.opening(),
        events.Withdrawn(stage.CUT),
        events.Waiting(1.0, 2, 3, stage.CUT),
        events.AttemptStarted(2, 3),
        stage.says("Here."),
    )
    assert kinds(sheet) == [Answer]


def test_silence_is_said_where_the_answer_would_be() -> None:
    sheet = told(*stage.opening(), events.Silent(12.4))
    assert sheet.texts(Notice) == ["Nothing has come for 12 s. Still waiting.\nEsc stop"]


def test_silence_is_over_with_the_next_byte() -> None:
    sheet = told(*stage.opening(), events.Silent(12.4), stage.says("Here."))
    assert kinds(sheet) == [Answer]


def test_a_failure_is_the_local_sentence_with_its_reference() -> None:
    failure = Failure(FailureKind.AUTH, transient=False, status=401, message="invalid x-api-key")
    done = events.Done(events.Ending.FAILED, failure, "K7Q2")
    (notice,) = told(*stage.opening(), done, language="pt_BR").texts(Notice)
    assert notice.startswith("Não consegui obter uma resposta. Tente novamente.\n")
    assert "K7Q2" in notice


def test_a_failure_never_shows_what_the_provider_said() -> None:
    failure = Failure(FailureKind.SERVER, transient=True, status=503, message="<b>overload</b>")
    (notice,) = told(events.Done(events.Ending.FAILED, failure, "K7Q2")).texts(Notice)
    assert "503" not in notice
    assert "overload" not in notice


@pytest.mark.parametrize("ending", [one for one in events.Ending if one != "answered"])
@pytest.mark.parametrize("language", ["en", "pt_BR", "es"])
def test_every_other_ending_has_words(ending: events.Ending, language: str) -> None:
    (notice,) = told(events.Done(ending), language=language).texts(Notice)
    assert not notice.startswith("chat.")


@pytest.mark.parametrize("stop", [Stop.LENGTH, Stop.REFUSED, Stop.FILTERED])
def test_an_answer_that_ended_early_says_why(stop: Stop) -> None:
    sheet = told(*stage.opening(), stage.says("half"), stage.ended("half", stop=stop))
    assert kinds(sheet) == [Answer, Notice]


def test_a_message_without_an_answer_says_so_when_its_chat_is_opened_again() -> None:
    note = Note(events.Ending.FAILED, "K7Q2", FailureKind.AUTH)
    sheet = Sheet()
    tell_history([UserTurn("height?")], sheet, Messages("pt_BR"), endings={0: note.done})
    (notice,) = sheet.texts(Notice)
    assert "Não consegui obter uma resposta." in notice
    assert "A chave não foi aceita." in notice
    assert "K7Q2" in notice


def test_a_history_is_told_like_what_happened() -> None:
    turns: list[Turn] = [
        UserTurn("height?"),
        stage.answer("Let me look.", LOOKUP),
        ToolTurn((ToolResult("call_0", "lookup_demo_value", {"value": 170, "unit": "cm"}),)),
        stage.answer("170 cm."),
    ]
    sheet = Sheet()
    tell_history(turns, sheet, Messages())
    assert kinds(sheet) == [Message, Answer, Calls, Answer]


def test_the_last_message_is_the_turns_since_the_person_spoke() -> None:
    turns: list[Turn] = [UserTurn("a"), stage.answer("b"), UserTurn("c"), stage.answer("d")]
    assert list(last_message(turns)) == turns[2:]


def test_text_after_a_call_in_one_read_stands_below_it() -> None:
    read = stage.received(*stage.opens_call(0, "lookup").parts, *stage.says("Done.").parts)
    assert kinds(told(*stage.opening(), read)) == [Calls, Answer]


def test_what_the_next_attempt_says_stands_above_its_calls() -> None:
    sheet = told(
        *stage.opening(),
        stage.opens_call(0, "lookup"),
        events.Withdrawn(stage.CUT),
        events.AttemptStarted(2, 3),
        stage.says("Again."),
        stage.opens_call(0, "lookup"),
    )
    assert kinds(sheet) == [Answer, Calls]


def test_a_call_that_was_not_allowed_says_so_in_the_chat() -> None:
    refused = ToolError(ErrorKind.NOT_ALLOWED, "no")
    sheet = stored_call(ToolResult("call_0", "lookup_demo_value", error=refused))
    assert sheet.texts(Calls) == ["▸ 1 call   ✗ lookup_demo_value: not allowed"]


def test_a_result_that_is_an_object_leaves_its_tools_name_in_the_chat() -> None:
    found = {"path": "notes.md", "text": "# Notes", "lines": 1}
    sheet = stored_call(ToolResult("call_0", "lookup_demo_value", found))
    assert sheet.texts(Calls) == ["▸ 1 call   ✓ lookup_demo_value"]


def test_a_tool_choice_that_the_model_did_not_follow_is_told() -> None:
    sheet = told(*stage.opening(), stage.says("No need."), events.ChoiceIgnored(Choose.REQUIRED))
    assert "did not do what the tool choice asks (some tool)" in sheet.texts(Notice)[0]
