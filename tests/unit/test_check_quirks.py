"""The suite finds exactly the quirk that a server has, and is not led astray by it."""

from __future__ import annotations

import json

import pytest

from app.checking.quirks.chat import SIGNS
from app.checking.quirks.chat_stream import chat_stream
from app.checking.suite import Report
from app.checking.verdicts import Outcome
from providers.simulator import MODELS
from providers.simulator.quirks import QUIRKS
from tests.simulating import DIALECTS
from tests.suite_runs import by_outcome, report_of

DEADLY = ("quirk-error-inside", "quirk-cut-at-length")
"""Quirks that leave no whole answer: such a server is wrong."""


_reports: dict[str, Report] = {}


async def whole_report(model: str) -> Report:
    """The report on one model, made once."""
    if model not in _reports:
        _reports[model] = await report_of(model=model)
    return _reports[model]


@pytest.mark.parametrize("model", QUIRKS)
async def test_exactly_the_quirk_that_is_built_in_is_found(model: str) -> None:
    report = await whole_report(model)
    assert [f"quirk-{quirk.name}" for quirk in report.quirks] == [model]


@pytest.mark.parametrize("model", [model for model in QUIRKS if model not in DEADLY])
async def test_a_quirk_that_we_read_through_is_not_wrong(model: str) -> None:
    report = await whole_report(model)
    assert by_outcome(report).get(Outcome.FAILED, []) == []


@pytest.mark.parametrize("model", DEADLY)
async def test_a_quirk_that_leaves_no_answer_is_wrong(model: str) -> None:
    assert not (await whole_report(model)).right


@pytest.mark.parametrize(
    ("dialect", "model"),
    [(d, m) for d in DIALECTS for m in MODELS if d != "gemini" or m.startswith("gemini-3-sim")],
)
async def test_a_server_of_the_formats_own_kind_shows_no_quirk(dialect: str, model: str) -> None:
    report = await report_of(dialect, model, only=["quirks"])
    pieces = ["partial-args"] if (dialect, "partial" in model) == ("gemini", True) else []
    assert [quirk.name for quirk in report.quirks] == pieces


async def test_geminis_older_models_are_found_to_send_no_ids() -> None:
    report = await report_of("gemini", "gemini-2.5-sim")
    assert [(quirk.number, quirk.name) for quirk in report.quirks] == [(1, "no-ids")]


def body(*chunks: object) -> bytes:
    lines = (f"data: {json.dumps(chunk)}\n\n" for chunk in chunks)
    return "".join([*lines, "data: [DONE]\n\n"]).encode()


def delta(reason: str | None = None, **said: object) -> dict[str, object]:
    return {"choices": [{"index": 0, "delta": said, "finish_reason": reason}]}


def found_in(raw: bytes) -> set[str]:
    stream = chat_stream(raw)
    assert stream is not None
    return {sign.quirk.name for sign in SIGNS if sign.shows(stream)}


def test_an_answer_without_calls_shows_none() -> None:
    assert found_in(body(delta(content="Hello"), delta("stop"))) == set()


def test_an_answer_that_a_limit_ends_is_no_quirk() -> None:
    assert found_in(body(delta(content="Hel"), delta("length"))) == set()


def test_two_calls_of_one_chunk_are_two() -> None:
    calls = [
        {"index": index, "id": f"c{index}", "function": {"name": "f", "arguments": "{}"}}
        for index in (0, 1)
    ]
    assert found_in(body(delta(tool_calls=calls), delta("tool_calls"))) == {"whole-calls"}


@pytest.mark.parametrize("raw", [b"", b"{}", b"<html></html>", b"data: no json\n\n"])
def test_a_body_that_is_no_stream_shows_nothing(raw: bytes) -> None:
    assert chat_stream(raw) is None


def test_any_object_can_stand_in_a_stream() -> None:
    odd = body({"choices": 7}, {"choices": [{"delta": {"tool_calls": [None, {"function": 3}]}}]})
    assert "no-index" in found_in(odd)
