"""What does a Chat Completions request say, in neutral words?"""

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
from providers.simulator.reading import member, objects, says_error, text, whole_number
from tools.call import JsonObject


def read(body: JsonObject) -> Conversation:
    """The conversation of a body, whatever rules it breaks: what has no sense is passed over."""
    functions = (member(tool, "function") for tool in objects(body.get("tools")))
    offered = tuple(
        OfferedTool(text(member(function, "name")), member(function, "parameters") or {})
        for function in functions
    )
    choice = body.get("tool_choice")
    if isinstance(choice, dict):
        names = (text(member(choice.get("function"), "name")),)
        tools, forced = choose(offered, mode="required", names=names)
    else:
        tools, forced = choose(offered, mode=text(choice) or "auto")
    return Conversation(
        model=text(body.get("model")),
        entries=tuple(
            entry for message in objects(body.get("messages")) for entry in _entries(message)
        ),
        tools=tools,
        forced=forced,
        stream=body.get("stream") is True,
        usage_wanted=bool(member(body.get("stream_options"), "include_usage")),
        limit=whole_number(body.get("max_completion_tokens", body.get("max_tokens"))),
    )


def _entries(message: JsonObject) -> Iterator[Entry]:
    said = _content(message.get("content"))
    match message.get("role"):
        case "user":
            yield UserText(said)
        case "assistant":
            if said:
                yield ModelText(said)
            for call in objects(message.get("tool_calls")):
                function = call.get("function")
                yield AskedCall(
                    text(call.get("id")),
                    text(member(function, "name")),
                    text(member(function, "arguments")),
                )
        case "tool":
            yield GivenResult(text(message.get("tool_call_id")), said, says_error(said))
        case _:
            pass


def _content(content: object) -> str:
    if isinstance(content, list):
        return "".join(text(part.get("text")) for part in objects(content))
    return text(content)
