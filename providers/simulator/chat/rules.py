"""Which requests does a Chat Completions server refuse, and with which words?

Results stand right after the message with their calls. The real server takes them in any order;
we hold to the calls' order, with the words it has for a missing result.
"""

from __future__ import annotations

from collections import deque

from providers.simulator.openai_schemas import check_schema
from providers.simulator.openai_words import (
    check_id,
    check_limit,
    check_name,
    refuse,
    refuse_empty_array,
    refuse_missing,
    refuse_type,
)
from providers.simulator.reading import member, objects, text
from tools.call import JsonObject

_ROLES = ("system", "developer", "user", "assistant", "tool")


def check(body: JsonObject) -> None:
    """Raises `RefusedError` for a body that breaks a rule."""
    for name in ("model", "messages"):
        if name not in body:
            refuse_missing(name)
    for name in ("max_completion_tokens", "max_tokens"):
        check_limit(body.get(name), name, least=1)
    _check_tools(body)
    messages = body["messages"]
    if not isinstance(messages, list):
        refuse_type("messages", "an array of objects", messages)
    if not messages:
        refuse_empty_array("messages")
    open_calls: deque[str] = deque()
    for place, message in enumerate(messages):
        where = f"messages[{place}]"
        if not isinstance(message, dict):
            refuse_type(where, "an object", message)
        if message.get("role") == "tool":
            _take_result(message, place, open_calls)
            continue
        if open_calls:
            _refuse_unanswered(open_calls, place)
        _check_message(message, where)
        open_calls = deque(_call_ids(message, where))
    if open_calls:
        _refuse_unanswered(open_calls, len(messages))


def _check_tools(body: JsonObject) -> None:
    tools = body.get("tools")
    if tools == []:
        refuse_empty_array("tools")
    names = set()
    for place, tool in enumerate(objects(tools)):
        if not isinstance(tool.get("function"), dict):
            refuse_missing(f"tools[{place}].function")
        names.add(check_name(tool["function"].get("name"), f"tools[{place}].function.name"))
        check_schema(tool["function"], f"tools[{place}].function.parameters")
    for name in ("tool_choice", "parallel_tool_calls"):
        if not tools and body.get(name) not in (None, "none"):
            message = (
                f"Invalid value for '{name}': '{name}' is only allowed when 'tools' are specified."
            )
            refuse(message, name)
    wanted = text(member(member(body.get("tool_choice"), "function"), "name"))
    if wanted and wanted not in names:
        refuse(
            "Invalid value for 'tool_choice': Tool choice function "
            f"'{wanted}' not found in 'tools'.",
            "tool_choice",
        )


def _check_message(message: JsonObject, where: str) -> None:
    role = message.get("role")
    if role not in _ROLES:
        names = ", ".join(f"'{name}'" for name in _ROLES)
        refuse(
            f"Invalid value: '{role}'. Supported values are: {names}.",
            f"{where}.role",
            "invalid_value",
        )
    if message.get("content") is None and message.get("tool_calls") is None:
        refuse(
            "Invalid value for 'content': expected a string, got null.",
            f"{where.replace('[', '.[')}.content",
        )


def _call_ids(message: JsonObject, where: str) -> list[str]:
    if message.get("tool_calls") is None:
        return []
    if message["tool_calls"] == []:
        refuse_empty_array(f"{where}.tool_calls")
    ids = []
    for place, call in enumerate(objects(message["tool_calls"])):
        at = f"{where}.tool_calls[{place}]"
        ids.append(check_id(call.get("id"), f"{at}.id"))
        function = call.get("function")
        if call.get("type") != "function" or not isinstance(function, dict):
            refuse_missing(f"{at}.type" if "type" not in call else f"{at}.function")
        check_name(function.get("name"), f"{at}.function.name")
        if not isinstance(function.get("arguments"), str):
            refuse_type(f"{at}.function.arguments", "a string", function.get("arguments"))
    return ids


def _take_result(message: JsonObject, place: int, open_calls: deque[str]) -> None:
    if not open_calls:
        refuse(
            "Invalid parameter: messages with role 'tool' must be a response to a preceeding "
            "message with 'tool_calls'.",
            f"messages.[{place}].role",
        )
    call_id = check_id(message.get("tool_call_id"), f"messages[{place}].tool_call_id")
    if not isinstance(message.get("content"), str | list):
        refuse(
            "Invalid value for 'content': expected a string, got null.",
            f"messages.[{place}].content",
        )
    if call_id not in open_calls:
        refuse(
            f"Invalid parameter: 'tool_call_id' of '{call_id}' not found in 'tool_calls' of "
            "previous message.",
            f"messages.[{place}].tool_call_id",
        )
    if call_id != open_calls[0]:
        _refuse_unanswered(open_calls, place)
    open_calls.popleft()


def _refuse_unanswered(open_calls: deque[str], place: int) -> None:
    refuse(
        "An assistant message with 'tool_calls' must be followed by tool messages responding to "
        "each 'tool_call_id'. The following tool_call_ids did not have response messages: "
        + ", ".join(open_calls),
        f"messages.[{place}].role",
    )
