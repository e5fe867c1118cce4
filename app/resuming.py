"""What does the ledger know of calls that the program's end left without a result in the chat?"""

from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path
from typing import Final

from app.conversations import Chat
from tools.call import ErrorKind, ToolResult
from tools.database import DatabaseVersionError
from tools.ledger import Ledger

TROUBLE: Final = (sqlite3.Error, OSError, DatabaseVersionError)
"""What looking into the ledger may raise."""


async def learn_from_ledger(chat: Chat, database: Path, *, begun: bool) -> None:
    """Give the chat what came of its unanswered writes; nothing is run or changed.

    With `begun`, a write that was begun and has no end counts as unknown. Without it such a write
    is left unanswered: another program may be at it right now. Raises `TROUBLE`.
    """
    scope, pending = chat.scope, chat.pending
    if scope is None or pending is None or not pending.unanswered:
        return
    known = await asyncio.to_thread(Ledger(database).results, scope, pending.turn.calls)
    for place, result in known.items():
        if place in pending.unanswered and (begun or not _unknown(result)):
            chat.learn(place, result)


def _unknown(result: ToolResult) -> bool:
    return result.error is not None and result.error.kind is ErrorKind.UNKNOWN_OUTCOME
