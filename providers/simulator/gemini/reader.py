"""What does a GenerateContent request say, in neutral words?

Calls have no ids of their own here, so the place of a call stands for its id.
"""

from __future__ import annotations

from collections.abc import Iterator

from providers.simulator.conversation import (
    AskedCall,
    Conversation,
    Entry,
    GivenResult,
    ModelText,
    OfferedTool,
    UserText,
    choose,
)
from providers.simulator.reading import compact, member, objects, text, whole_number
from tools.call import JsonObject

_MODES = {"ANY": "required", "NONE": "none"}


def read(body: JsonObject) -> Conversation:
    """The conversation of a body, whatever rules it breaks. Its model is in the address."""
    offered = tuple(
        OfferedTool(
            text(declaration.get("name")),
            declaration.get("parametersJsonSchema") or declaration.get("parameters") or {},
        )
        for tool in objects(body.get("tools"))
        for declaration in objects(tool.get("functionDeclarations"))
    )
    calling = member(body.get("toolConfig"), "functionCallingConfig")
    allowed = member(calling, "allowedFunctionNames")
    tools, forced = choose(
        offered,
        mode=_MODES.get(text(member(calling, "mode")), "auto"),
        names=tuple(text(name) for name in allowed) if isinstance(allowed, list) else (),
    )
    return Conversation(
        model="",
        entries=tuple(_entries(body.get("contents"))),
        tools=tools,
        forced=forced,
        limit=whole_number(member(body.get("generationConfig"), "maxOutputTokens")),
    )


def _entries(contents: object) -> Iterator[Entry]:
    for place, content in enumerate(objects(contents)):
        calls = responses = 0
        for part in objects(content.get("parts")):
            if isinstance(call := part.get("functionCall"), dict):
                arguments = compact(call.get("args") or {})
                yield AskedCall(f"{place}.{calls}", text(call.get("name")), arguments)
                calls += 1
            elif isinstance(given := part.get("functionResponse"), dict):
                yield _result(f"{place - 1}.{responses}", given)
                responses += 1
            elif part.get("thought") is not True and (said := text(part.get("text"))):
                yield ModelText(said) if content.get("role") == "model" else UserText(said)


def _result(call_id: str, given: JsonObject) -> GivenResult:
    said = given.get("response")
    response = said if isinstance(said, dict) else {}
    failed = "error" in response
    value = response["error"] if failed else response.get("output", response)
    return GivenResult(call_id, value if isinstance(value, str) else compact(value), failed)
