"""Which tools does the suite offer? None of them ever runs: their results are made up here.

They look like the app's own, so that the simulator knows them and a provider meets what it would
meet in a chat.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue

from providers.request import ToolSpec
from tools.arguments import ArgumentsError, checked
from tools.call import ToolCall, ToolResult
from tools.schema import parameters_of

HEIGHT, WEIGHT = 163, 58
"""Values that no model guesses: one that says them has read the results."""


class _Lookup(BaseModel):
    key: Literal["height", "weight"] = Field(description="Which measurement to look up.")


class _Nothing(BaseModel):
    model_config = ConfigDict(extra="forbid")


class _Writing(BaseModel):
    path: str = Field(description="The file's name.")
    text: str = Field(description="The whole text of the file, to the letter.")


@dataclass(frozen=True, slots=True)
class Offer:
    """A tool that a model is offered, and what its arguments must be."""

    name: str
    description: str
    arguments: type[BaseModel]

    @property
    def spec(self) -> ToolSpec:
        return ToolSpec(self.name, self.description, parameters_of(self.arguments))


LOOKUP = Offer("lookup_demo_value", "Looks up the person's height or weight.", _Lookup)
LIST = Offer("list_files", "Lists the person's files.", _Nothing)
WRITE = Offer("write_file", "Writes a text file.", _Writing)
NAMELESS = Offer("not a name!", "A tool whose name no server may take.", _Nothing)

_OFFERS: Mapping[str, Offer] = MappingProxyType(
    {offer.name: offer for offer in (LOOKUP, LIST, WRITE)}
)
_VALUES: Mapping[object, JsonValue] = MappingProxyType(
    {
        "height": {"key": "height", "value": HEIGHT, "unit": "cm"},
        "weight": {"key": "weight", "value": WEIGHT, "unit": "kg"},
    }
)


def made_up_result(call: ToolCall) -> ToolResult:
    """The answer to a call, as if its tool had run."""
    return ToolResult(call.call_id, call.name, _VALUES.get(call.args.get("key"), {"done": True}))


def misfit(call: ToolCall) -> str:
    """Why the arguments do not fit the tool that was offered; "" if they do."""
    offer = _OFFERS.get(call.name)
    if offer is None:
        return f"no tool {call.name!r}"
    try:
        checked(call.args, offer.arguments)
    except ArgumentsError as error:
        return str(error)
    return ""
