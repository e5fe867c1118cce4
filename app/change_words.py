"""How is a person told what a write would change? In their language, safe to show."""

from __future__ import annotations

import json

from app.messages import Messages
from app.safe_text import safe
from tools.call import ToolCall
from tools.permission import Change


def change_sentence(change: Change, texts: Messages) -> str:
    """What will change, in one line; "" when the tool has no words for it.

    A person's own tool may give a sentence instead of a message key: it is used as it stands.
    """
    if not change.wording:
        return ""
    values = {
        name: safe(value, newlines=False) if isinstance(value, str) else value
        for name, value in change.values.items()
    }
    try:
        return safe(texts(change.wording, **values), newlines=False)
    except (KeyError, IndexError, ValueError):  # a sentence whose placeholders do not fit
        return safe(change.wording, newlines=False)


def earlier_sentence(change: Change, texts: Messages) -> str:
    """That the same was done in this chat already, and when; "" when it was not."""
    if change.earlier is None:
        return ""
    return texts("permission.earlier", time=f"{change.earlier.astimezone():%Y-%m-%d %H:%M}")


def arguments_text(call: ToolCall) -> str:
    """The arguments as the tool gets them, complete, over several lines."""
    return safe(json.dumps(call.args, ensure_ascii=False, indent=2, default=str))
