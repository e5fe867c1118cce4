"""How is the verdict on a client told, once the server that watched it ends?"""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from app.cli.output import write_json, write_line
from app.messages import Messages

if TYPE_CHECKING:
    from providers.exchange import Handler
    from providers.simulator.verdict import Verdict


@contextmanager
def judged(handler: Handler, texts: Messages, *, as_json: bool) -> Iterator[Handler]:
    """The same server under watch; leaving the block, however that comes, tells the verdict."""
    from providers.simulator.verdict import Watch

    watch = Watch(handler)
    # Whoever stops a server in the background means what Ctrl+C means.
    before = signal.signal(signal.SIGTERM, lambda *_: signal.raise_signal(signal.SIGINT))
    try:
        yield watch.handle
    finally:
        signal.signal(signal.SIGTERM, before)
        if as_json:
            write_json(watch.verdict.as_json())
        else:
            tell(watch.verdict, texts)


def tell(verdict: Verdict, texts: Messages) -> None:
    """Say the verdict to a person."""
    if not verdict.requests:
        write_line(texts("cli.verdict.nothing"), style="dim")
        return
    if verdict.clean:
        write_line(texts.plural("cli.verdict.clean", verdict.requests), style="bold")
        return
    write_line(texts.plural("cli.verdict.wrong", len(verdict.findings)), style="bad")
    for finding in verdict.findings:
        write_line(
            texts(
                "cli.verdict.place",
                number=finding.number,
                dialect=finding.dialect,
                model=finding.model,
                said=texts(f"cli.verdict.{finding.rule.value}", **finding.facts),
            )
        )
