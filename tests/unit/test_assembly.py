"""Fragments to calls."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from providers.assembly import NOT_JSON, NOT_OBJECT, Assembly, OpenCall, is_whole
from providers.json_text import parse
from providers.parts import NOWHERE, CallBroken, CallCompleted, Part
from tools.call import ToolCall


def opened(*pieces: str, call_id: str = "call_1") -> tuple[Assembly, OpenCall]:
    assembly = Assembly("somewhere", lambda: "made")
    call, _ = assembly.open("f", call_id, NOWHERE)
    for piece in pieces:
        call.add(piece, NOWHERE)
    return assembly, call


def closed(*pieces: str, cut: bool = False) -> Part | None:
    assembly, call = opened(*pieces)
    return assembly.close(call, NOWHERE, cut=cut)


def test_pieces_are_joined_and_parsed_once_whole() -> None:
    part = closed('{"a": "\\ud83', "d\\ude00", '"}')
    assert part == CallCompleted(0, ToolCall("f", {"a": "😀"}, "somewhere", "call_1"))


@pytest.mark.parametrize("pieces", [(), ("",), (" \n",)])
def test_no_arguments_are_an_empty_object(pieces: tuple[str, ...]) -> None:
    part = closed(*pieces)
    assert isinstance(part, CallCompleted)
    assert part.call.args == {}


@pytest.mark.parametrize(
    ("raw", "reason"),
    [('{"a":', NOT_JSON), ("{}{}", NOT_JSON), ("[1]", NOT_OBJECT), ('"{}"', NOT_OBJECT)],
)
def test_unusable_arguments_are_a_broken_call_with_its_reason(raw: str, reason: str) -> None:
    part = closed(raw)
    assert isinstance(part, CallBroken)
    assert (part.raw, part.reason) == (raw, reason)


@pytest.mark.parametrize("raw", ["", '{"a":', "12"])
def test_a_call_cut_by_a_limit_is_neither_call_nor_broken(raw: str) -> None:
    assert closed(raw, cut=True) is None


def test_a_call_that_was_whole_before_the_limit_is_a_call() -> None:
    assert isinstance(closed('{"a": 1}', cut=True), CallCompleted)


def test_an_object_is_taken_as_it_is() -> None:
    assembly, call = opened()
    call.give({"a": 1}, '{"a": 1}', NOWHERE)
    part = assembly.close(call, NOWHERE)
    assert isinstance(part, CallCompleted)
    assert part.call.args == {"a": 1}


def test_a_call_without_id_gets_one() -> None:
    assembly, call = opened("{}", call_id="")
    part = assembly.close(call, NOWHERE)
    assert isinstance(part, CallCompleted)
    assert part.call.call_id == "made"


def test_keys_rise_with_the_calls_place() -> None:
    assembly = Assembly("somewhere", lambda: "made")
    assert [assembly.open("f", "", NOWHERE)[0].key for _ in range(3)] == [0, 1, 2]


def test_brackets_inside_a_text_close_nothing() -> None:
    assert [is_whole(text) for text in ('{"a": "}"', '{"a": "\\"}"', '{"a": "}"}', "")] == [
        False,
        False,
        True,
        False,
    ]


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=10,
)


@given(json_values, st.booleans())
def test_json_says_the_same_as_to_the_standard_library(value: object, ascii_only: bool) -> None:
    text = json.dumps(value, ensure_ascii=ascii_only)
    assert repr(parse(text)) == repr(json.loads(text))


@given(st.text(st.sampled_from('{}[]",:\\u0019eE+-.tfn \n\ud83d')))
def test_what_the_standard_library_refuses_is_refused(text: str) -> None:
    try:
        wanted: object = json.loads(text)
    except ValueError:
        with pytest.raises(ValueError):
            parse(text)
    else:
        assert json.dumps(parse(text)).replace("\\ufffd", "") == json.dumps(wanted).replace(
            "\\ud83d", ""
        )
