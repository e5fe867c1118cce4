"""What a tool is, and how a function becomes one.

A tool is one function with a Pydantic model for its arguments:

    class Greeting(BaseModel):
        name: str

    @tool
    def greet(arguments: Greeting, context: ToolContext) -> JsonValue:
        "Greets a person by name."
        return {"text": f"Hello, {arguments.name}!"}

The docstring is what the model reads. A plain function runs in a thread, an `async` one in the
event loop. Which calls run when is `tools.dispatch`'s question.
"""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TypeAlias, TypeVar, overload

from pydantic import BaseModel

from tools.call import JsonObject
from tools.schema import parameters_of, strict_parameters_of

DEFAULT_TIME_LIMIT = 30.0
"""Seconds that a tool may take unless it says otherwise."""

JsonValue: TypeAlias = (
    "bool | int | float | str | Sequence[JsonValue] | Mapping[str, JsonValue] | None"
)
"""What a tool may return: anything that can be written as JSON."""


class Effect(StrEnum):
    """What a call does to the world. READ: may run again, may run beside others. WRITE: once,
    alone."""

    READ = "read"
    WRITE = "write"


@dataclass(frozen=True, slots=True)
class ToolContext:
    """Where a tool works. The database's file need not exist: it is made when it is needed."""

    workspace: Path
    database: Path


class ToolFailure(Exception):  # noqa: N818 - a failure is a word of ours: the tool could not
    """An expected failure. `str()` of it is told to the model: what happened and what to do."""


Runner: TypeAlias = Callable[[BaseModel, ToolContext], Awaitable[JsonValue]]
Arguments = TypeVar("Arguments", bound=BaseModel)
Returned: TypeAlias = "JsonValue | Awaitable[JsonValue]"


@dataclass(frozen=True, slots=True)
class Tool:
    """One thing that a model may ask for. `time_limit` is in seconds."""

    name: str
    description: str
    arguments: type[BaseModel]
    effect: Effect
    run: Runner
    time_limit: float = DEFAULT_TIME_LIMIT

    @property
    def parameters(self) -> JsonObject:
        """The arguments' JSON Schema, small enough for every provider. Made once: do not change."""
        return parameters_of(self.arguments)

    @property
    def strict_parameters(self) -> JsonObject | None:
        """The same for a provider's strict mode; None when no strict mode can express it."""
        return strict_parameters_of(self.arguments)


@overload
def tool(function: Callable[[Arguments, ToolContext], Returned], /) -> Tool: ...


@overload
def tool(
    *, effect: Effect = ..., time_limit: float = ..., name: str | None = ...
) -> Callable[[Callable[[Arguments, ToolContext], Returned]], Tool]: ...


def tool(
    function: Callable[[Arguments, ToolContext], Returned] | None = None,
    /,
    *,
    effect: Effect = Effect.READ,
    time_limit: float = DEFAULT_TIME_LIMIT,
    name: str | None = None,
) -> Tool | Callable[[Callable[[Arguments, ToolContext], Returned]], Tool]:
    """Makes a function a `Tool`, with or without options; raises TypeError if it is not fit."""

    def made(function: Callable[[Arguments, ToolContext], Returned]) -> Tool:
        description = inspect.getdoc(function)
        if not description:
            message = f"{function.__name__} needs a docstring: it is what the model reads"
            raise TypeError(message)
        model = _arguments_model(function)
        return Tool(
            name=name or function.__name__,
            description=description,
            arguments=model,
            effect=effect,
            run=_runner(function, model),
            time_limit=time_limit,
        )

    return made if function is None else made(function)


def _arguments_model(function: Callable[[Arguments, ToolContext], Returned]) -> type[Arguments]:
    """The Pydantic model of the function's first parameter."""
    parameters = list(inspect.signature(function, eval_str=True).parameters.values())
    model = parameters[0].annotation if len(parameters) == 2 else None
    if not (inspect.isclass(model) and issubclass(model, BaseModel)):
        message = f"{function.__name__} must take (arguments: a Pydantic model, context)"
        raise TypeError(message)
    return model  # type: ignore[return-value]  # the annotation that binds Arguments


def _runner(
    function: Callable[[Arguments, ToolContext], Returned], model: type[Arguments]
) -> Runner:
    in_loop = inspect.iscoroutinefunction(function)

    def in_thread(arguments: Arguments, context: ToolContext) -> Returned:
        try:
            return function(arguments, context)
        except StopIteration as error:  # which no future can carry: it would never be done
            message = f"{function.__name__} raised StopIteration"
            raise RuntimeError(message) from error

    async def run(arguments: BaseModel, context: ToolContext) -> JsonValue:
        if not isinstance(arguments, model):
            message = f"wanted {model.__name__}, got {type(arguments).__name__}"
            raise TypeError(message)
        if in_loop:
            returned = function(arguments, context)
        else:
            returned = await asyncio.to_thread(in_thread, arguments, context)
        return await returned if inspect.isawaitable(returned) else returned

    return run
