"""What does a Responses request say, in neutral words?"""

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
from providers.simulator.reading import compact, member, objects, says_error, text, whole_number
from tools.call import JsonObject


def read(body: JsonObject) -> Conversation:
    """The conversation of a body, whatever rules it breaks: what has no sense is passed over."""
    offered = tuple(
        OfferedTool(text(tool.get("name")), tool.get("parameters") or {})
        for tool in objects(body.get("tools"))
        if tool.get("type") == "function"
    )
    tools, forced = _choice(offered, body.get("tool_choice"))
    return Conversation(
        model=text(body.get("model")),
        entries=tuple(_entries(body.get("input"))),
        tools=tools,
        forced=forced,
        stream=body.get("stream") is True,
        limit=whole_number(body.get("max_output_tokens")),
    )


def _choice(
    offered: tuple[OfferedTool, ...], choice: object
) -> tuple[tuple[OfferedTool, ...], bool]:
    if not isinstance(choice, dict):
        return choose(offered, mode=text(choice) or "auto")
    if choice.get("type") == "allowed_tools":
        names = tuple(text(tool.get("name")) for tool in objects(choice.get("tools")))
        return choose(offered, mode=text(choice.get("mode")) or "auto", names=names)
    return choose(offered, mode="required", names=(text(choice.get("name")),))


def _entries(items: object) -> Iterator[Entry]:
    if isinstance(items, str):
        yield UserText(items)
    for item in objects(items):
        match item.get("type", "message"):
            case "function_call":
                yield AskedCall(
                    text(item.get("call_id")), text(item.get("name")), text(item.get("arguments"))
                )
            case "function_call_output":
                output = item.get("output")
                said = output if isinstance(output, str) else compact(output)
                yield GivenResult(text(item.get("call_id")), said, says_error(said))
            case "message":
                yield from _message(item)
            case _:
                pass


def _message(item: JsonObject) -> Iterator[Entry]:
    content = item.get("content")
    texts = (
        [content]
        if isinstance(content, str)
        else [text(member(part, "text")) for part in objects(content)]
    )
    match item.get("role"):
        case "assistant":
            yield from (ModelText(said) for said in texts)
        case "user":
            yield from (UserText(said) for said in texts)
        case _:
            pass
