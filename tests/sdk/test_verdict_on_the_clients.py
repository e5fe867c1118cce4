"""The official clients do nothing wrong, and the verdict says so: it blames no good client."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from tests.scripted import HeldClock
from tests.sdk import (
    test_anthropic_client,
    test_gemini_client,
    test_openai_chat_client,
    test_openai_responses_client,
)
from tests.sdk.lab import HEALTHY, Lab, running_lab
from tests.watching import WatchedSimulator

ROUND_TRIPS = [
    pytest.param(client.test_results_that_it_sends_back_are_answered, model, id=f"{name}-{model}")
    for name, client, models in (
        ("responses", test_openai_responses_client, test_openai_responses_client.MODELS),
        ("chat", test_openai_chat_client, test_openai_chat_client.MODELS),
        ("anthropic", test_anthropic_client, test_anthropic_client.MODELS),
        ("gemini", test_gemini_client, test_gemini_client.WITHOUT_IDS),
        ("gemini", test_gemini_client, test_gemini_client.WITH_IDS),
    )
    for model in models
]


@pytest.fixture(scope="module")
def watched() -> Iterator[Lab]:
    """A lab of its own, whose healthy server stands behind a watch."""
    with running_lab() as lab:
        lab.simulators[HEALTHY] = WatchedSimulator(HeldClock())
        yield lab


@pytest.mark.parametrize(("round_trip", "model"), ROUND_TRIPS)
def test_an_official_client_does_nothing_wrong(
    watched: Lab, round_trip: Callable[[Lab, str], None], model: str
) -> None:
    simulator = watched.simulators[HEALTHY]
    assert isinstance(simulator, WatchedSimulator)
    before = simulator.watch.verdict.requests
    round_trip(watched, model)
    verdict = simulator.watch.verdict
    assert verdict.requests == before + 2
    assert verdict.findings == ()
