"""What a tool is, and how a function becomes one.

A tool is one function with a Pydantic model for its arguments:

    class Greeting(BaseModel):
        name: str

    @tool
    def greet(arguments: Greeting, context: ToolContext) -> JsonValue:
        "Greets a person by name."
        return {"text": f"Hello, {arguments.name}!"}

The docstring is what the model reads. A plain function runs in a thread of its own, an `async` one
in the event loop. Which calls run when is `tools.dispatch`'s question.

A tool that changes things says `effect=Effect.WRITE`: then a person is asked first, and it runs
once and alone. If all that it changes is in the demo database it also says `transactional=True`
and works on `context.transaction`; the ledger then keeps its record in the same transaction.
A write raises ToolFailure only when it has changed nothing.
"""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias, TypedDict, TypeVar, Unpack, cast, overload

from pydantic import BaseModel

from tools.at_work import at_work
from tools.call import JsonObject
from tools.permission import Change
from tools.schema import parameters_of, strict_parameters_of
from tools.strange import borne, in_own_thread

if TYPE_CHECKING:
    import sqlite3

DEFAULT_TIME_LIMIT = 30.0
"""Seconds that a tool may take unless it says otherwise."""

OUTPUT_BYTES = 64 * 1024
"""The most that one result may hold, as UTF-8 JSON, unless its tool says otherwise."""

JsonValue: TypeAlias = (
    bool | int | float | str | Sequence["JsonValue"] | Mapping[str, "JsonValue"] | None
)
"""What a tool may return: anything that can be written as JSON."""


class Effect(StrEnum):
    """What a call does to the world. READ: may run again, may run beside others. WRITE: once,
    alone."""

    READ = "read"
    WRITE = "write"


class Role(StrEnum):
    """What the person who sits here may do, as their settings say."""

    VIEWER = "viewer"
    SUPPORT = "support"


@dataclass(frozen=True, slots=True)
class ToolContext:
    """Where a tool works, and for whom. The database's file is made when it is needed.

    Nothing in it comes from a model. Whoever forgets to name a role gets the lesser one.
    """

    workspace: Path
    database: Path
    role: Role = Role.VIEWER
    connection: sqlite3.Connection | None = None

    @property
    def transaction(self) -> sqlite3.Connection:
        """The database inside the ledger's transaction, which commits or takes back what is done
        on it; for transactional tools."""
        if self.connection is None:
            message = "only a transactional tool has a transaction"
            raise RuntimeError(message)
        return self.connection


class ToolFailure(Exception):  # noqa: N818 - a failure is a word of ours: the tool could not
    """An expected failure. `str()` of it is told to the model: what happened and what to do."""


class TransientFailure(ToolFailure):
    """An expected failure that may be over at once: a read that raises it runs once more."""


Runner: TypeAlias = Callable[[BaseModel, ToolContext], Awaitable[JsonValue]]
Plain: TypeAlias = Callable[[BaseModel, ToolContext], JsonValue]
Preview: TypeAlias = Callable[[BaseModel, ToolContext], Change]
Arguments = TypeVar("Arguments", bound=BaseModel)
Result = TypeVar("Result")
Returned: TypeAlias = "JsonValue | Awaitable[JsonValue]"


@dataclass(frozen=True, slots=True)
class Tool:
    """One thing that a model may ask for.

    `time_limit` (seconds) ends a read; a write is never cut in the middle, so for it the limit is
    when the person is told that it takes long. `output_limit` is in bytes of JSON.
    """

    name: str
    description: str
    arguments: type[BaseModel]
    effect: Effect
    run: Runner
    time_limit: float = DEFAULT_TIME_LIMIT
    output_limit: int = OUTPUT_BYTES
    permission: str = ""
    """The key of the message that says what a write will change; its placeholders are the
    arguments unless `preview` gives others."""
    preview: Preview | None = None
    """Looks, without changing anything, at what the call would change. Raises ToolFailure when
    the call would be refused anyway: then nobody is asked."""
    in_transaction: Plain | None = None
    """The effect, for a tool whose whole effect is in the ledger's transaction; else None."""

    @property
    def parameters(self) -> JsonObject:
        """The arguments' JSON Schema, small enough for every provider. Made once: do not change."""
        return parameters_of(self.arguments)

    @property
    def strict_parameters(self) -> JsonObject | None:
        """The same for a provider's strict mode; None when no strict mode can express it."""
        return strict_parameters_of(self.arguments)


class Options(TypedDict, total=False):
    """What `@tool(...)` takes besides `preview`; `Tool` says what each means."""

    name: str
    effect: Effect
    time_limit: float
    output_limit: int
    permission: str
    transactional: bool


Decorator: TypeAlias = Callable[[Callable[[Arguments, ToolContext], Returned]], Tool]


@overload
def tool(function: Callable[[Arguments, ToolContext], Returned], /) -> Tool: ...


@overload
def tool(**options: Unpack[Options]) -> Decorator[Arguments]: ...


@overload
def tool(
    *, preview: Callable[[Arguments, ToolContext], Change], **options: Unpack[Options]
) -> Decorator[Arguments]: ...


def tool(
    function: Callable[[Arguments, ToolContext], Returned] | None = None,
    /,
    *,
    preview: Callable[[Arguments, ToolContext], Change] | None = None,
    **options: Unpack[Options],
) -> Tool | Decorator[Arguments]:
    """Makes a function a `Tool`, with or without options; raises TypeError if it is not fit."""

    def made(function: Callable[[Arguments, ToolContext], Returned]) -> Tool:
        description = inspect.getdoc(function)
        if not description:
            message = f"{function.__name__} needs a docstring: it is what the model reads"
            raise TypeError(message)
        model = _arguments_model(function)
        transactional = options.get("transactional", False)
        effect = options.get("effect", Effect.READ)
        if transactional and (effect is Effect.READ or inspect.iscoroutinefunction(function)):
            message = f"{function.__name__} must be a plain function that writes: transactional"
            raise TypeError(message)
        return Tool(
            name=options.get("name", function.__name__),
            description=description,
            arguments=model,
            effect=effect,
            run=_runner(function, model),
            time_limit=options.get("time_limit", DEFAULT_TIME_LIMIT),
            output_limit=options.get("output_limit", OUTPUT_BYTES),
            permission=options.get("permission", ""),
            preview=_checking(preview, model) if preview else None,
            in_transaction=cast(Plain, _checking(function, model)) if transactional else None,
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


def _checking(
    function: Callable[[Arguments, ToolContext], Result], model: type[Arguments]
) -> Callable[[BaseModel, ToolContext], Result]:
    """The function for arguments of any model; raises TypeError for those of another one."""

    def checking(arguments: BaseModel, context: ToolContext) -> Result:
        if not isinstance(arguments, model):
            message = f"wanted {model.__name__}, got {type(arguments).__name__}"
            raise TypeError(message)
        try:
            with at_work():
                return function(arguments, context)
        except BaseException as error:  # noqa: BLE001 - raised as what can be borne
            raise borne(error, function.__name__)  # noqa: B904 - it has its cause already

    return checking


def _runner(
    function: Callable[[Arguments, ToolContext], Returned], model: type[Arguments]
) -> Runner:
    checking = _checking(function, model)
    in_loop = inspect.iscoroutinefunction(function)

    async def run(arguments: BaseModel, context: ToolContext) -> JsonValue:
        if in_loop:
            returned = checking(arguments, context)
        else:
            returned = await in_own_thread(checking, arguments, context)
        if not inspect.isawaitable(returned):
            return returned
        try:
            with at_work():
                return await returned
        except BaseException as error:  # noqa: BLE001 - raised as what can be borne
            raise borne(error, function.__name__)  # noqa: B904 - it has its cause already

    return run
