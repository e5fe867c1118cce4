"""The command line. Each command is one file here and is loaded when it is called."""

from __future__ import annotations

import sys


def main() -> None:
    """The console command `vitral`: does what its arguments say and ends the program."""
    arguments = sys.argv[1:]
    if not arguments:
        # The app alone needs no parser: it starts sooner without one.
        from app.cli.opening import Opening, open_app

        sys.exit(open_app(Opening()))

    from app.cli.running import run

    sys.exit(run(arguments))
