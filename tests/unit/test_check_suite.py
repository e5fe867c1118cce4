"""The behaviour suite: green where all is well, and what is missing is told from what is wrong."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from app.checking.cost import estimate, is_free
from app.checking.probes import LIMIT
from app.checking.suite import CHECKS, chosen
from app.checking.verdicts import Outcome
from providers.exchange import Handler, WireRequest, WireResponse
from providers.failures import FailureKind
from providers.simulator import MODELS, Simulator
from tests.simulating import DIALECTS
from tests.suite_runs import by_outcome, checked_provider, report_of, report_on, verdict_on
from tools.call import JsonObject

WITHOUT_IDS = {"gemini": ("vitral-sim", "vitral-sim-thinking", "gemini-2.5-sim")}
"""Models whose calls have no id, as Google's older ones have none."""


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("model", MODELS)
async def test_all_is_right_with_each_model_of_the_simulator(dialect: str, model: str) -> None:
    report = await report_of(dialect, model)
    missing = ["ids"] if model in WITHOUT_IDS.get(dialect, ()) else []
    ended = by_outcome(report)
    assert ended.pop(Outcome.NOT_SUPPORTED, []) == missing
    assert set(ended) <= {Outcome.NOTED}
    assert report.right


async def test_a_run_sends_no_more_than_was_said_before() -> None:
    report = await report_of()
    assert report.requests == estimate(CHECKS).requests <= LIMIT


async def test_a_single_check_asks_only_what_it_needs() -> None:
    report = await report_of(only=["round-trip"])
    assert (report.requests, estimate(chosen(["round-trip"])).requests) == (2, 2)


def test_a_check_that_there_is_not_cannot_be_chosen() -> None:
    with pytest.raises(KeyError, match="juggling"):
        chosen(["text", "juggling"])


@pytest.mark.parametrize(
    ("fault", "kind", "requests"),
    [
        ("status-401", FailureKind.AUTH, 1),
        ("status-404", FailureKind.NOT_FOUND, 1),
        ("status-500", FailureKind.SERVER, 3),
    ],
)
async def test_where_nothing_answers_nothing_more_is_asked(
    fault: str, kind: FailureKind, requests: int
) -> None:
    report = await report_of(fault=fault)
    assert report.failure is not None
    assert (report.failure.kind, report.requests, report.right) == (kind, requests, False)


async def test_what_was_not_asked_is_neither_right_nor_wrong() -> None:
    report = await report_of(fault="status-401")
    assert verdict_on("parallel-calls", report).outcome is Outcome.SKIPPED


async def test_a_failure_that_passes_is_waited_for() -> None:
    report = await report_of(fault="status-503", fault_times=2)
    assert (report.right, report.requests) == (True, estimate(CHECKS).requests + 2)


async def test_a_server_that_takes_any_key_does_not_do_it_wrong() -> None:
    verdict = verdict_on("wrong-key", await report_of(key=None))
    assert (verdict.outcome, verdict.reason) == (Outcome.NOT_SUPPORTED, "any_key")


async def test_an_answer_that_is_cut_in_the_middle_is_wrong() -> None:
    verdict = verdict_on("one-call", await report_of(fault="cut-in-arguments", only=["one-call"]))
    assert (verdict.outcome, verdict.facts) == (Outcome.FAILED, {"kind": "cut"})


def changing(change: JsonObject, *, about_all: bool = False) -> Handler:
    """A simulator whose clients' requests are changed on the way, those with tools or all:
    members of `change` replace theirs, and those that are None are taken out."""
    simulator = Simulator(speed=0)

    async def handle(request: WireRequest) -> WireResponse:
        if request.method == "GET":
            return WireResponse(404, {"content-type": "application/json"}, _nothing())
        asked = json.loads(request.body)
        body = asked | (change if "tools" in asked or about_all else {})
        kept = {name: value for name, value in body.items() if value is not None}
        return await simulator.handle(replace(request, body=json.dumps(kept).encode()))

    return handle


async def _nothing() -> AsyncIterator[bytes]:
    yield b'{"error": {"message": "no such page"}}'


async def test_a_server_without_tools_does_not_support_them() -> None:
    provider = checked_provider(changing({"tools": None, "tool_choice": None}))
    ended = by_outcome(await report_on(provider))
    assert "one-call" in ended[Outcome.NOT_SUPPORTED]
    assert Outcome.FAILED not in ended


async def test_a_server_that_ignores_the_choice_does_not_support_it() -> None:
    ended = by_outcome(await report_on(checked_provider(changing({"tool_choice": None}))))
    assert {"forced-tool", "required-call", "no-call"} <= set(ended[Outcome.NOT_SUPPORTED])


async def test_a_server_that_forbids_calls_but_makes_them_is_wrong() -> None:
    provider = checked_provider(changing({"tool_choice": "required"}))
    verdict = verdict_on("no-call", await report_on(provider))
    assert (verdict.outcome, verdict.reason) == (Outcome.FAILED, "called_all_the_same")


async def test_a_run_ends_at_its_limit_of_requests() -> None:
    simulator = Simulator(speed=0)

    async def fails_with_tools(request: WireRequest) -> WireResponse:
        if b'"tools"' in request.body:
            return WireResponse(503, {"content-type": "application/json"}, _nothing())
        return await simulator.handle(request)

    report = await report_on(checked_provider(fails_with_tools))
    assert report.requests == LIMIT
    assert verdict_on("unknown-model", report).reason == "not_asked"


async def test_a_server_that_counts_no_tokens_does_not_support_it() -> None:
    provider = checked_provider(changing({"stream_options": None}, about_all=True))
    verdict = verdict_on("usage", await report_on(provider, ["usage"]))
    assert (verdict.outcome, verdict.reason) == (Outcome.NOT_SUPPORTED, "no_usage")


async def test_a_server_without_a_list_of_models_does_not_support_it() -> None:
    verdict = verdict_on("model-list", await report_on(checked_provider(changing({}))))
    assert (verdict.outcome, verdict.reason) == (Outcome.NOT_SUPPORTED, "no_list")


@pytest.mark.parametrize(
    ("address", "free"),
    [
        ("http://simulator.invalid", True),
        ("http://localhost:11434/v1", True),
        ("http://127.0.0.3:9/v1", True),
        ("http://[::1]:8080", True),
        ("https://api.openai.com/v1", False),
        ("http://192.168.0.7:11434/v1", False),
    ],
)
def test_only_what_is_on_this_machine_costs_nothing(address: str, free: bool) -> None:
    provider = replace(checked_provider(Simulator(speed=0).handle), base_url=address)
    assert is_free(provider) is free
