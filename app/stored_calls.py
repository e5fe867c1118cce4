"""What is known of the calls of stored turns? Boards without a wire, until it is read in."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from itertools import pairwise

from app.call_views import CallBoard
from app.events import Done, Ending, Resumed
from providers.history import AssistantTurn, ToolTurn, Turn


def board_of_turns(turns: Iterable[Turn], unanswered: Collection[int] = ()) -> CallBoard:
    """The board of stored turns: each assistant turn is a round, without wire or fragments.

    `unanswered` are the places of the newest answer's calls whose results only stand in.
    """
    board = CallBoard()
    number = 0
    for turn, after in pairwise([*turns, None]):
        if isinstance(turn, AssistantTurn):
            number += 1
            results = after.results if isinstance(after, ToolTurn) else ()
            board.apply(Resumed(number, turn, dict(enumerate(results))))
    board.leave(unanswered)
    board.apply(Done(Ending.ANSWERED))
    return board
