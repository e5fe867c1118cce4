"""The loop: ask, assemble, run, answer. There is no screen in it and no storage format.

A message takes at most `ROUNDS` rounds. In each, the provider is asked (`app.attempts`), the
answer's calls run once the answer is whole (`tools.dispatch`), and their results go into the next
request. Each turn is kept the moment it is whole, so that nothing shown as finished is lost.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Protocol

from app import events
from app.attempts import AnswerFailed, AnswerInterrupted, Attempts, Emit, Speaker
from providers.history import AssistantTurn, ToolTurn, Turn, UserTurn
from providers.parts import Stop
from providers.request import Choose, Request, ToolChoice, ToolSpec
from tools.call import AnyCall, ErrorKind, ToolCall, ToolError, ToolResult
from tools.dispatch import dispatch
from tools.tool import ToolContext
from tools.toolbox import Toolbox

ROUNDS = 8
"""Rounds that one message may take."""

CORRECTIONS = 1
"""How often a model may mend its calls of one tool before the person is told."""

_MENDABLE = {ErrorKind.INVALID_ARGUMENTS, ErrorKind.BROKEN_CALL, ErrorKind.UNKNOWN_TOOL}


class Conversation(Protocol):
    """Where the turns are: read before each request, told of each turn when it is whole."""

    @property
    def history(self) -> tuple[Turn, ...]: ...

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
class Agent:
    """Answers messages with the tools of `toolbox`. Knows its surroundings only by these fields."""

    toolbox: Toolbox
    context: ToolContext
    attempts: Attempts
    on_tool_exception: Callable[[ToolCall, BaseException], None]

    async def answer(
        self,
        conversation: Conversation,
        text: str | None,
        speaker: Speaker,
        emit: Emit,
        asking: Asking | None = None,
    ) -> events.Done:
        """Work on one message until it is over; `text` None goes on from the history as it is.

        When the task is cancelled the history is left so that the next request can be built
        from it, `Done(STOPPED)` is told, and CancelledError goes on to the caller.
        """
        if text is not None:
            await conversation.keep(UserTurn(text))
            emit(events.MessageStarted(text))
        try:
            done = await self._rounds(conversation, speaker, emit, asking or Asking())
        except AnswerFailed as failed:
            done = events.Done(events.Ending.FAILED, failed.failure, failed.reference)
        except AnswerInterrupted as interrupted:
            await _uninterrupted(_keep_interrupted(conversation, interrupted.turn))
            emit(events.Done(events.Ending.STOPPED))
            raise asyncio.CancelledError from None
        except asyncio.CancelledError:
            emit(events.Done(events.Ending.STOPPED))
            raise
        emit(done)
        return done

    async def _rounds(
        self, conversation: Conversation, speaker: Speaker, emit: Emit, asking: Asking
    ) -> events.Done:
        mistakes: Counter[str] = Counter()
        dialect = speaker.dialect
        for number in range(1, ROUNDS + 1):
            emit(
                events.RoundStarted(
                    number, speaker.origin, dialect.envelope, dialect.return_address
                )
            )
            request = self._request(conversation, speaker, asking, first=number == 1)
            gathering = await self.attempts.ask(speaker, request, emit)
            turn = gathering.turn()
            await _keep_answer(conversation, turn)
            emit(events.AnswerEnded(turn, gathering.usage))
            if turn.calls:
                results = await self._run(conversation, turn.calls, emit)
                if _beyond_mending(results, mistakes):
                    return events.Done(events.Ending.CORRECTION_FAILED)
            elif turn.stop is not Stop.PAUSED:
                return events.Done(events.Ending.ANSWERED)
        return events.Done(events.Ending.TOO_MANY_ROUNDS)

    def _request(
        self, conversation: Conversation, speaker: Speaker, asking: Asking, *, first: bool
    ) -> Request:
        specs = tuple(
            ToolSpec(tool.name, tool.description, tool.parameters) for tool in self.toolbox
        )
        return Request(
            model=speaker.origin.model,
            history=conversation.history,
            system=asking.system,
            tools=specs,
            # A forced call is forced once: forced again, the model could never answer.
            choice=asking.choice if first or asking.choice is Choose.NONE else Choose.AUTO,
            max_output_tokens=asking.max_output_tokens,
        )

    async def _run(
        self, conversation: Conversation, calls: tuple[AnyCall, ...], emit: Emit
    ) -> tuple[ToolResult, ...]:
        answered: dict[int, ToolResult] = {}

        def on_answered(place: int, result: ToolResult) -> None:
            answered[place] = result
            emit(events.CallAnswered(place, result))

        try:
            results = await dispatch(
                calls,
                self.toolbox,
                self.context,
                on_running=lambda place: emit(events.CallRunning(place)),
                on_answered=on_answered,
                on_exception=self.on_tool_exception,
            )
        except asyncio.CancelledError:
            results = tuple(
                answered.get(place) or cancelled(call) for place, call in enumerate(calls)
            )
            await _uninterrupted(conversation.keep(ToolTurn(results)))
            raise
        await _uninterrupted(conversation.keep(ToolTurn(results)))
        return results


def cancelled(call: AnyCall) -> ToolResult:
    """The result of a call that the person stopped before it was answered."""
    error = ToolError(ErrorKind.CANCELLED, "The user stopped this before it was done.")
    return ToolResult(call.call_id, call.name, error=error)


def _beyond_mending(results: tuple[ToolResult, ...], mistakes: Counter[str]) -> bool:
    """Counts a round's mistakes by tool; whether one tool has used up its corrections."""
    wrong = {r.name for r in results if r.error is not None and r.error.kind in _MENDABLE}
    for name in {result.name for result in results} - wrong:
        mistakes.pop(name, None)
    mistakes.update(wrong)
    return any(mistakes[name] > CORRECTIONS for name in wrong)


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
    """Finish keeping a turn even when the person stops just then: half a round is no history."""
    task = asyncio.ensure_future(keeping)
    try:
        await asyncio.shield(task)
    except asyncio.CancelledError:
        await task
        raise
