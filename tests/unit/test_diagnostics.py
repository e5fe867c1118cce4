"""The technical record: what stands in it, what never does, and that it troubles nobody."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from app.diagnostics import ALPHABET, Diagnostics, new_reference
from app.redaction import redact
from providers.failures import Failure, FailureKind, When
from providers.history import Origin
from providers.secret import Secret
from tools.call import JsonObject, ToolCall

ORIGIN = Origin("openai", "openai-chat", "gpt")
FAILURE = Failure(
    FailureKind.RATE_LIMIT,
    transient=True,
    when=When.BEFORE,
    status=429,
    code="rate_limit_exceeded",
    message="slow down",
    request_id="req_1",
    wait=2.0,
    body='{"prompt": "my diary"}',
)


def logging_to(folder: Path, *, log_content: bool = False) -> Diagnostics:
    return Diagnostics(
        folder / "state" / "diagnostics.jsonl",
        log_content=log_content,
        now=lambda: datetime(2025, 1, 2, 3, 4, 5, tzinfo=UTC),
    )


def records(diagnostics: Diagnostics) -> list[JsonObject]:
    return [json.loads(line) for line in diagnostics.path.read_text().splitlines()]


def raised(error: Exception) -> Exception:
    """The exception with a traceback, as one that was caught."""
    try:
        raise error
    except type(error) as caught:
        return caught


def test_a_failure_is_recorded_under_its_reference(tmp_path: Path) -> None:
    diagnostics = logging_to(tmp_path)
    reference = diagnostics.record(FAILURE, origin=ORIGIN, attempt=2, wait=2.0)
    assert records(diagnostics) == [
        {
            "time": "2025-01-02T03:04:05.000+00:00",
            "reference": reference,
            "provider": "openai",
            "dialect": "openai-chat",
            "model": "gpt",
            "attempt": 2,
            "wait": 2.0,
            "kind": "rate_limit",
            "when": "before",
            "transient": True,
            "status": 429,
            "request_id": "req_1",
            "code": "rate_limit_exceeded",
            "message": "slow down",
            "asked_wait": 2.0,
        }
    ]


def test_attempts_of_one_question_share_a_reference(tmp_path: Path) -> None:
    diagnostics = logging_to(tmp_path)
    first = diagnostics.record(FAILURE, attempt=1)
    assert diagnostics.record(FAILURE, attempt=2, reference=first) == first


def test_a_reference_has_four_letters_that_nobody_confuses() -> None:
    references = "".join(new_reference() for _ in range(200))
    assert len(references) == 800
    assert set(references) <= set(ALPHABET)
    assert not set("ILO01") & set(ALPHABET)


def test_an_exception_is_recorded_with_its_traceback_and_its_cause(tmp_path: Path) -> None:
    diagnostics = logging_to(tmp_path)
    error = RuntimeError("outer")
    error.__cause__ = raised(KeyError("inner"))
    diagnostics.record(raised(error))
    (record,) = records(diagnostics)
    assert record["exception"] == "RuntimeError: outer"
    assert record["traceback"].count("in raised") == 2
    assert record["traceback"].index("KeyError: 'inner'") < record["traceback"].index("outer")


def test_what_was_said_is_left_out(tmp_path: Path) -> None:
    diagnostics = logging_to(tmp_path)
    diagnostics.record(FAILURE)
    call = ToolCall("read_file", {"path": "diary.txt"}, "openai", "call_1")
    diagnostics.tool_failed(call, raised(ValueError("my diary")))
    assert "diary" not in diagnostics.path.read_text()


def test_what_was_said_is_logged_for_those_who_want_it(tmp_path: Path) -> None:
    diagnostics = logging_to(tmp_path, log_content=True)
    diagnostics.record(FAILURE)
    assert "diary" in diagnostics.path.read_text()


def test_a_tools_exception_names_the_tool_and_the_call(tmp_path: Path) -> None:
    diagnostics = logging_to(tmp_path)
    diagnostics.tool_failed(ToolCall("f", {}, "openai", "call_1"), raised(ValueError("x")))
    (record,) = records(diagnostics)
    assert (record["tool"], record["call_id"], record["exception"]) == ("f", "call_1", "ValueError")


def test_a_full_file_makes_way_and_the_oldest_goes(tmp_path: Path) -> None:
    diagnostics = logging_to(tmp_path)
    diagnostics.largest = 1
    references = [diagnostics.record(FAILURE) for _ in range(5)]
    names = ("diagnostics.jsonl", "diagnostics.jsonl.1", "diagnostics.jsonl.2")
    kept = [json.loads((diagnostics.path.parent / name).read_text())["reference"] for name in names]
    assert kept == references[:1:-1]
    assert len(list(diagnostics.path.parent.iterdir())) == 3


def test_a_disk_that_takes_nothing_raises_nothing_and_is_known(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("a file where the folder should be")
    diagnostics = logging_to(tmp_path)
    assert len(diagnostics.record(FAILURE)) == 4
    assert isinstance(diagnostics.problem, OSError)


def test_half_a_surrogate_pair_in_a_message_is_no_trouble(tmp_path: Path) -> None:
    diagnostics = logging_to(tmp_path)
    diagnostics.record(Failure(FailureKind.SERVER, transient=True, message="\ud83d"))
    assert diagnostics.problem is None
    assert records(diagnostics)[0]["message"] == "\ud83d"


@pytest.mark.parametrize(
    "text",
    [
        "Authorization: Bearer {}",
        "{{'authorization': 'Bearer {}'}}",
        '{{"x-api-key": "{}"}}',
        "x-goog-api-key={}",
        "GEMINI_API_KEY={}",
        "b'authorization', b'Bearer {}'",
        "https://h/v1beta/models?alt=sse&key={}",
        "http://user:{}@proxy:8080",
        '{{\\"api_key\\": \\"{}\\"}}',
    ],
)
def test_a_key_goes_by_where_it_stands(text: str) -> None:
    assert "Zq3xW9v8u7T6s5R4" not in redact(text.format("Zq3xW9v8u7T6s5R4"))


@pytest.mark.parametrize(
    "key",
    [
        "sk-proj-abcDEF123456",
        "sk-ant-api03-abcDEF",
        "AIzaSyA1234567890abcdefghijk",
        "gsk_abcdefgh12345678",
        "xai-abcdefgh12345678",
        "hf_abcdefgh12345678",
    ],
)
def test_a_key_goes_by_its_shape(key: str) -> None:
    assert key not in redact(f"Incorrect API key provided ({key}).")


def test_a_key_of_this_run_goes_wherever_it_stands() -> None:
    Secret("no-shape-that-anyone-knows")
    assert "no-shape" not in redact("oddly no-shape-that-anyone-knows!")


def test_plain_words_stay() -> None:
    text = "The risk-based desk-top task-list has 3 tokens left; the key is missing."
    assert redact(text) == text
