"""How is a turn written as JSON, and read again?

Written by hand over the dataclasses, not by Pydantic: what a model says may hold lone surrogates,
which Pydantic refuses and `json` keeps as escapes. Each document names its version, so that chats
of older programs stay readable.
"""

from __future__ import annotations

import json
from enum import StrEnum
from typing import Any, Final, TypeVar, assert_never

from providers.history import AssistantTurn, Origin, ToolTurn, Turn, UserTurn
from providers.parts import Stop
from tools.call import (
    AnyCall,
    BrokenCall,
    ErrorKind,
    FieldProblem,
    JsonObject,
    ToolCall,
    ToolError,
    ToolResult,
)

VERSION: Final = 1
USER_TURN_BEGINS: Final = f'{{"v":{VERSION},"turn":"user",'
"""How the JSON of every user turn begins, so that they can be counted without being read."""

Kind = TypeVar("Kind", bound=StrEnum)


class UnreadableTurnError(ValueError):
    """A stored turn is not what this program writes: damaged, or of a newer version."""


def turn_to_json(turn: Turn) -> str:
    """One line of ASCII JSON."""
    match turn:
        case UserTurn(text=text):
            document: JsonObject = {"turn": "user", "text": text}
        case AssistantTurn():
            document = {"turn": "assistant", **_assistant(turn)}
        case ToolTurn(results=results):
            document = {"turn": "tools", "results": [_result(result) for result in results]}
        case _:
            assert_never(turn)
    return _dump(document)


def turn_from_json(text: str) -> Turn:
    """The turn that `turn_to_json` wrote; raises UnreadableTurnError for anything else."""
    document = _load(text)
    try:
        match document["turn"]:
            case "user":
                return UserTurn(document["text"])
            case "assistant":
                return _read_assistant(document)
            case "tools":
                return ToolTurn(tuple(_read_result(result) for result in document["results"]))
            case other:
                raise UnreadableTurnError(f"wanted user, assistant or tools, got {other!r}")
    except (KeyError, TypeError, AttributeError) as problem:
        raise UnreadableTurnError(
            f"a part of the turn is missing or wrong: {problem!r}"
        ) from problem


def result_to_json(result: ToolResult) -> str:
    """One result on its own, as it is stored before its round is over."""
    return _dump(_result(result))


def result_from_json(text: str) -> ToolResult:
    """The result that `result_to_json` wrote; raises UnreadableTurnError for anything else."""
    document = _load(text)
    try:
        return _read_result(document)
    except (KeyError, TypeError, AttributeError) as problem:
        raise UnreadableTurnError(
            f"a part of the result is missing or wrong: {problem!r}"
        ) from problem


def _dump(document: JsonObject) -> str:
    return json.dumps({"v": VERSION, **document}, separators=(",", ":"))


def _load(text: str) -> JsonObject:
    try:
        document = json.loads(text)
    except ValueError as problem:
        raise UnreadableTurnError(f"wanted JSON: {problem}") from problem
    if not isinstance(document, dict) or document.get("v") != VERSION:
        raise UnreadableTurnError(f"wanted an object of version {VERSION}")
    return document


def _assistant(turn: AssistantTurn) -> JsonObject:
    origin = turn.origin
    return {
        "items": [item if isinstance(item, str) else _call(item) for item in turn.items],
        "origin": {"provider": origin.provider, "dialect": origin.dialect, "model": origin.model},
        "reasoning": turn.reasoning,
        "stop": turn.stop.value,
        "stop_raw": turn.stop_raw,
        "native": list(turn.native),
    }


def _read_assistant(document: JsonObject) -> AssistantTurn:
    return AssistantTurn(
        items=tuple(
            item if isinstance(item, str) else _read_call(item) for item in document["items"]
        ),
        origin=Origin(**document["origin"]),
        reasoning=document["reasoning"],
        stop=_member(Stop, document["stop"]),
        stop_raw=document["stop_raw"],
        native=tuple(document["native"]),
    )


def _call(call: AnyCall) -> JsonObject:
    whose = {"name": call.name, "provider": call.provider, "call_id": call.call_id}
    match call:
        case ToolCall(args=args):
            return {**whose, "args": args}
        case BrokenCall(raw=raw, reason=reason):
            return {**whose, "raw": raw, "reason": reason}
        case _:
            assert_never(call)


def _read_call(document: JsonObject) -> AnyCall:
    return ToolCall(**document) if "args" in document else BrokenCall(**document)


def _result(result: ToolResult) -> JsonObject:
    whose: JsonObject = {
        "call_id": result.call_id,
        "name": result.name,
        "seconds": result.seconds,
    }
    if result.error is None:
        return {**whose, "output": result.output}
    problems = [
        {"field": problem.field, "wanted": problem.wanted, "got": problem.got}
        for problem in result.error.problems
    ]
    error = {"kind": result.error.kind.value, "message": result.error.message}
    return {**whose, "error": {**error, "problems": problems}}


def _read_result(document: JsonObject) -> ToolResult:
    error: Any = document.get("error")
    return ToolResult(
        call_id=document["call_id"],
        name=document["name"],
        output=document.get("output"),
        error=None if error is None else _read_error(error),
        seconds=document["seconds"],
    )


def _read_error(document: JsonObject) -> ToolError:
    problems = tuple(FieldProblem(**problem) for problem in document["problems"])
    return ToolError(_member(ErrorKind, document["kind"]), document["message"], problems)


def _member(kinds: type[Kind], value: str) -> Kind:
    try:
        return kinds(value)
    except ValueError as problem:
        raise UnreadableTurnError(str(problem)) from problem
