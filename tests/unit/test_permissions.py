"""Who may permit a write: the person, the settings, the command line. Never a model."""

from __future__ import annotations

import pytest

from app.events import Event, Ground, PermissionAsked, PermissionSettled
from app.permissions import Approval, Everything, Permissions, Reply, Rule
from tests.sessions import Person
from tests.tool_makers import call, number, numbered_tool
from tools.permission import GRANTED, Change, Permission
from tools.tool import Effect

TOOL = numbered_tool(number, "save", Effect.WRITE)
CHANGE = Change("change.weight", {"value": "72"})


class Desk:
    """Permissions under one rule, and what they told."""

    def __init__(
        self, person: Person | None = None, rule: Rule = Rule.ASK, approved: Approval | None = None
    ) -> None:
        self.told: list[Event] = []
        self.permissions = Permissions(lambda tool: rule, approved, person.ask if person else None)

    async def permission(self, chat: str = "chat", **args: object) -> Permission:
        permit = self.permissions.permit(chat, self.told.append)
        return await permit(0, call("save", "", **args), TOOL, CHANGE)

    @property
    def grounds(self) -> list[Ground]:
        return [event.ground for event in self.told if isinstance(event, PermissionSettled)]


async def test_the_person_is_asked_with_the_change_and_told_as_waiting() -> None:
    person = Person(Reply.ONCE)
    desk = Desk(person)
    assert await desk.permission(n=1) == GRANTED
    assert [(q.call.args, q.tool, q.change, q.place) for q in person.questions] == [
        ({"n": 1}, TOOL, CHANGE, 0)
    ]
    assert desk.told == [PermissionAsked(0, CHANGE), PermissionSettled(0, Ground.ONCE)]


async def test_once_is_asked_again_and_always_is_not() -> None:
    person = Person(Reply.ONCE)
    desk = Desk(person)
    await desk.permission()
    person.reply = Reply.ALWAYS
    await desk.permission()
    await desk.permission()
    assert len(person.questions) == 2
    assert desk.grounds == [Ground.ONCE, Ground.ALWAYS, Ground.ALWAYS]


async def test_always_may_be_withdrawn() -> None:
    person = Person(Reply.ALWAYS)
    desk = Desk(person)
    await desk.permission()
    desk.permissions.withdraw("save")
    await desk.permission()
    assert len(person.questions) == 2


async def test_always_is_withdrawn_for_one_tool_alone() -> None:
    desk = Desk(Person(Reply.ALWAYS))
    await desk.permission("chat")
    desk.permissions.withdraw("another")
    assert desk.permissions.always("chat", "save")


async def test_always_holds_for_its_chat_alone() -> None:
    person = Person(Reply.ALWAYS)
    desk = Desk(person)
    await desk.permission("one")
    await desk.permission("other")
    assert len(person.questions) == 2


async def test_a_no_takes_its_word_along() -> None:
    desk = Desk(Person(Reply.NO, "use kilograms"))
    assert await desk.permission() == Permission(granted=False, word="use kilograms")


async def test_where_nobody_can_be_asked_the_answer_is_no() -> None:
    desk = Desk()
    assert not (await desk.permission()).granted
    assert desk.told == [PermissionSettled(0, Ground.DENIED)]


@pytest.mark.parametrize(
    ("rule", "approved", "ground"),
    [
        (Rule.ALLOW, None, Ground.SETTINGS),
        (Rule.DENY, None, Ground.DENIED),
        (Rule.ASK, Everything(), Ground.COMMAND_LINE),
        (Rule.ASK, frozenset({"save"}), Ground.COMMAND_LINE),
        (Rule.ASK, frozenset({"other"}), Ground.DENIED),
        (Rule.ASK, frozenset(), Ground.DENIED),
        (Rule.ALLOW, frozenset(), Ground.DENIED),
        (Rule.DENY, Everything(), Ground.DENIED),
    ],
)
async def test_settings_and_command_line_are_asked_before_the_person(
    rule: Rule, approved: Approval | None, ground: Ground
) -> None:
    person = Person(Reply.ONCE)
    desk = Desk(person, rule, approved)
    await desk.permission()
    assert (desk.grounds, person.questions) == ([ground], [])


@pytest.mark.parametrize("claim", ["approved", "permission", "role", "confirm", "force"])
async def test_no_argument_grants_anything(claim: str) -> None:
    desk = Desk()
    assert not (await desk.permission(**{claim: "granted"})).granted
