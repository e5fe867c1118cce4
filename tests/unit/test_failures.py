"""Which failure a status, a body or an event is, and how long it asks to wait."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from providers.failures import (
    BODY_LIMIT,
    Failure,
    FailureKind,
    When,
    blocked,
    cut,
    failure_of_event,
    failure_of_response,
    protocol,
)

NOW = datetime(2026, 3, 1, 12, 0, 0, tzinfo=UTC)


def answer(status: int, body: Any = None, **headers: str) -> Failure:
    """The failure of an answer with this JSON body (bytes go as they are)."""
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return failure_of_response("openai-chat", status, named, data, NOW)


def error(**fields: Any) -> dict[str, Any]:
    return {"error": fields}


def google(status: int, word: str, *details: Mapping[str, Any]) -> dict[str, Any]:
    return error(code=status, status=word, message="no", details=list(details))


@pytest.mark.parametrize(
    ("status", "kind", "transient"),
    [
        (307, "not_found", False),
        (400, "bad_request", False),
        (401, "auth", False),
        (402, "quota", False),
        (403, "permission", False),
        (404, "not_found", False),
        (408, "timeout", True),
        (409, "bad_request", True),
        (413, "too_long", False),
        (418, "bad_request", False),
        (422, "bad_request", False),
        (429, "rate_limit", True),
        (500, "server", True),
        (502, "server", True),
        (503, "overloaded", True),
        (504, "timeout", True),
        (529, "overloaded", True),
        (599, "server", True),
    ],
)
def test_a_status_alone_says_the_kind(status: int, kind: str, transient: bool) -> None:
    failure = answer(status, b"")
    assert (failure.kind, failure.transient) == (kind, transient)


@pytest.mark.parametrize(
    ("status", "body", "kind"),
    [
        (400, error(type="invalid_request_error", code="model_not_found"), "not_found"),
        (404, error(code="DeploymentNotFound", type="invalid_request_error"), "not_found"),
        (401, error(type="invalid_request_error", code="invalid_api_key"), "auth"),
        (400, google(400, "INVALID_ARGUMENT", {"reason": "API_KEY_INVALID"}), "auth"),
        (403, google(403, "PERMISSION_DENIED"), "permission"),
        (403, error(code="unsupported_country_region_territory"), "permission"),
        (429, error(type="insufficient_quota", code="insufficient_quota"), "quota"),
        (
            400,
            error(type="invalid_request_error", message="Your credit balance is too low"),
            "quota",
        ),
        (429, google(429, "RESOURCE_EXHAUSTED"), "rate_limit"),
        (
            429,
            google(429, "RESOURCE_EXHAUSTED", {"violations": [{"quotaId": "RequestsPerDay-Free"}]}),
            "quota",
        ),
        (503, google(503, "UNAVAILABLE"), "overloaded"),
        (500, google(500, "INTERNAL"), "server"),
        (400, error(code="context_length_exceeded"), "too_long"),
        (400, error(type="invalid_request_error", message="prompt is too long: 9 > 8"), "too_long"),
        (413, error(type="request_too_large"), "too_long"),
        (400, error(code="content_filter"), "blocked"),
        (529, {"type": "error", "error": {"type": "overloaded_error"}}, "overloaded"),
        (500, error(type="service_unavailable_error", code="server_is_overloaded"), "overloaded"),
        (500, error(type="service_unavailable_error"), "overloaded"),
        (401, error(type="api_error", message="no"), "auth"),
        (400, error(type="invalid_request_error"), "bad_request"),
    ],
)
def test_the_codes_of_a_body_say_more_than_the_status(status: int, body: Any, kind: str) -> None:
    assert answer(status, body).kind == kind


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({"error": "model not loaded"}, "model not loaded"),
        ({"detail": "Not Found"}, "Not Found"),
        (
            {"detail": [{"loc": ["body"], "msg": "field required", "type": "missing"}]},
            "field required",
        ),
        ({"message": "no route"}, "no route"),
        ([error(message="in a list")], "in a list"),
        (error(message="plain"), "plain"),
        ("only a text", "only a text"),
        (b'{"error": {"message": "cut in the mid', "cut in the mid"),
    ],
)
def test_the_message_is_found_in_every_shape_of_body(body: Any, message: str) -> None:
    assert answer(400, body).message == message


@pytest.mark.parametrize(
    "body", [b"", b"<html>Bad gateway</html>", b"null", b"[]", b"7", b"\xff\xfe"]
)
def test_a_body_that_says_nothing_leaves_the_status_to_decide(body: bytes) -> None:
    assert answer(502, body).kind is FailureKind.SERVER


def test_a_body_cut_in_the_middle_still_gives_its_code() -> None:
    failure = answer(429, b'{"error": {"code": "insufficient_quota", "message": "You exc')
    assert (failure.kind, failure.code) == (FailureKind.QUOTA, "insufficient_quota")


def test_a_page_with_status_200_is_no_stream() -> None:
    assert answer(200, b"<html>Welcome</html>").kind is FailureKind.PROTOCOL


def test_an_error_object_with_status_200_is_that_error() -> None:
    assert answer(200, error(code=429, message="slow down")).kind is FailureKind.RATE_LIMIT


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry_after": "7"}, 7.0),
        ({"retry_after": "1.5"}, 1.5),
        ({"retry_after_ms": "250", "retry_after": "9"}, 0.25),
        ({"retry_after": "Sun, 01 Mar 2026 12:00:30 GMT"}, 30.0),
        ({"retry_after": "Sun, 01 Mar 2026 11:00:00 GMT"}, 0.0),
        ({"Retry_After": "3"}, 3.0),
        ({"retry_after": "-4"}, 0.0),
        ({"retry_after": "soon"}, None),
        ({"retry_after": "nan"}, None),
        ({"retry_after": "inf"}, None),
        ({}, None),
    ],
)
def test_the_wait_is_read_from_the_headers(headers: dict[str, str], seconds: float | None) -> None:
    assert answer(429, b"", **headers).wait == seconds


def test_a_retry_date_is_not_used_without_a_clock() -> None:
    headers = {"retry-after": "Sun, 01 Mar 2026 12:00:30 GMT"}
    assert failure_of_response("gemini", 429, headers, b"").wait is None


def test_gemini_says_the_wait_in_its_body() -> None:
    assert answer(429, google(429, "RESOURCE_EXHAUSTED", {"retryDelay": "27s"})).wait == 27.0


@pytest.mark.parametrize("delay", ["27", "soon", 27, None, "9" * 400 + "s"])
def test_a_retry_delay_of_another_form_is_passed_over(delay: object) -> None:
    assert answer(429, google(429, "RESOURCE_EXHAUSTED", {"retryDelay": delay})).wait is None


@pytest.mark.parametrize(
    ("status", "word", "transient"), [(500, "false", False), (400, "true", True)]
)
def test_the_provider_overrides_whether_to_try_again(
    status: int, word: str, transient: bool
) -> None:
    assert answer(status, b"", x_should_retry=word).transient is transient


@pytest.mark.parametrize("header", ["x_request_id", "request_id"])
def test_the_request_id_is_kept_for_the_diagnostics(header: str) -> None:
    assert answer(500, b"", **{header: "req_1"}).request_id == "req_1"


def test_the_request_id_may_stand_in_the_body() -> None:
    assert answer(400, {**error(message="no"), "request_id": "req_2"}).request_id == "req_2"


def test_only_the_start_of_a_body_is_kept() -> None:
    assert len(answer(500, b"x" * 10_000).body) == BODY_LIMIT


@pytest.mark.parametrize(
    ("payload", "kind", "code"),
    [
        (
            {"type": "error", "error": {"type": "overloaded_error"}},
            "overloaded",
            "overloaded_error",
        ),
        ({"type": "error", "code": "rate_limit_exceeded"}, "rate_limit", "rate_limit_exceeded"),
        (
            {"type": "response.failed", "response": error(code="server_error")},
            "server",
            "server_error",
        ),
        (error(code=503, status="UNAVAILABLE"), "overloaded", "UNAVAILABLE"),
        (error(code=502, message="Provider returned error"), "server", ""),
        (error(code="502"), "server", "502"),
        (error(type="invalid_request_error"), "bad_request", "invalid_request_error"),
        (error(message="odd"), "server", ""),
        ({"error": "overloaded"}, "server", ""),
    ],
)
def test_an_event_inside_the_stream_says_its_kind(payload: Any, kind: str, code: str) -> None:
    failure = failure_of_event("anthropic", payload)
    assert (failure.kind, failure.code, failure.when) == (kind, code, When.INSIDE)


def test_the_message_of_an_error_event_comes_from_its_innermost_object() -> None:
    payload = {
        "type": "response.failed",
        "response": {"message": "outer", **error(message="inner")},
    }
    assert failure_of_event("openai-responses", payload).message == "inner"


def test_a_cut_passes_and_is_inside_the_answer() -> None:
    assert (cut().kind, cut().transient, cut().when) == (FailureKind.CUT, True, When.INSIDE)


def test_a_protocol_failure_keeps_the_start_of_what_came() -> None:
    assert protocol("no JSON", b"\xc3" + b"x" * 9_000).body == "\ufffd" + "x" * (BODY_LIMIT - 1)


def test_a_blocked_prompt_is_not_asked_again() -> None:
    failure = blocked("SAFETY", "the prompt was refused")
    assert (failure.kind, failure.transient, failure.code) == ("blocked", False, "SAFETY")


@given(st.integers(100, 599), st.binary(max_size=200), st.text(max_size=40))
def test_no_answer_of_any_kind_raises(status: int, body: bytes, retry_after: str) -> None:
    headers = {"retry-after": retry_after}
    assert failure_of_response("gemini", status, headers, body, NOW).status == status


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(
                    ["error", "code", "status", "details", "message", "detail", "violations"]
                ),
                inner,
                max_size=3,
            )
        ),
    )
)
def test_no_json_of_any_shape_raises(payload: Any) -> None:
    assert failure_of_event("openai-chat", {"error": payload}).kind in FailureKind


def test_half_a_character_in_an_error_can_still_be_written_down() -> None:
    failure = failure_of_event("openai-chat", error(message="no \ud83d"))
    assert (failure.message + failure.body).encode()
