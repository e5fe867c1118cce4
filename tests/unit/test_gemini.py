"""What Gemini sends, and what we send it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from providers.dialects.gemini import DIALECT
from providers.failures import FailureKind
from providers.parts import (
    CallFragment,
    CallStarted,
    ReasoningDelta,
    Stop,
    StreamFailed,
    UsageReported,
)
from tests.streams import (
    Read,
    call,
    cut_every,
    function_call,
    gemini_body,
    gemini_event,
    gemini_stream,
    partial,
    read,
)
from tools.call import JsonObject

MODEL = "gemini-3-pro"
SIGNED = function_call("height", args={"of": "me"}) | {"thoughtSignature": "c2ln"}
GROWING = function_call("write", willContinue=True)
CLOSED = function_call()


def read_parts(*parts: JsonObject, finish: str = "STOP") -> Read:
    """An answer with each part in an event of its own."""
    told = [gemini_event(part) for part in parts]
    return read(DIALECT.id, gemini_body(*told, gemini_event(finish=finish)), model=MODEL)


def fragments(answer: Read) -> str:
    return "".join(part.text for part in answer.parts if isinstance(part, CallFragment))


# ------------------------------------------------------------------ the numbered traps


def test_calls_without_ids_get_one_each() -> None:
    answer = read_parts(function_call("height"), function_call("height"))
    assert [each.call_id for each in answer.calls] == ["made_0", "made_1"]


@pytest.mark.parametrize("fields", [{}, {"args": None}, {"args": {}}, {"args": ""}])
def test_missing_arguments_are_an_empty_object(fields: JsonObject) -> None:
    assert read_parts(function_call("now", **fields)).plain_calls == [("now", {})]


def test_arguments_that_are_a_json_text_are_read() -> None:
    answer = read_parts(function_call("f", args='{"a": 1}'))
    assert answer.plain_calls == [("f", {"a": 1})]


@pytest.mark.parametrize("args", ['{"a":', "[1]", [1], 7])
def test_arguments_that_are_no_object_are_a_broken_call(args: object) -> None:
    answer = read_parts(function_call("f", args=args))
    assert ([each.name for each in answer.broken], answer.calls) == (["f"], [])


def test_partial_arguments_become_one_call() -> None:
    answer = read_parts(
        GROWING,
        partial("$.items[0].city", stringValue="Par", willContinue=True),
        partial("$.items[0].city", stringValue="is"),
        partial("$.items[0].count", numberValue=2),
        partial("$.items[1].city", stringValue="Rio"),
        partial("$.draft", boolValue=False),
        partial("$['due date']", nullValue=None),
        CLOSED,
    )
    items = [{"city": "Paris", "count": 2}, {"city": "Rio"}]
    wanted = {"items": items, "draft": False, "due date": None}
    assert answer.plain_calls == [("write", wanted)]


def test_partial_arguments_are_shown_as_growing_json() -> None:
    answer = read_parts(
        GROWING,
        partial("$.a.b[0][0]", stringValue='x"'),
        partial("$.a.b[0][1]", numberValue=1.5),
        partial("$.c", stringValue="é"),
        CLOSED,
    )
    assert json.loads(fragments(answer)) == answer.calls[0].args


def test_a_last_piece_that_says_it_is_the_last_closes_the_call() -> None:
    last = function_call(partialArgs=[{"jsonPath": "$.a", "numberValue": 1}])
    assert read_parts(GROWING, last).plain_calls == [("write", {"a": 1})]


def test_two_growing_calls_follow_one_another() -> None:
    first = [GROWING, partial("$.a", numberValue=1), CLOSED]
    second = [GROWING, partial("$.a", numberValue=2), CLOSED]
    assert [args for _, args in read_parts(*first, *second).plain_calls] == [{"a": 1}, {"a": 2}]


def test_a_growing_call_without_arguments_is_an_empty_object() -> None:
    assert read_parts(GROWING, CLOSED).plain_calls == [("write", {})]


def test_a_call_that_was_never_closed_makes_the_answer_none() -> None:
    answer = read_parts(GROWING, partial("$.a", numberValue=1))
    assert (answer.failure, answer.calls) == (FailureKind.CUT, [])


def test_a_call_that_the_next_one_interrupts_makes_the_answer_none() -> None:
    assert read_parts(GROWING, GROWING, CLOSED).failure is FailureKind.CUT


def test_half_a_call_at_the_limit_is_none() -> None:
    answer = read_parts(GROWING, partial("$.a", numberValue=1), finish="MAX_TOKENS")
    assert (answer.calls, answer.broken, answer.stopped.stop) == ([], [], Stop.LENGTH)


@pytest.mark.parametrize(
    "piece",
    [
        None,
        {"numberValue": 1},
        {"jsonPath": "a", "numberValue": 1},
        {"jsonPath": "$", "stringValue": "x"},
        {"jsonPath": "$[0]", "stringValue": "x"},
        {"jsonPath": "$.a[", "numberValue": 1},
        {"jsonPath": "$.a[7]", "numberValue": 1},
        {"jsonPath": "$.known.b", "numberValue": 1},
        {"jsonPath": "$" + ".a" * 100, "numberValue": 1},
        {"jsonPath": "$.a", "structValue": {}},
        {"jsonPath": "$.a", "numberValue": "NaN"},
        {"jsonPath": "$.a", "boolValue": "yes"},
    ],
)
def test_a_piece_that_cannot_be_placed_breaks_the_call(piece: object) -> None:
    odd = function_call(partialArgs=[piece], willContinue=True)
    answer = read_parts(GROWING, partial("$.known", numberValue=1), odd, CLOSED)
    assert ([each.name for each in answer.broken], answer.calls) == (["write"], [])


def test_a_growing_call_goes_back_whole_with_its_signature() -> None:
    begun = GROWING | {"thoughtSignature": "c2ln"}
    answer = read_parts(begun, partial("$.a", numberValue=1), CLOSED)
    whole = function_call("write", args={"a": 1}) | {"thoughtSignature": "c2ln"}
    assert answer.stopped.native == (whole,)


def test_one_event_holds_several_texts_and_calls() -> None:
    told = gemini_event({"text": "A"}, SIGNED, {"text": "B"}, function_call("w"), finish="STOP")
    answer = read(DIALECT.id, gemini_body(told))
    assert (answer.text, [name for name, _ in answer.plain_calls]) == ("AB", ["height", "w"])


@pytest.mark.parametrize("content", [{}, {"role": "model"}, {"parts": [{"thoughtSignature": "s"}]}])
def test_a_last_event_without_text_is_normal(content: JsonObject) -> None:
    last = {"candidates": [{"content": content, "finishReason": "STOP"}]}
    body = gemini_body(gemini_event({"text": "Hi"}), last)
    assert read(DIALECT.id, body).stopped.stop is Stop.END


def test_a_signature_alone_is_kept_for_the_replay() -> None:
    signature = {"text": "", "thoughtSignature": "c2ln"}
    assert read_parts({"text": "Hi"}, signature).stopped.native[-1] == signature


def test_an_error_inside_the_stream_is_a_failure() -> None:
    error = {"error": {"code": 503, "message": "busy", "status": "UNAVAILABLE"}}
    body = gemini_body(gemini_event({"text": "Hi"}), error)
    assert read(DIALECT.id, body).failure is FailureKind.OVERLOADED


@pytest.mark.parametrize("wrapped", [False, True])
def test_an_error_is_one_object_or_a_list_with_one(wrapped: bool) -> None:
    error = {"error": {"code": 400, "details": [{"reason": "API_KEY_INVALID"}]}}
    body = json.dumps([error] if wrapped else error).encode()
    assert read(DIALECT.id, body).failure is FailureKind.AUTH


# ------------------------------------------------------------------ what else is seen


def test_thoughts_are_apart_from_the_answer() -> None:
    answer = read_parts({"text": "Hm.", "thought": True}, {"text": "Yes."})
    thoughts = [part.text for part in answer.parts if isinstance(part, ReasoningDelta)]
    assert (thoughts, answer.text) == (["Hm."], "Yes.")


@pytest.mark.parametrize(
    ("reason", "stop"),
    [
        ("STOP", Stop.END),
        ("MAX_TOKENS", Stop.LENGTH),
        ("SAFETY", Stop.FILTERED),
        ("IMAGE_SAFETY", Stop.FILTERED),
        ("OTHER", Stop.OTHER),
        ("SOMETHING_NEW", Stop.OTHER),
    ],
)
def test_the_finish_reason_says_why_the_answer_stopped(reason: str, stop: Stop) -> None:
    stopped = read_parts({"text": "Hi"}, finish=reason).stopped
    assert (stopped.stop, stopped.raw) == (stop, reason)


def test_calls_decide_that_it_stopped_for_calls() -> None:
    assert read_parts(SIGNED).stopped.stop is Stop.CALLS


def test_a_malformed_call_is_a_failure_that_may_pass() -> None:
    last = read_parts(finish="MALFORMED_FUNCTION_CALL").parts[-1]
    assert isinstance(last, StreamFailed)
    assert (last.failure.transient, last.failure.code) == (True, "MALFORMED_FUNCTION_CALL")


def test_a_refused_prompt_is_blocked() -> None:
    body = gemini_body({"promptFeedback": {"blockReason": "SAFETY"}})
    assert read(DIALECT.id, body).failure is FailureKind.BLOCKED


def test_the_last_usage_counts() -> None:
    counts = {"promptTokenCount": 5, "candidatesTokenCount": 2, "thoughtsTokenCount": 1}
    told = gemini_event({"text": "Hi"}, finish="STOP", usageMetadata=counts)
    (usage,) = [
        part.usage
        for part in read(DIALECT.id, gemini_body(told)).parts
        if isinstance(part, UsageReported)
    ]
    assert (usage.input, usage.output, usage.reasoning, usage.cached) == (5, 2, 1, None)


def test_a_stream_without_a_finish_reason_was_cut() -> None:
    body = gemini_body(gemini_event(SIGNED))
    assert read(DIALECT.id, body).failure is FailureKind.CUT


@pytest.mark.parametrize("wrapped", [False, True])
def test_an_answer_that_did_not_stream_is_read_alike(wrapped: bool) -> None:
    answer = gemini_event({"text": "Hi"}, SIGNED, finish="STOP")
    read_whole = read(DIALECT.id, json.dumps([answer] if wrapped else answer).encode())
    assert (read_whole.text, read_whole.plain_calls) == ("Hi", [("height", {"of": "me"})])


def test_parts_of_other_kinds_are_passed_over_and_kept_for_the_replay() -> None:
    code = {"executableCode": {"language": "PYTHON", "code": "1"}}
    answer = read_parts(code)
    assert (answer.text, answer.stopped.native) == ("", (code,))


def test_a_closing_piece_with_no_call_open_says_nothing() -> None:
    assert read_parts(CLOSED, {"text": "Hi"}).text == "Hi"


@pytest.mark.parametrize("value", [None, 7, "x", [], {}, [None], [7]])
@pytest.mark.parametrize(
    "field", ["candidates", "usageMetadata", "promptFeedback", "content", "parts", "functionCall"]
)
def test_no_value_of_another_shape_raises(field: str, value: object) -> None:
    told: list[object] = [
        {field: value},
        {"candidates": [{field: value}]},
        {"candidates": [{"content": {field: value}}]},
        {"candidates": [{"content": {"parts": [{field: value}, function_call("f", args=value)]}}]},
    ]
    assert read(DIALECT.id, gemini_body(*told, gemini_event(finish="STOP"))).stopped


@given(st.integers(1, 40), st.text(max_size=8), st.text(max_size=8))
def test_any_cut_gives_the_same_parts(size: int, said: str, argument: str) -> None:
    body = gemini_stream(f"ã{said}", call("f", x=argument))
    assert read(DIALECT.id, list(cut_every(body, size))).parts == read(DIALECT.id, body).parts


@given(st.lists(st.text(max_size=3), min_size=1, max_size=6))
def test_pieces_of_one_text_join_whatever_they_hold(pieces: list[str]) -> None:
    told = [partial("$.a[0].b", stringValue=piece, willContinue=True) for piece in pieces]
    answer = read_parts(GROWING, *told, CLOSED)
    assert answer.calls[0].args == {"a": [{"b": "".join(pieces)}]} == json.loads(fragments(answer))


def leaves(value: Any, path: str = "$") -> list[tuple[str, Any]]:
    """The paths and values that a document is made of; empty containers have none."""
    match value:
        case dict():
            inside = [(f"{path}['{name}']", inner) for name, inner in value.items()]
        case list():
            inside = [(f"{path}[{place}]", inner) for place, inner in enumerate(value)]
        case _:
            return [(path, value)]
    return [leaf for where, inner in inside for leaf in leaves(inner, where)]


scalars = st.integers(-9, 9) | st.booleans() | st.none() | st.text(max_size=4)
names = st.text("ab .[]$", min_size=1, max_size=3)
documents = st.dictionaries(
    names,
    st.recursive(
        scalars,
        lambda inner: (
            st.lists(inner, min_size=1, max_size=3)
            | st.dictionaries(names, inner, min_size=1, max_size=3)
        ),
        max_leaves=6,
    ),
    min_size=1,
    max_size=3,
)


@given(documents)
def test_any_object_can_come_in_pieces(document: JsonObject) -> None:
    kinds = {bool: "boolValue", int: "numberValue", str: "stringValue", type(None): "nullValue"}
    told = [partial(path, **{kinds[type(leaf)]: leaf}) for path, leaf in leaves(document)]
    answer = read_parts(GROWING, *told, CLOSED)
    assert answer.calls[0].args == document == json.loads(fragments(answer))


def test_a_call_is_shown_from_its_first_part_on() -> None:
    parts = read(DIALECT.id, gemini_body(gemini_event(GROWING))).parts
    assert isinstance(parts[0], CallStarted)


def test_half_a_character_in_a_reason_can_still_be_stored() -> None:
    assert read_parts(finish="\ud83d").stopped.raw == "\ufffd"
