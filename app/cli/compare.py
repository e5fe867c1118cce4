"""`vitral compare`: the same message to two to four providers, side by side."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import click

from app.cli.codes import Code
from app.cli.options import json_option
from app.cli.output import write_json
from app.cli.teaching import Taught, taught
from app.messages import Messages

if TYPE_CHECKING:
    from app import events
    from app.cli.answer import Answer
    from app.comparing import Timing
    from tools.call import JsonObject


@dataclass(slots=True)
class Lane:
    """One provider's share of a comparison."""

    word: str
    answer: Answer
    timing: Timing

    def take(self, event: events.Event) -> None:
        """Take the next event of this provider's."""
        self.answer.take(event)
        self.timing.take(event)

    def as_json(self) -> JsonObject:
        """The answer as `ask --json` has it, and when it came."""
        seconds = {
            "first_byte": self.timing.first_byte,
            "first_fragment": self.timing.first_fragment,
            "end": self.timing.end,
        }
        rounded = {name: None if s is None else round(s, 4) for name, s in seconds.items()}
        return {"asked": self.word, **self.answer.as_json(), "seconds": rounded}


def command(texts: Messages) -> Taught:
    """`compare` in a language."""

    def run(
        words: tuple[str, ...], speed: float | None, as_json: bool, language: str | None
    ) -> int:
        from app.comparing import FEWEST, MOST

        *asked, text = words
        if not FEWEST <= len(asked) <= MOST:
            raise click.UsageError(texts("cli.compare.how_many"))
        if not text.strip():
            raise click.UsageError(texts("cli.ask.empty"))
        return asyncio.run(_compare(asked, text, speed, texts, as_json=as_json))

    words = click.Argument(["words"], nargs=-1, required=True, metavar=texts("cli.compare.metavar"))
    speed = click.Option(
        ["--speed"],
        type=click.FloatRange(min=0, min_open=True),
        metavar=texts("cli.metavar.number"),
        help=texts("cli.option.speed"),
    )
    return taught("compare", texts, run, [words, speed, json_option(texts)])


async def _compare(
    asked: Sequence[str], text: str, speed: float | None, texts: Messages, *, as_json: bool
) -> int:
    from app.cli.answer import Answer
    from app.cli.compare_columns import Teller
    from app.cli.refusals import refused
    from app.comparing import Timing, beside, compare, contender, speakers
    from app.session import open_session
    from providers.catalogue import CatalogueError

    host = open_session(language=texts.language)
    async with AsyncExitStack() as stack:
        sessions = [beside(host, replace(contender(word), speed=speed)) for word in asked]
        for session in (host, *sessions):
            stack.push_async_callback(session.close)
        try:
            providers = await speakers(sessions)
        except CatalogueError as error:
            raise refused(error, texts) from error
        lanes = [
            Lane(word, Answer(provider.origin, host.shelf.whole), Timing())
            for word, provider in zip(asked, providers, strict=True)
        ]
        teller = None if as_json else Teller(texts, asked)

        def tell(place: int, event: events.Event) -> None:
            lanes[place].take(event)
            if teller is not None:
                teller.tell(place, event, lanes[place].timing)

        await compare(host, providers, text, tell)
    if as_json:
        write_json({"text": text, "answers": [lane.as_json() for lane in lanes]})
    return max((lane.answer.code for lane in lanes), key=_worst)


def _worst(code: Code) -> int:
    """The comparison ends as the worst of its answers does."""
    return (Code.ANSWERED, Code.CALL_FAILED, Code.STOPPED, Code.FAILED).index(code)
