"""What a scene does with a client that does not do its part, or asks for something else."""

from __future__ import annotations

import json

import pytest

from providers.simulator import Simulator
from providers.simulator.conversation import (
    AskedCall,
    Conversation,
    Entry,
    GivenResult,
    OfferedTool,
    UserText,
)
from providers.simulator.performance import Performance
from providers.simulator.reply import Ask
from providers.simulator.scenes import Playing, Scene
from providers.simulator.scenes.reading import parse_scene
from tests.scripted import HeldClock
from tests.simulating import DIALECTS, LOOKUP, answer, post, question, schema

HEAD = 'title = "T"\nsummary = "S"\n'
TWO_STEPS = """
[[turns]]
message = "Tell me"
[[turns.steps]]
calls = [{ tool = "lookup_demo_value", arguments = { key = "height" }, as = "height" }]
[[turns.steps]]
text = "It is {height.value}."
"""
BUSY = 'faults = [{ fault = "status-429", wait = 2 }]\n'
TELL = UserText("tell me")
CALL = AskedCall("c1", LOOKUP, '{"key": "height"}')


def scene(text: str = TWO_STEPS) -> Scene:
    return parse_scene(HEAD + text, "test.toml")


def performed(
    played: Scene, *entries: Entry, tools: tuple[str, ...] = (LOOKUP,), forced: bool = False
) -> Performance:
    offered = tuple(OfferedTool(name, schema()) for name in tools)
    conversation = Conversation("vitral-sim", entries, tools=offered, forced=forced)
    return Playing(played).perform(conversation, thinks=True)


def text(performance: Performance) -> str:
    return "".join(item for item in performance.reply.items if isinstance(item, str))


def calls(performance: Performance) -> list[tuple[str, object]]:
    asks = [item for item in performance.reply.items if isinstance(item, Ask)]
    return [(ask.name, json.loads(ask.arguments)) for ask in asks]


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_client_that_comes_back_too_soon_is_refused_in_words(dialect: str) -> None:
    held, unmet = HeldClock(), list[str]()
    busy = scene(TWO_STEPS.replace("[[turns.steps]]\ncalls", f"[[turns.steps]]\n{BUSY}calls"))
    playing = Playing(busy, now=lambda: held.time)
    simulator = Simulator(speed=0, player=playing, on_unmet=unmet.append)
    request = post(dialect, question(dialect, "Tell me", LOOKUP))
    assert answer(request, simulator).status == 429
    held.time += 0.5
    refused = answer(request, simulator)
    said = "Scene, turn 1, step 1: the client was to wait 2 seconds before it tried again"
    assert refused.status == 400
    assert said in refused.error["message"]
    assert unmet == [refused.error["message"]]


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_client_that_waits_as_it_was_told_is_answered(dialect: str) -> None:
    held = HeldClock()
    busy = scene(TWO_STEPS.replace("[[turns.steps]]\ncalls", f"[[turns.steps]]\n{BUSY}calls"))
    simulator = Simulator(speed=0, player=Playing(busy, now=lambda: held.time))
    request = post(dialect, question(dialect, "Tell me", LOOKUP))
    assert answer(request, simulator).status == 429
    held.time += 2
    assert LOOKUP.encode() in answer(request, simulator).body


def test_a_call_without_a_result_is_missed() -> None:
    said = performed(scene(), TELL, CALL).unmet
    assert said == "Scene, turn 1, step 2: the call of height was to be answered; its result did " \
        "not come."  # fmt: skip


def test_an_error_where_a_value_was_expected_is_said() -> None:
    strict = scene(TWO_STEPS.replace("text = ", 'expects.values = ["height"]\ntext = '))
    said = performed(strict, TELL, CALL, GivenResult("c1", "Error: no", True)).unmet
    assert said.endswith("the call of height was to give a value; it gave an error.")


def test_a_value_where_an_error_was_expected_is_said() -> None:
    strict = scene(TWO_STEPS.replace("text = ", 'expects.errors = ["height"]\ntext = '))
    said = performed(strict, TELL, CALL, GivenResult("c1", '{"value": 1}', False)).unmet
    assert said.endswith("was to be answered with an error; it gave a value.")


@pytest.mark.parametrize(
    ("wanted", "tools", "forced", "met"),
    [
        ("auto", (LOOKUP, "calculate"), False, True),
        ("required", (LOOKUP, "calculate"), True, True),
        (LOOKUP, (LOOKUP,), True, True),
        ("none", (), False, True),
        ("required", (LOOKUP, "calculate"), False, False),
        ("none", (LOOKUP,), False, False),
        ("calculate", (LOOKUP,), True, False),
    ],
)
def test_the_tool_choice_is_the_one_expected(
    wanted: str, tools: tuple[str, ...], forced: bool, met: bool
) -> None:
    choosy = scene(TWO_STEPS.replace("calls = ", f'expects.tool_choice = "{wanted}"\ncalls = '))
    assert (performed(choosy, TELL, tools=tools, forced=forced).unmet == "") is met


def test_a_failure_that_the_scene_does_not_know_ends_it_kindly() -> None:
    said = performed(scene(), TELL, CALL, GivenResult("c1", "Error: no", True))
    assert said.unmet == ""
    assert text(said).startswith("I tried `height`, but it did not work this time")


def test_a_value_that_is_not_in_the_result_is_not_made_up() -> None:
    said = performed(scene(), TELL, CALL, GivenResult("c1", '{"other": 1}', False))
    assert text(said) == "I looked and found nothing."


def test_a_result_with_a_placeholder_in_it_stays_as_it_is() -> None:
    said = performed(scene(), TELL, CALL, GivenResult("c1", '{"value": "{height.value}"}', False))
    assert text(said) == "It is {height.value}."


def test_arguments_hold_the_value_itself_and_braces_stay_braces() -> None:
    chain = scene("""
[[turns]]
[[turns.steps]]
calls = [{ tool = "list_orders", as = "all" }]
[[turns.steps]]
calls = [{ tool = "get_order", arguments = { order_id = "{all.orders.0.id}", note = "{{x}} {all.orders.0.id}" } }]
[[turns.steps]]
text = "Done."
""")  # noqa: E501 - an inline table has one line
    given = GivenResult("c1", '{"orders": [{"id": 1042}]}', False)
    said = performed(
        chain, TELL, AskedCall("c1", "list_orders", "{}"), given, tools=("list_orders", "get_order")
    )
    assert calls(said) == [("get_order", {"order_id": 1042, "note": "{x} 1042"})]


def test_raw_arguments_go_out_as_they_are() -> None:
    broken = scene(TWO_STEPS.replace('arguments = { key = "height" }', "raw = '{\"key\": '"))
    (ask,) = performed(broken, TELL).reply.items
    assert ask == Ask(LOOKUP, '{"key": ')


@pytest.mark.parametrize("said", ["TELL  me!", "could you téll it to me, please?"])
def test_case_accents_and_words_between_do_not_matter(said: str) -> None:
    assert calls(performed(scene(), UserText(said))) == [(LOOKUP, {"key": "height"})]


def test_the_turn_with_the_longest_phrase_is_meant() -> None:
    two = parse_scene(
        """
title.en = "T"
summary.en = "S"
[[turns]]
hears.en = ["height"]
[[turns.steps]]
text = "Short."
[[turns]]
hears.en = ["height and weight"]
[[turns.steps]]
text = "Long."
""",
        "test.toml",
    )
    assert text(performed(two, UserText("My height and my weight"))) == "Long."
    assert text(performed(two, UserText("My height"))) == "Short."


def test_what_no_turn_hears_is_answered_by_the_simulator_itself() -> None:
    said = performed(scene(), UserText("What is 2 + 2?"), tools=("calculate",))
    assert calls(said) == [("calculate", {"expression": "2 + 2"})]


def test_a_scene_may_say_that_it_did_not_understand() -> None:
    strict = scene('unheard = "say"\n' + TWO_STEPS)
    said = text(performed(strict, UserText("What is 2 + 2?")))
    assert said == "This scene has no answer to that. It listens for:\n\n- Tell me"


def test_a_tool_that_is_not_offered_is_not_called() -> None:
    said = performed(scene(), TELL, tools=("calculate",))
    assert calls(said) == []
    assert LOOKUP in text(said)


def test_a_tool_that_comes_only_when_asked_for_is_asked_for() -> None:
    said = performed(scene(), TELL, tools=("find_tools",))
    assert [name for name, _ in calls(said)] == ["find_tools"]


def test_a_search_for_tools_does_not_count_as_a_step() -> None:
    search = AskedCall("s1", "find_tools", '{"task": "lookup demo value"}')
    said = performed(scene(), TELL, search, GivenResult("s1", "{}", False))
    assert calls(said) == [(LOOKUP, {"key": "height"})]
