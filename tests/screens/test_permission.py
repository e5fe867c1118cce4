"""The dialog before a write: it shows the whole call, and no key grants anything by accident."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest

from app.messages import LANGUAGES, Messages
from app.permissions import Answer, Question, Reply
from app.tui.arguments import argument_lines
from app.tui.screens.permission import QUIET, PermissionScreen
from tests.hostile import acting
from tests.screens.small_app import HOSTILE, acting_characters, clickable, shown
from tests.screens.test_dialogs import SMALL, dialog
from tools.call import JsonObject, ToolCall
from tools.demo import demo_toolbox
from tools.permission import Change

SAVING: JsonObject = {"key": "weight", "value": 72.5, "unit": "kg"}
SAVES = Change("change.weight", {"value": 72.5, "unit": "kg", "now": "71.9 kg"})


def question(
    args: JsonObject = SAVING, change: Change = SAVES, tool: str = "save_measurement"
) -> Question:
    found = demo_toolbox().find(tool)
    assert found is not None
    return Question(ToolCall(tool, args, "anthropic", "toolu_1"), found, change, 0)


def asking(about: Question | None = None, language: str = "en") -> PermissionScreen:
    return PermissionScreen(Messages(language), about or question(), "tool_use")


async def test_the_dialog_shows_the_call_and_what_it_changes() -> None:
    async with dialog(asking()) as (app, _):
        text = shown(app)
        assert "tool_use  save_measurement" in text
        assert "72.5" in text
        assert "Saves the weight 72.5 kg (now: 71.9 kg)" in text
        assert "? waits for your permission" in text


@pytest.mark.parametrize(
    ("key", "reply"),
    [("y", Reply.ONCE), ("a", Reply.ALWAYS), ("n", Reply.NO), ("escape", Reply.NO)],
)
async def test_one_key_is_the_answer(key: str, reply: Reply) -> None:
    async with dialog(asking(), key) as (app, _):
        assert app.answers == [Answer(reply)]


async def test_enter_alone_grants_nothing() -> None:
    async with dialog(asking(), "enter", "space", "down") as (app, _):
        assert app.answers == []


async def test_a_no_can_carry_a_word_to_the_model() -> None:
    async with dialog(asking(), "w", *"why", "enter") as (app, _):
        assert app.answers == [Answer(Reply.NO, "why")]


async def test_escape_in_the_word_is_a_plain_no() -> None:
    async with dialog(asking(), "w", *"yes", "escape") as (app, _):
        assert app.answers == [Answer(Reply.NO)]


async def test_a_click_on_an_answer_gives_it() -> None:
    async with dialog(asking()) as (app, pilot):
        await pilot.click(".permission-reply")
        await pilot.pause()
        assert app.answers == [Answer(Reply.ONCE)]


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


async def test_letters_of_a_sentence_that_is_being_typed_are_no_answer() -> None:
    clock = Clock()
    screen = PermissionScreen(Messages(), question(), "tool_use", typing=True, now=clock)
    async with dialog(screen, *"say yes") as (app, pilot):
        assert (app.answers, "still typing" in shown(app)) == ([], True)
        clock.now += QUIET
        await pilot.press("y")
        await pilot.pause()
        assert app.answers == [Answer(Reply.ONCE)]


async def test_what_was_done_already_is_said_with_its_time() -> None:
    earlier = datetime(2026, 5, 4, 9, 30, tzinfo=UTC)
    about = question(change=Change(SAVES.wording, SAVES.values, earlier))
    async with dialog(asking(about)) as (app, _):
        assert f"already done in this chat, at {earlier.astimezone():%Y-%m-%d %H:%M}" in shown(app)


LONG = {"path": "notes/plan.md", "content": "\n".join(f"line {n} of the plan" for n in range(60))}


async def test_a_long_call_is_scrolled_and_says_how_much_there_is() -> None:
    async with dialog(asking(question(LONG, tool="write_file"))) as (app, pilot):
        assert "lines 1–7 of 61" in shown(app)
        await pilot.press("end")
        await pilot.pause()
        assert "line 59 of the plan" in shown(app)
        assert "–61 of 61" in shown(app)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", [SMALL, (120, 40)])
async def test_every_answer_is_seen_whatever_the_call(language: str, size: tuple[int, int]) -> None:
    texts = Messages(language)
    about = question(LONG, Change(SAVES.wording, SAVES.values, datetime.now(UTC)), "write_file")
    async with dialog(asking(about, language), "w", size=size, language=language) as (app, _):
        text = shown(app)
        tool = "write_file"
        keys = ("once", "always", "no", "word", "word_hint", "keys")
        missing = [k for k in keys if texts(f"permission.{k}", tool=tool)[:40] not in text]
        assert missing == []


async def test_hostile_arguments_and_words_are_inert() -> None:
    change = Change("change.new_file", {"path": HOSTILE, "bytes": 3})
    about = question({HOSTILE: HOSTILE, "text": f"{HOSTILE}\n{HOSTILE}"}, change)
    async with dialog(asking(about), size=(120, 50)) as (app, _):
        assert "[@click=app.quit]" in shown(app)
        assert (acting_characters(app), clickable(app)) == ([], [])


def _text(args: JsonObject, width: int = 60) -> str:
    lines = argument_lines(args, Messages(), width)
    return "\n".join("".join(piece.text for piece in line) for line in lines)


def test_no_character_of_the_arguments_is_left_out() -> None:
    value = json.dumps({"deep": ["x" * 500, {"n": 1}]})
    text = _text({"value": value, "n" * 90: 7})
    joined = "".join(text.split())
    assert "".join(json.dumps(value).split()) in joined
    assert "n" * 90 in joined


def test_a_line_of_a_text_cannot_pass_for_another_field() -> None:
    text = _text({"content": 'harmless\npath     "/etc/passwd"'})
    assert text.splitlines()[1].lstrip().startswith("│ path")


def test_a_call_without_arguments_says_so() -> None:
    assert _text({}) == "no arguments"


def test_a_megabyte_on_one_line_is_laid_out_whole() -> None:
    text = _text({"content": "x" * 1_000_000})
    assert (text.count("x"), acting(text)) == (1_000_000, [])
