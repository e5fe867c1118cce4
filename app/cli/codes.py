"""Which exit codes does the command line promise?"""

from __future__ import annotations

from enum import IntEnum


class Code(IntEnum):
    """The contract's codes, and the shell's own for a closed pipe (128 + SIGPIPE)."""

    ANSWERED = 0
    FAILED = 1
    USAGE = 2
    CALL_FAILED = 3
    STOPPED = 130
    PIPE_CLOSED = 141
