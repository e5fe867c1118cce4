"""What does the ledger know of calls that the program's end left without a result in the chat?"""

from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path
from typing import Final

from app.conversations import Chat
from tools.call import ErrorKind, ToolCall, ToolError
from tools.database import DatabaseVersionError
from tools.ledger import Ledger, entry_for
from tools.outcome import Outcome, result_of

TROUBLE: Final = (sqlite3.Error, OSError, DatabaseVersionError)
"""What looking into the ledger may raise."""


async def learn_from_ledger(chat: Chat, database: Path, *, begun: bool) -> None:
    """Give the chat what came of its unanswered writes; nothing is run or changed.

    With `begun`, a write that was begun and has no end counts as unknown. Without it such a write
    is left unanswered: another program may be at it right now. Raises `TROUBLE`.
    """
    scope = chat.scope
    if scope is None or not chat.unanswered:
        return
    ledger = Ledger(database)
    for place, call in chat.unanswered.items():
        if not isinstance(call, ToolCall):
            continue
        outcome = await asyncio.to_thread(ledger.recall, entry_for(scope, place, call))
        if outcome is not None and (begun or not _unknown(outcome)):
            chat.learn(place, result_of(call, outcome))


def _unknown(outcome: Outcome) -> bool:
    return isinstance(outcome, ToolError) and outcome.kind is ErrorKind.UNKNOWN_OUTCOME
