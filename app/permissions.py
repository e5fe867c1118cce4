"""May this write run? The settings, the command line and the person decide; a model never does.

In this order: a tool that the settings deny is denied. With `--approve` on the command line
exactly the tools that it names may write. A tool that the settings allow is allowed. For all
others the person is asked, unless they said "always" for that tool in this chat during this run
of the program and have not changed its rule since; where nobody can be asked, the answer is no.

Who asks is an `Asker`, a dialog or a line in a terminal:

    async def ask(question: Question) -> Answer: ...

`question.change` says in a message key what will change, `question.call.args` what the model
wrote, both unsafe to show as they are. The asker is called for one question at a time. It is
cancelled when the person stops the message; when it raises, the answer is no.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol, TypeAlias

from app.events import Ground, PermissionAsked, PermissionSettled
from tools.call import ToolCall
from tools.permission import GRANTED, Change, Permission, Permit
from tools.tool import Tool

if TYPE_CHECKING:
    from app.attempts import Emit


class Rule(StrEnum):
    """What the settings say of a tool that writes."""

    ASK = "ask"
    ALLOW = "allow"
    DENY = "deny"


class Reply(StrEnum):
    """What the person says to a question."""

    ONCE = "once"
    ALWAYS = "always"
    """Yes, and do not ask again for this tool in this chat."""
    NO = "no"


@dataclass(frozen=True, slots=True)
class Question:
    """A write that waits. `place` is the call's place in its round, as in the events."""

    call: ToolCall
    tool: Tool
    change: Change
    place: int


@dataclass(frozen=True, slots=True)
class Answer:
    """`word` is what the model is to hear with a no."""

    reply: Reply
    word: str = ""


Asker: TypeAlias = Callable[[Question], Awaitable[Answer]]


class Approval(Protocol):
    """What `--approve` names."""

    def __contains__(self, tool: str, /) -> bool: ...


class Everything:
    """`--approve all`."""

    def __contains__(self, tool: str, /) -> bool:
        return True


@dataclass
class Permissions:
    """Decides for one run of the program. `rule` is asked anew each time, so that a change of
    the settings holds at once."""

    rule: Callable[[str], Rule]
    approved: Approval | None = None
    ask: Asker | None = None
    _always: set[tuple[str, str]] = field(default_factory=set)

    def permit(self, chat: str, emit: Emit) -> Permit:
        """What `tools.dispatch` asks for the writes of a chat; tells what is asked and settled."""

        async def permit(place: int, call: ToolCall, tool: Tool, change: Change) -> Permission:
            ground = self._known(chat, tool.name)
            word = ""
            if ground is None:
                emit(PermissionAsked(place, change))
                ground, word = await self._asked(chat, Question(call, tool, change, place))
            emit(PermissionSettled(place, ground))
            return Permission(granted=False, word=word) if ground is Ground.DENIED else GRANTED

        return permit

    def always(self, chat: str, tool: str) -> bool:
        """Whether the person said in this chat that the tool need not ask again."""
        return (chat, tool) in self._always

    def unasked(self, tool: str) -> bool:
        """Whether the writes of this tool are denied only because nobody can be asked."""
        return self.ask is None and self.approved is None and self.rule(tool) is Rule.ASK

    def withdraw(self, tool: str) -> None:
        """Ask for this tool again, in every chat: what was said of it before is over."""
        self._always = {said for said in self._always if said[1] != tool}

    def _known(self, chat: str, tool: str) -> Ground | None:
        """What is settled without asking; None if the person has to say."""
        rule = self.rule(tool)
        if rule is Rule.DENY:
            return Ground.DENIED
        if self.approved is not None:
            return Ground.COMMAND_LINE if tool in self.approved else Ground.DENIED
        if rule is Rule.ALLOW:
            return Ground.SETTINGS
        if self.always(chat, tool):
            return Ground.ALWAYS
        return None if self.ask else Ground.DENIED

    async def _asked(self, chat: str, question: Question) -> tuple[Ground, str]:
        assert self.ask is not None, "where nobody can be asked, nothing is left to ask"
        answer = await self.ask(question)
        match answer.reply:
            case Reply.ONCE:
                return Ground.ONCE, ""
            case Reply.ALWAYS:
                self._always.add((chat, question.tool.name))
                return Ground.ALWAYS, ""
            case Reply.NO:
                return Ground.DENIED, answer.word
