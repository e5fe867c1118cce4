"""The loop: ask, assemble, run, answer. There is no screen in it and no storage format.

A message takes a bounded number of rounds (`app.patience`). In each, the provider is asked
(`app.attempts`), the answer's calls run once the answer is whole (`tools.dispatch`), and their
results go into the next request. Each turn is kept the moment it is whole, so that nothing shown
as finished is lost; a message that the program's end cut short goes on from there (`resume`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from types import MappingProxyType
from typing import Protocol

from app import events
from app.attempts import AnswerFailed, AnswerInterrupted, Attempts, Emit, Speaker
from app.patience import Patience, patience_after
from app.pending import Pending
from app.tool_shelf import sent_tools
from providers.history import AssistantTurn, ToolTurn, Turn, UserTurn
from providers.parts import Stop
from providers.request import Choose, OneTool, Request, ToolChoice, ToolSpec
from tools.call import AnyCall, ErrorKind, ToolCall, ToolError, ToolResult
from tools.dispatch import dispatch
from tools.ledger import Scope
from tools.permission import Permit
from tools.tool import ToolContext
from tools.toolbox import Toolbox

Results = Mapping[int, ToolResult]
NOTHING: Results = MappingProxyType({})


class Conversation(Protocol):
    """Where the turns are: read before each request, told of each turn when it is whole."""

    @property
    def history(self) -> tuple[Turn, ...]:
        """Always one that a request can be built from."""
        ...

    @property
    def scope(self) -> Scope | None:
        """Where in the ledger the newest answer's calls stand. None where nothing lasts: then no
        write may run, as nobody could know later that it did."""
        ...

    @property
    def pending(self) -> Pending | None:
        """The newest answer, when its results are not kept yet; the history then ends in results
        that stand in for them, until others are kept."""
        ...

    async def keep(self, turn: Turn) -> None:
        """Store the turn as the newest; returns once it is safe."""
        ...


@dataclass(frozen=True, slots=True)
class Asking:
    """What stays the same in the requests of one message."""

    system: str = ""
    choice: ToolChoice = Choose.AUTO
    max_output_tokens: int | None = None


@dataclass(frozen=True, slots=True)
class _Message:
    """One message on its way: where it is kept, who answers, who hears of it, who permits."""

    conversation: Conversation
    speaker: Speaker
    emit: Emit
    asking: Asking = field(default_factory=Asking)
    permit: Permit | None = None


@dataclass(frozen=True, slots=True)
class Agent:
    """Answers messages with the tools of `toolbox`. Knows its surroundings only by these fields.

    With `first_tools` the tools are sent by stage: those, and what the model finds.
    """

    toolbox: Toolbox
    context: ToolContext
    attempts: Attempts
    on_tool_exception: Callable[[ToolCall, BaseException], None]
    first_tools: tuple[str, ...] | None = None

    async def answer(
        self,
        conversation: Conversation,
        text: str | None,
        speaker: Speaker,
        emit: Emit,
        asking: Asking | None = None,
        permit: Permit | None = None,
    ) -> events.Done:
        """Work on one message until it is over; `text` None goes on from the history as it is.

        `permit` is asked before each write; without it no write runs.

        When the task is cancelled the history is left so that the next request can be built
        from it, `Done(STOPPED)` is told, and CancelledError goes on to the caller.
        """
        if text is not None:
            await conversation.keep(UserTurn(text))
            emit(events.MessageStarted(text))
        message = _Message(conversation, speaker, emit, asking or Asking(), permit)
        return await _to_its_end(message, self._rounds(message, Patience()))

    async def resume(
        self,
        conversation: Conversation,
        speaker: Speaker,
        emit: Emit,
        asking: Asking | None = None,
        permit: Permit | None = None,
    ) -> events.Done:
        """Go on with the newest message, which was not over when the program ended.

        Its calls without a result run now, in their old places of the ledger: a write that was
        done is answered from there, one that was begun is answered as unknown, and neither is
        done again. Ends and is cancelled as `answer`.
        """
        message = _Message(conversation, speaker, emit, asking or Asking(), permit)
        return await _to_its_end(message, self._resumed(message))

    async def _resumed(self, message: _Message) -> events.Done:
        history, pending = message.conversation.history, message.conversation.pending
        if pending is None:
            return await self._rounds(message, patience_after(history))
        patience = patience_after(history[:-2])  # before the answer and what stands in for results
        number = patience.begin_round()
        message.emit(events.Resumed(number, pending.turn, pending.results))
        ending = await self._run(message, pending.turn, patience, pending.results)
        if ending is not None:
            return events.Done(ending)
        return await self._rounds(message, patience)

    async def _rounds(self, message: _Message, patience: Patience) -> events.Done:
        while not patience.over:
            turn = await self._asked(message, patience.begin_round())
            if turn.calls:
                ending = await self._run(message, turn, patience)
                if ending is not None:
                    return events.Done(ending)
            elif turn.stop is not Stop.PAUSED:
                return events.Done(events.Ending.ANSWERED)
        return events.Done(events.Ending.TOO_MANY_ROUNDS)

    async def _asked(self, message: _Message, number: int) -> AssistantTurn:
        """The answer of round `number`, kept and told."""
        speaker, emit = message.speaker, message.emit
        dialect = speaker.dialect
        emit(events.RoundStarted(number, speaker.origin, dialect.envelope, dialect.return_address))
        request = self._request(message, first=number == 1)
        gathering = await self.attempts.ask(speaker, request, emit)
        turn = gathering.turn()
        await _keep_answer(message.conversation, turn)
        emit(events.AnswerEnded(turn, gathering.usage))
        if _ignored(request.choice, turn):
            emit(events.ChoiceIgnored(request.choice))
        return turn

    def _request(self, message: _Message, *, first: bool) -> Request:
        asking = message.asking
        specs = tuple(
            ToolSpec(tool.name, tool.description, tool.parameters)
            for tool in self._tools_for(message)
        )
        return Request(
            model=message.speaker.origin.model,
            history=message.conversation.history,
            system=asking.system,
            tools=specs,
            choice=_choice(asking.choice, specs, first=first),
            max_output_tokens=asking.max_output_tokens,
        )

    def _tools_for(self, message: _Message) -> Toolbox:
        """The tools that the model sees now, of those that are on."""
        first, choice = self.first_tools, message.asking.choice
        if first is not None and isinstance(choice, OneTool):
            first = (*first, choice.name)
        return sent_tools(self.toolbox, first, message.conversation.history)

    async def _run(
        self, message: _Message, turn: AssistantTurn, patience: Patience, known: Results = NOTHING
    ) -> events.Ending | None:
        """Answer the calls of a turn, but for those `known`; how the message ends, if it does."""
        if patience.repeated(turn.calls):
            await _refuse(message, turn.calls, known)
            return events.Ending.REPEATED_CALL
        results = await self._dispatched(message, turn.calls, known)
        if patience.beyond_mending(results):
            return events.Ending.CORRECTION_FAILED
        return None

    async def _dispatched(
        self, message: _Message, calls: Sequence[AnyCall], known: Results
    ) -> tuple[ToolResult, ...]:
        conversation, emit = message.conversation, message.emit
        answered = dict(known)

        def on_answered(place: int, result: ToolResult) -> None:
            answered[place] = result
            emit(events.CallAnswered(place, result))

        try:
            results = await dispatch(
                calls,
                # A model that calls although it was told not to gets nothing.
                Toolbox() if message.asking.choice is Choose.NONE else self._tools_for(message),
                self.context,
                on_running=lambda place: emit(events.CallRunning(place)),
                on_answered=on_answered,
                on_exception=self.on_tool_exception,
                on_overdue=lambda place: emit(events.CallOverdue(place)),
                permit=message.permit,
                scope=conversation.scope,
                answered=known,
            )
        except asyncio.CancelledError:
            results = tuple(
                answered.get(place) or cancelled(call) for place, call in enumerate(calls)
            )
            await _uninterrupted(conversation.keep(ToolTurn(results)))
            raise
        await _uninterrupted(conversation.keep(ToolTurn(results)))
        return results


async def _to_its_end(message: _Message, rounds: Coroutine[None, None, events.Done]) -> events.Done:
    """Tells how the rounds ended; leaves the history in order when they are cancelled."""
    try:
        done = await rounds
    except AnswerFailed as failed:
        done = events.Done(events.Ending.FAILED, failed.failure, failed.reference)
    except AnswerInterrupted as interrupted:
        await _uninterrupted(_keep_interrupted(message.conversation, interrupted.turn))
        message.emit(events.Done(events.Ending.STOPPED))
        raise asyncio.CancelledError from None
    except asyncio.CancelledError:
        message.emit(events.Done(events.Ending.STOPPED))
        raise
    message.emit(done)
    return done


def cancelled(
    call: AnyCall, reason: str = "The user stopped this before it was done."
) -> ToolResult:
    """The result of a call that was stopped before it was answered."""
    return ToolResult(call.call_id, call.name, error=ToolError(ErrorKind.CANCELLED, reason))


async def _refuse(message: _Message, calls: Sequence[AnyCall], known: Results) -> None:
    """Answer calls that do not run, because one of them came round after round."""
    reason = "Not run: the same call, with the same arguments, came in three rounds in a row."
    refused = partial(cancelled, reason=reason)
    results = tuple(known.get(place) or refused(call) for place, call in enumerate(calls))
    for place, result in enumerate(results):
        if place not in known:
            message.emit(events.CallAnswered(place, result))
    await _uninterrupted(message.conversation.keep(ToolTurn(results)))


def _choice(wanted: ToolChoice, tools: Sequence[ToolSpec], *, first: bool) -> ToolChoice:
    """A forced call is forced once: forced again, the model could never answer. And only a tool
    that is there can be demanded."""
    match wanted:
        case Choose.NONE if tools:
            return wanted
        case Choose.REQUIRED if tools and first:
            return wanted
        case OneTool(name) if first and any(tool.name == name for tool in tools):
            return wanted
        case _:
            return Choose.AUTO


def _ignored(choice: ToolChoice, turn: AssistantTurn) -> bool:
    """Whether an answer is not what the tool choice asked for."""
    match choice:
        case Choose.REQUIRED:
            return not turn.calls and turn.stop is not Stop.PAUSED
        case OneTool(name):
            others = any(call.name != name for call in turn.calls)
            return others or (not turn.calls and turn.stop is not Stop.PAUSED)
        case Choose.NONE:
            return bool(turn.calls)
        case Choose.AUTO:
            return False


async def _keep_answer(conversation: Conversation, turn: AssistantTurn) -> None:
    try:
        await _uninterrupted(conversation.keep(turn))
    except asyncio.CancelledError:
        await _keep_cancelled_calls(conversation, turn)
        raise


async def _keep_interrupted(conversation: Conversation, turn: AssistantTurn | None) -> None:
    if turn is None:
        return
    await conversation.keep(turn)
    await _keep_cancelled_calls(conversation, turn)


async def _keep_cancelled_calls(conversation: Conversation, turn: AssistantTurn) -> None:
    if turn.calls:
        await conversation.keep(ToolTurn(tuple(cancelled(call) for call in turn.calls)))


async def _uninterrupted(keeping: Coroutine[None, None, None]) -> None:
    """Finish keeping a turn, however often the person stops meanwhile: half a round is no
    history."""
    task, stopped = asyncio.ensure_future(keeping), False
    while not task.done():
        try:
            await asyncio.wait({task})
        except asyncio.CancelledError:
            stopped = True
    task.result()
    if stopped:
        raise asyncio.CancelledError
