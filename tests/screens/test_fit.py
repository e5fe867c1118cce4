"""Has every text its place on a small screen, in each language? Nothing cut, nothing covered."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from itertools import combinations
from pathlib import Path

import pytest
from textual.widget import Widget

from app.messages import LANGUAGES, Messages
from app.tui.actions import ACTIONS, Action
from app.tui.screens.help import HelpBody, help_lines
from app.tui.widgets.call_strip import CallStrip
from tests.call_writers import Wire
from tests.screens.moments import (
    HEIGHT,
    MAIN,
    MORE,
    Moment,
    Vitral,
    first_round,
    play,
    vitral,
    whole,
)

SMALL = (80, 24)
SIZES = (SMALL, (100, 30), (120, 40))
MOMENTS = {moment.name: moment for moment in (*MAIN, *MORE)}
BARS = re.compile("[▌█┃▍▐│]")


def key_bar(text: Messages, *, working: bool = False) -> list[str]:
    """What the line at the bottom says."""
    shown = [one for one in ACTIONS if one.bar and (working or one.name != "stop")]
    return [f"{one.key_shown} {text(one.title)}" for one in shown]


def keys(text: Messages, *names: str) -> list[str]:
    """The keys that a notice offers."""
    offered = [next(one for one in ACTIONS if one.name == name) for name in names]
    return [f"{one.key_shown} {text(one.title)}" for one in offered]


def plain(text: str) -> str:
    """A text without what its surface adds to it, on one line."""
    return " ".join(BARS.sub(" ", text).split())


def help_of(action: Action, text: Messages) -> str:
    return plain(f"{text(action.title)} {text(action.help)}")


Expected = Callable[[Messages], Sequence[str]]

EXPECTED: dict[str, Expected] = {
    "empty": lambda text: [
        *key_bar(text),
        *(text(f"chat.empty.{name}") for name in ("hello", "try", "first", "second", "third")),
        text("chat.placeholder")[1:],  # the cursor stands on the first letter
        text("chat.activity.ready"),
    ],
    "assembling": lambda text: [
        *key_bar(text, working=True),
        *keys(text, "panel"),
        text.plural("chat.calls", 2),
        text("chat.activity.answering"),
    ],
    "answered": lambda text: [
        *key_bar(text),
        text("chat.tokens_in", count=412),
        text("chat.tokens_out", count=38),
    ],
    "failed": lambda text: [
        text("fallback.no_answer"),
        text("chat.code") + " K7Q2",
        text("chat.call_cut"),
        *keys(text, "retry", "provider"),
    ],
    "waiting": lambda text: [
        *key_bar(text, working=True),
        text("chat.waiting.cut"),
        text.plural("chat.waiting.again", 3, attempt=2, limit=3),
        text("chat.activity.waiting"),
        *keys(text, "stop", "provider"),
    ],
    "picker": lambda text: [
        text("picker.title"),
        text("picker.simulator"),
        text("picker.key.environment", variable="OPENAI_API_KEY"),
        text("picker.key.keyring"),
        text("picker.key.missing"),
        text("picker.key.not_needed"),
        text("choice.keys"),
    ],
    "help": lambda text: [text("help.title"), text("help.keys")],
    "chats": lambda text: [text("chats.title"), text("chats.keys"), text.plural("chats.turns", 2)],
    "permission": lambda text: [
        text("permission.title", tool="create_routine"),
        text("panel.state.waiting"),
        text("permission.once"),
        text("permission.always", tool="create_routine"),
        text("permission.no"),
        text("permission.word"),
        text("permission.keys"),
    ],
    "drawer": lambda text: [
        text("panel.title"),
        text("panel.turn", number=1),
        text.plural("panel.complete", 2, complete=2),
        text("panel.state.answered"),
        text.plural("panel.fragments", 5),
        text("panel.keys"),
    ],
}


@asynccontextmanager
async def reached(
    moment: Moment, home: Path, language: str, size: tuple[int, int] = SMALL
) -> AsyncIterator[Vitral]:
    """The app at a moment."""
    app = vitral(home, language)
    async with app.run_test(size=size) as pilot:
        yield await play(moment, pilot)


def cut(rows: Sequence[str], outside: Sequence[str]) -> list[str]:
    """The texts that end before their end; those from `outside` may."""
    pieces = [piece for row in rows for piece in re.split(r"\s{2,}", row.strip())]
    ended = [piece[:-1] for piece in pieces if len(piece) > 1 and piece.endswith("…")]
    return [piece for piece in ended if not any(one.startswith(piece) for one in outside)]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", EXPECTED)
async def test_a_small_screen_says_all_its_words(name: str, language: str, tmp_path: Path) -> None:
    async with reached(MOMENTS[name], tmp_path, language) as small:
        said = plain(" ".join(small.picture))
        missing = [one for one in EXPECTED[name](Messages(language)) if plain(one) not in said]
        assert missing == [], "\n".join(small.picture)


@pytest.mark.parametrize("language", LANGUAGES)
async def test_the_help_of_a_small_screen_explains_every_action(
    language: str, tmp_path: Path
) -> None:
    async with reached(MOMENTS["help"], tmp_path, language) as small:
        said = plain(str(small.app.screen.query_one(".help-lines").render()))
        text = Messages(language)
        assert [one.name for one in ACTIONS if help_of(one, text) not in said] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_columns_of_the_help_stand_below_one_another(language: str) -> None:
    text = Messages(language)
    lines = ["".join(piece.text for piece in line) for line in help_lines(text, 200)]
    rows = [(line, one) for line in lines for one in ACTIONS if line.endswith(text(one.help))]
    assert {line.rindex(text(one.help)) for line, one in rows} == {
        max(line.rindex(text(one.help)) for line, one in rows)
    }
    assert all(line[: line.rindex(text(one.help))].endswith("  ") for line, one in rows)


async def test_the_help_can_be_read_to_its_end(tmp_path: Path) -> None:
    async with reached(MOMENTS["help"], tmp_path, "en") as small:
        await small.press("end")
        last = Messages()(ACTIONS[-1].help)
        assert last.split()[-1] in "\n".join(small.picture)
        assert small.app.screen.query_one(HelpBody).max_scroll_y > 0


@pytest.mark.parametrize(("calls", "fitting"), [(2, 2), (3, 3), (4, 2), (9, 2)])
async def test_many_calls_are_told_in_whole_words(calls: int, fitting: int, tmp_path: Path) -> None:
    wire = Wire()
    told = [one for place in range(calls) for one in whole(wire, place, HEIGHT)]

    async def many(small: Vitral) -> None:
        await small.ask("?")
        await small.tell(*first_round(wire, "Yes."), *told)

    async with reached(Moment("many", many), tmp_path, "en") as small:
        rows = [row.strip() for row in small.picture]
        assert not any(row.endswith("✓") or row.startswith(HEIGHT.name) for row in rows)
        shown = small.chat.query_one(CallStrip).text.split("  ")
        strip = [word.strip() for word in shown if word.strip()]
        hidden = [f"+{calls - fitting}"] if calls > fitting else []
        assert strip == [*[f"✓ {HEIGHT.name}"] * fitting, *hidden, "^T panel"]
        assert "\n".join(rows).count(f"✓ {HEIGHT.name}") == calls + fitting


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("name", ["assembling", "failed", "waiting", "picker", "drawer", "wire"])
async def test_no_text_of_ours_is_cut(
    name: str, size: tuple[int, int], language: str, tmp_path: Path
) -> None:
    async with reached(MOMENTS[name], tmp_path, language, size) as shown:
        outside = (*shown.words.titles, shown.words.question)
        assert cut(shown.picture, outside) == [], "\n".join(shown.picture)


@pytest.mark.parametrize("name", MOMENTS)
async def test_no_widget_covers_another(name: str, tmp_path: Path) -> None:
    async with reached(MOMENTS[name], tmp_path, "pt_BR") as small:
        for parent in (small.app.screen, *small.app.screen.query(Widget)):
            shown = [
                one for one in parent.displayed_children if one.visible and one.layer == "default"
            ]
            for one, other in combinations(shown, 2):
                assert not one.region.overlaps(other.region), f"{one} covers {other}"
