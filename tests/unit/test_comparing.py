"""One message to several providers: each on its own, all at once; nothing is kept or changed."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from app import events
from app.choice import Choice
from app.cli.codes import Code
from app.cli.running import run
from app.comparing import Timing, compare, contender
from app.session import Session, open_session
from providers.parts import TextDelta
from tests.scripted import HeldClock, ScriptedSpeaker, text

Compare = Callable[..., tuple[int, str, str]]
BOTH = ("simulator@anthropic", "simulator@gemini:gemini-3-sim")


@pytest.fixture
def compared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Compare:
    monkeypatch.setenv("VITRAL_HOME", str(tmp_path))
    monkeypatch.setenv("LANGUAGE", "en")
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.null.Keyring")
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)

    def run_it(*arguments: str) -> tuple[int, str, str]:
        code = run(["compare", "--speed", "100000", *arguments])
        out, err = capsys.readouterr()
        return int(code), out, err

    return run_it


def answers(out: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(out)["answers"]
    return found


@pytest.mark.parametrize(
    ("word", "choice"),
    [
        ("openai", Choice("openai")),
        ("ollama:llama3.1:8b", Choice("ollama", None, "llama3.1:8b")),
        ("openai@openai-chat", Choice("openai", "openai-chat")),
        ("simulator@gemini:gemini-3-sim", Choice("simulator", "gemini", "gemini-3-sim")),
        ("openrouter:x-ai/grok@beta", Choice("openrouter", None, "x-ai/grok@beta")),
    ],
)
def test_a_word_names_a_provider_a_dialect_and_a_model(word: str, choice: Choice) -> None:
    assert contender(word) == choice


def test_each_answers_in_its_own_dialect(compared: Compare) -> None:
    code, out, err = compared(*BOTH, "What is my height?", "--json")
    assert (code, err) == (Code.ANSWERED, "")
    said = answers(out)
    assert [(one["asked"], one["dialect"], one["answer"]) for one in said] == [
        (BOTH[0], "anthropic", "Your height is 170 cm."),
        (BOTH[1], "gemini", "Your height is 170 cm."),
    ]
    assert [[call["name"] for call in one["calls"]] for one in said] == [["lookup_demo_value"]] * 2


def test_the_times_of_each_rise(compared: Compare) -> None:
    _, out, _ = compared(*BOTH, "hello", "--json")
    for one in answers(out):
        seconds = one["seconds"]
        assert 0 <= seconds["first_byte"] <= seconds["first_fragment"] <= seconds["end"]


def test_no_write_runs_for_anyone(compared: Compare) -> None:
    code, out, _ = compared(*BOTH, "Save my weight 72.5 kg", "--json")
    errors = [call["error"]["kind"] for one in answers(out) for call in one["calls"]]
    assert (code, errors) == (Code.CALL_FAILED, ["not_allowed"] * 2)


def test_no_chat_is_kept(compared: Compare, tmp_path: Path) -> None:
    compared(*BOTH, "hello")
    assert list(tmp_path.rglob("chats*")) == []


def test_one_that_fails_leaves_the_other_its_answer(compared: Compare) -> None:
    code, out, _ = compared("simulator:no-such", "simulator", "hello", "--json")
    failed, answered = answers(out)
    assert (code, failed["error"], failed["seconds"]["first_fragment"]) == (
        Code.FAILED,
        {"kind": "not_found"},
        None,
    )
    assert answered["ending"] == "answered"


def test_a_table_of_times_ends_the_plain_text(compared: Compare) -> None:
    code, out, _ = compared(*BOTH, "What is my height?")
    assert code == Code.ANSWERED
    assert [f"◆ {word}" in out for word in BOTH] == [True, True]
    *_, head, one, other = out.splitlines()
    assert "first fragment" in head
    assert [line.split()[0] for line in (one, other)] == list(BOTH)


@pytest.mark.parametrize("words", [["simulator", "hello"], ["simulator"] * 5 + ["hello"]])
def test_too_few_and_too_many_are_mistakes_of_usage(compared: Compare, words: list[str]) -> None:
    code, out, err = compared(*words)
    assert (code, out) == (Code.USAGE, "")
    assert "two, three or four" in err


def test_a_missing_key_is_told_before_anyone_is_asked(compared: Compare) -> None:
    code, out, err = compared("simulator", "openai", "hello")
    assert (code, out) == (Code.USAGE, "")
    assert "OPENAI_API_KEY" in err


def test_times_count_from_the_messages_start() -> None:
    held = HeldClock()
    timing = Timing(held.clock)
    for at, event in (
        (5.0, events.MessageStarted("hello")),
        (6.0, events.Received(b": ping\n", ())),
        (7.5, events.Received(b"data", (TextDelta("h"),))),
        (8.0, events.Received(b"data", (TextDelta("i"),))),
        (9.0, events.Done(events.Ending.ANSWERED)),
    ):
        held.time = at
        timing.take(event)
    assert (timing.first_byte, timing.first_fragment, timing.end) == (1.0, 2.5, 4.0)


@pytest.fixture
def session(tmp_path: Path) -> Session:
    return open_session(Choice(), language="en", environment={"VITRAL_HOME": str(tmp_path)})


async def test_a_slow_provider_does_not_hold_up_the_other(session: Session) -> None:
    slow, quick = ScriptedSpeaker([None]), ScriptedSpeaker([text("here")])
    told: list[tuple[int, events.Event]] = []
    done = asyncio.Event()

    def tell(place: int, event: events.Event) -> None:
        told.append((place, event))
        if isinstance(event, events.Done):
            done.set()

    task = asyncio.create_task(compare(session, [slow, quick], "hello", tell))
    await done.wait()
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    endings = [(place, e.ending) for place, e in told if isinstance(e, events.Done)]
    assert endings == [(1, events.Ending.ANSWERED), (0, events.Ending.STOPPED)]


async def test_stopping_closes_every_stream(session: Session) -> None:
    speakers = [ScriptedSpeaker([None]), ScriptedSpeaker([None])]
    task = asyncio.create_task(compare(session, speakers, "hello", lambda *_: None))
    await asyncio.gather(*(speaker.hanging.wait() for speaker in speakers))
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    assert [speaker.closed for speaker in speakers] == [1, 1]
