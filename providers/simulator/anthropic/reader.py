"""What does a Messages request say, in neutral words?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

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

_MODES = {"any": "required", "tool": "required", "none": "none"}


@dataclass(frozen=True, slots=True)
class Message:
    """One message as the server sees it: neighbours of the same role are one."""

    role: str
    blocks: list[JsonObject]


def merged(messages: object) -> list[Message]:
    """The messages, neighbours of the same role joined, strings turned into blocks."""
    joined: list[Message] = []
    for message in objects(messages):
        content = message.get("content")
        blocks = (
            [{"type": "text", "text": content}] if isinstance(content, str) else objects(content)
        )
        role = text(message.get("role"))
        if joined and joined[-1].role == role:
            joined[-1].blocks.extend(blocks)
        else:
            joined.append(Message(role, list(blocks)))
    return joined


def read(body: JsonObject) -> Conversation:
    """The conversation of a body, whatever rules it breaks: what has no sense is passed over."""
    offered = tuple(
        OfferedTool(text(tool.get("name")), tool.get("input_schema") or {})
        for tool in objects(body.get("tools"))
    )
    choice = body.get("tool_choice")
    name = text(member(choice, "name"))
    tools, forced = choose(
        offered,
        mode=_MODES.get(text(member(choice, "type")), "auto"),
        names=(name,) if name else (),
    )
    return Conversation(
        model=text(body.get("model")),
        entries=tuple(
            entry
            for message in merged(body.get("messages"))
            for block in message.blocks
            for entry in _entries(message.role, block)
        ),
        tools=tools,
        forced=forced,
        stream=body.get("stream") is True,
        limit=whole_number(body.get("max_tokens")),
    )


def _entries(role: str, block: JsonObject) -> Iterator[Entry]:
    match block.get("type"):
        case "text":
            said = text(block.get("text"))
            yield UserText(said) if role == "user" else ModelText(said)
        case "tool_use":
            yield AskedCall(
                text(block.get("id")), text(block.get("name")), compact(block.get("input"))
            )
        case "tool_result":
            content = block.get("content")
            said = (
                content
                if isinstance(content, str)
                else "".join(text(part.get("text")) for part in objects(content))
            )
            yield GivenResult(text(block.get("tool_use_id")), said, block.get("is_error") is True)
        case _:
            pass
