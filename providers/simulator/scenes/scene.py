"""What is a scene: what may the person say, and what does the model say and call then?

The shape of the file, checked by Pydantic. What must agree between its parts (a fault's name, a
result that is spoken of) is for `consistency`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal, TypeAlias, get_args

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, JsonValue

Language: TypeAlias = Literal["en", "pt-BR", "es"]
LANGUAGES: tuple[Language, ...] = get_args(Language)

FRAGMENTS_PER_SECOND = 40.0
"""About what a real model says."""


def _in_each_language(value: object) -> object:
    """A text alone is the same in each language."""
    return dict.fromkeys(LANGUAGES, value) if isinstance(value, str) else value


Text: TypeAlias = Annotated[str, Field(min_length=1)]
Worded: TypeAlias = Annotated[
    dict[Language, Text], BeforeValidator(_in_each_language), Field(min_length=1)
]
"""A text in one language or more."""


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Pace(_Part):
    """How the bytes of an answer come. All pauses are in seconds of a real model's time."""

    fragments_per_second: float = Field(default=FRAGMENTS_PER_SECOND, gt=0, le=10_000)
    pause_before: float = Field(default=0, ge=0, le=600)
    """Before the first fragment."""
    pause_between: float = Field(default=0, ge=0, le=600)
    """Between text and call, and between two calls."""
    read_bytes: int | None = Field(default=None, ge=1, le=1_000_000)
    """How many bytes one read of the network gives; without it, any number."""


class Call(_Part):
    """A call to make. `as` is the name by which texts speak of its result: `{height.value}`."""

    tool: Text
    arguments: dict[str, JsonValue] = {}
    raw: Text | None = None
    """The arguments as they go out, where they are to be no JSON."""
    as_: Text | None = Field(default=None, alias="as")

    @property
    def name(self) -> str:
        """What its result is called."""
        return self.as_ or self.tool


class Strike(_Part):
    """A fault, or several with commas between them, that strikes the answer so many times."""

    fault: Text
    times: int = Field(default=1, ge=1)
    always: bool = False
    seed: int = 0
    wait: float | None = Field(default=None, ge=0)
    """The least seconds that the client must wait before it tries again."""


class Expects(_Part):
    """What the client's request must bring when the step begins."""

    values: list[Text] = []
    """Calls of the step before that must have given a value."""
    errors: list[Text] = []
    """Calls of the step before that must have given an error: the story goes on from there."""
    tool_choice: Text | None = None
    """`auto`, `none`, `required`, or the name of the one tool."""


class Step(_Part):
    """One answer of the model: a text, calls, or both."""

    text: Worded | None = None
    reasoning: Worded | None = None
    calls: list[Call] = []
    pace: Pace | None = None
    faults: list[Strike] = []
    """One after the other, each on the answers that the one before has left whole."""
    expects: Expects = Expects()
    refused: Worded | None = None
    """What is said instead when the person did not permit a call of the step before."""
    failed: Worded | None = None
    """What is said instead when a call of the step before failed otherwise."""


class Turn(_Part):
    """What the person may say, and the model's steps from there to the end of its answer."""

    message: Worded | None = None
    """What the person says in this story; without it and `hears`, any text is meant."""
    hears: dict[Language, list[Text]] = {}
    """Other words for it: a phrase is heard when all its words come, in their order."""
    steps: list[Step] = Field(min_length=1)


class Scene(_Part):
    """A whole scene."""

    title: Worded
    summary: Worded
    model: Text | None = None
    """The simulated model that plays it best."""
    files: list[Text] = []
    """Files of the workspace that must be there."""
    pace: Pace = Pace()
    tool_choice: Text | None = None
    """What the person's program is to demand while it plays: `auto`, `none`, `required`, or the
    name of one tool."""
    unheard: Literal["brain", "say"] = "brain"
    """What answers a text that no turn hears: the simulator itself, or a word that says so."""
    turns: list[Turn] = Field(min_length=1)

    @property
    def languages(self) -> tuple[Language, ...]:
        """The languages that it is written in."""
        return tuple(self.title)

    @property
    def tools(self) -> tuple[str, ...]:
        """The tools that it calls, each once, in the order of the calls."""
        calls = (call for turn in self.turns for step in turn.steps for call in step.calls)
        return tuple(dict.fromkeys(call.tool for call in calls))

    def opening(self, language: str) -> str:
        """What the person says first; "" where anything will do."""
        message = self.turns[0].message
        return worded(message, language) if message else ""


def worded(texts: Mapping[Language, str], language: str) -> str:
    """A text in a language (`pt_BR` is `pt-BR`); without it in English, else in any."""
    tag = language.replace("_", "-")
    found = (text for name, text in texts.items() if name in (tag, LANGUAGES[0]) and text)
    exact = (text for name, text in texts.items() if name == tag)
    return next(exact, None) or next(found, None) or next(iter(texts.values()))
