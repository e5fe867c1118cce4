"""How fast a scene comes and how it is cut: as its file says."""

from __future__ import annotations

import asyncio

import pytest

from providers.simulator import Simulator
from providers.simulator.scenes import Playing
from providers.simulator.scenes.reading import parse_scene
from tests.scripted import HeldClock
from tests.simulating import DIALECTS, LOOKUP, Answer, post, question, read_answer

SCENE = """
title = "T"
summary = "S"
pace = { %s }
[[turns]]
[[turns.steps]]
text = "one two three four"
calls = [
  { tool = "lookup_demo_value", arguments = { key = "height" }, as = "a" },
  { tool = "lookup_demo_value", arguments = { key = "weight" }, as = "b" },
]
[[turns.steps]]
text = "five"
"""


def played(dialect: str, pace: str) -> tuple[Answer, list[float]]:
    """The first answer of the scene at this pace, and the waits on its way."""
    held = HeldClock()
    player = Playing(parse_scene(SCENE % pace, "pace.toml"))
    simulator = Simulator(speed=1, sleep=held.sleep, player=player)
    body = question(dialect, "go", LOOKUP)
    return asyncio.run(read_answer(simulator, post(dialect, body))), held.slept


@pytest.mark.parametrize("dialect", DIALECTS)
def test_fragments_come_as_often_as_the_scene_says(dialect: str) -> None:
    _, waits = played(dialect, "fragments_per_second = 4")
    assert len(waits) >= 6
    assert set(waits) == {0.25}


@pytest.mark.parametrize("dialect", DIALECTS)
def test_the_pause_before_comes_once_and_first(dialect: str) -> None:
    _, waits = played(dialect, "fragments_per_second = 4, pause_before = 3")
    assert waits[0] == 3.25
    assert set(waits[1:]) == {0.25}


@pytest.mark.parametrize(
    ("dialect", "pauses"),
    # Gemini sends its calls whole, one after the other: between them there is no fragment.
    [("openai-responses", 2), ("openai-chat", 2), ("anthropic", 2), ("gemini", 1)],
)
def test_a_pause_stands_between_text_and_calls(dialect: str, pauses: int) -> None:
    _, waits = played(dialect, "fragments_per_second = 4, pause_between = 2")
    assert waits.count(2.25) == pauses


@pytest.mark.parametrize("dialect", DIALECTS)
def test_each_read_is_as_long_as_the_scene_says(dialect: str) -> None:
    answer, _ = played(dialect, "read_bytes = 7")
    assert {len(read) for read in answer.reads[:-1]} == {7}
    assert 0 < len(answer.reads[-1]) <= 7


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_speed_of_zero_waits_for_nothing(dialect: str) -> None:
    held = HeldClock()
    player = Playing(parse_scene(SCENE % "pause_before = 100", "pace.toml"))
    simulator = Simulator(speed=0, sleep=held.sleep, player=player)
    asyncio.run(read_answer(simulator, post(dialect, question(dialect, "go", LOOKUP))))
    assert held.slept == []
