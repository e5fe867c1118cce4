"""What the simulated model understands and says, in three languages."""

from __future__ import annotations

import json

import pytest

from providers.simulator.brain import reply
from providers.simulator.conversation import (
    AskedCall,
    Conversation,
    Entry,
    GivenResult,
    ModelText,
    OfferedTool,
    UserText,
)
from providers.simulator.phrases import Phrases, language_of, languages
from providers.simulator.reply import Ask, Reply
from tests.simulating import LOOKUP, schema

TOOLS = (
    LOOKUP,
    "calculate",
    "read_file",
    "list_files",
    "search_text",
    "save_measurement",
    "create_routine",
    "get_order",
    "list_orders",
    "update_order_status",
    "write_file",
    "delete_file",
)
HEIGHT = '{"key": "height"}'
HEIGHT_RESULT = '{"key": "height", "value": 170, "unit": "cm"}'


def said(*entries: Entry, tools: tuple[str, ...] = TOOLS, forced: bool = False) -> Reply:
    """What the model says after these entries."""
    offered = tuple(OfferedTool(name, schema()) for name in tools)
    conversation = Conversation("vitral-sim", entries, tools=offered, forced=forced)
    return reply(conversation, thinks=False)


def text(answer: Reply) -> str:
    return "".join(item for item in answer.items if isinstance(item, str))


def calls(answer: Reply) -> list[tuple[str, object]]:
    asks = [item for item in answer.items if isinstance(item, Ask)]
    return [(ask.name, json.loads(ask.arguments)) for ask in asks]


def lookups(*keys: str) -> list[tuple[str, object]]:
    return [(LOOKUP, {"key": key}) for key in keys]


def saving(key: str, value: float, unit: str) -> tuple[str, object]:
    return ("save_measurement", {"key": key, "value": value, "unit": unit})


def moving(order: int, status: str) -> tuple[str, object]:
    return ("update_order_status", {"order_id": order, "new_status": status})


def reading(*paths: str) -> list[tuple[str, object]]:
    return [("read_file", {"path": path}) for path in paths]


def deleting(path: str) -> tuple[str, object]:
    return ("delete_file", {"path": path})


def writing(path: str, written: str) -> tuple[str, object]:
    return ("write_file", {"path": path, "text": written})


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What is my height?", lookups("height")),
        ("Qual é a minha altura?", lookups("height")),
        ("¿Cuál es mi estatura?", lookups("height")),
        ("how tall am I", lookups("height")),
        ("quanto eu peso?", lookups("weight")),
        ("My height and weight", lookups("height", "weight")),
        ("minha altura e meu peso", lookups("height", "weight")),
        ("mi altura y mi peso", lookups("height", "weight")),
        ("What is 12.5 % of 340?", [("calculate", {"expression": "12.5% of 340"})]),
        ("Quanto é 12,5% de 340?", [("calculate", {"expression": "12.5% of 340"})]),
        ("¿Cuánto es el 12,5 por ciento de 340?", [("calculate", {"expression": "12.5% of 340"})]),
        ("What is 1,234.5 plus 2?", [("calculate", {"expression": "1234.5 + 2"})]),
        ("quanto é 1.234,5 dividido por 2", [("calculate", {"expression": "1234.5 / 2"})]),
        ("cuánto es 3 por 4", [("calculate", {"expression": "3 * 4"})]),
        ("7 times (3 plus 4)", [("calculate", {"expression": "7 * (3 + 4)"})]),
        ("Read the notes", [("read_file", {"path": "notes.md"})]),
        ("Leia as notas", [("read_file", {"path": "notes.md"})]),
        ("Lee las notas", [("read_file", {"path": "notes.md"})]),
        ("List the files", [("list_files", {})]),
        ("Liste os arquivos", [("list_files", {})]),
        ("Lista los archivos", [("list_files", {})]),
        ("Search for green tea!", [("search_text", {"query": "green tea"})]),
        ("Procure por Chá Verde", [("search_text", {"query": "Chá Verde"})]),
        ("Busca «té»", [("search_text", {"query": "té"})]),
        ("My height and 2 + 2", [*lookups("height"), ("calculate", {"expression": "2 + 2"})]),
    ],
)
def test_a_question_becomes_the_calls_that_answer_it(
    question: str, expected: list[tuple[str, object]]
) -> None:
    assert calls(said(UserText(question))) == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Save my weight 72.5 kg", [saving("weight", 72.5, "kg")]),
        ("Salve meu peso 72,5 kg", [saving("weight", 72.5, "kg")]),
        ("Guarda mi peso 72,5 kg", [saving("weight", 72.5, "kg")]),
        (
            "Save my weight 72 kg and my height 180 cm",
            [saving("weight", 72, "kg"), saving("height", 180, "cm")],
        ),
        ("Ship order 1042", [moving(1042, "shipped")]),
        ("Envie o pedido 1042", [moving(1042, "shipped")]),
        ("Envía el pedido 1042", [moving(1042, "shipped")]),
        ("Mark order 1043 as paid.", [moving(1043, "paid")]),
        ("Show order 1042", [("get_order", {"order_id": 1042})]),
        ("List the paid orders", [("list_orders", {"status": "paid"})]),
        ("Liste os pedidos", [("list_orders", {})]),
        ("Delete a.txt and then read it", [deleting("a.txt"), *reading("a.txt")]),
        ("Apague a.txt e depois leia-o", [deleting("a.txt"), *reading("a.txt")]),
        ("Borra a.txt y luego léelo", [deleting("a.txt"), *reading("a.txt")]),
        ("Read a.md, b.md and c.md", reading("a.md", "b.md", "c.md")),
        ("Read these two files: a.md, b.md", reading("a.md", "b.md")),
        ("Write 'tea and milk' to B.txt", [writing("B.txt", "tea and milk")]),
        ("Escreva leite em todo.txt", [writing("todo.txt", "leite")]),
        ("Escribe leche en todo.txt", [writing("todo.txt", "leche")]),
        (
            "My height, save my weight 80 kg, then my weight?",
            [*lookups("height"), saving("weight", 80, "kg"), *lookups("weight")],
        ),
        ("Search for bread and butter", [("search_text", {"query": "bread and butter"})]),
    ],
)
def test_a_request_to_change_something_becomes_its_calls_in_order(
    question: str, expected: list[tuple[str, object]]
) -> None:
    assert calls(said(UserText(question))) == expected


@pytest.mark.parametrize(
    "question",
    [
        "Create a routine called Dawn on monday and friday with squats and running",
        "Crie uma rotina chamada Dawn na segunda e na sexta com agachamento e corrida",
        "Crea una rutina llamada Dawn el lunes y el viernes con sentadillas y correr",
    ],
)
def test_a_routine_is_one_call_with_its_days_and_exercises(question: str) -> None:
    ((name, args),) = calls(said(UserText(question)))
    assert isinstance(args, dict)
    assert (name, args["name"], args["days"]) == ("create_routine", "Dawn", ["monday", "friday"])
    assert [exercise["kind"] for exercise in args["exercises"]] == ["strength", "cardio"]


@pytest.mark.parametrize(
    "question",
    ["Read these two files", "Leia estes dois arquivos", "Lee estos dos archivos"],
)
def test_files_without_names_are_listed_first_and_then_read(question: str) -> None:
    listed = '{"files": [{"path": "a.md"}, {"path": "b.md"}, {"path": "c.md"}]}'
    asked = (UserText(question), AskedCall("a", "list_files", "{}"))
    assert calls(said(asked[0])) == [("list_files", {})]
    assert calls(said(*asked, GivenResult("a", listed, failed=False))) == reading("a.md", "b.md")


@pytest.mark.parametrize(
    ("question", "tool", "result", "expected"),
    [
        (
            "Save my weight 72.5 kg",
            "save_measurement",
            '{"saved": {"value": 72.5, "unit": "kg"}}',
            "Saved: 72.5 kg.",
        ),
        (
            "Ship order 1042",
            "update_order_status",
            '{"order": {"id": 1042, "item": "Yoga mat", "status": "shipped"}}',
            "Done. Order 1042 · Yoga mat · shipped.",
        ),
        ("Delete a.txt", "delete_file", '{"path": "a.txt", "deleted": true}', "I deleted `a.txt`."),
        ("Write x to a.txt", "write_file", '{"path": "a.txt", "bytes": 1}', "I wrote `a.txt`."),
    ],
)
def test_what_was_changed_is_said(question: str, tool: str, result: str, expected: str) -> None:
    answer = said(
        UserText(question), AskedCall("a", tool, "{}"), GivenResult("a", result, failed=False)
    )
    assert text(answer) == expected


def test_a_change_that_the_person_did_not_allow_is_not_tried_again() -> None:
    answer = said(
        UserText("Delete a.txt"),
        AskedCall("a", "delete_file", '{"path": "a.txt"}'),
        GivenResult("a", "The person did not allow delete_file.", failed=True),
    )
    assert (calls(answer), text(answer)) == ([], "As you wish: I changed nothing.")


@pytest.mark.parametrize(
    "question", ["Hello!", "Obrigado!", "¿Quién eres?", "It is 2026-01-31.", "Version 3.11", ""]
)
def test_what_needs_no_tool_is_answered_without_one(question: str) -> None:
    assert calls(said(UserText(question))) == []


@pytest.mark.parametrize(
    ("question", "greeting"), [("hi", "Hello!"), ("oi", "Olá!"), ("hola", "¡Hola!")]
)
def test_a_greeting_is_answered_in_its_language(question: str, greeting: str) -> None:
    assert text(said(UserText(question))).startswith(greeting)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What is my height?", "Your height is 170 cm."),
        ("Qual é a minha altura?", "Sua altura é 170 cm."),
        ("¿Cuál es mi estatura?", "Tu estatura es 170 cm."),
    ],
)
def test_a_result_is_said_in_the_persons_language(question: str, expected: str) -> None:
    answer = said(
        UserText(question),
        AskedCall("a", LOOKUP, HEIGHT),
        GivenResult("a", HEIGHT_RESULT, failed=False),
    )
    assert text(answer) == expected


def test_two_results_are_said_in_the_order_of_their_calls() -> None:
    answer = said(
        UserText("my height and weight"),
        AskedCall("a", LOOKUP, HEIGHT),
        AskedCall("b", LOOKUP, '{"key": "weight"}'),
        GivenResult("a", HEIGHT_RESULT, failed=False),
        GivenResult("b", '{"value": 70, "unit": "kg"}', failed=False),
    )
    assert text(answer) == "Your height is 170 cm. Your weight is 70 kg."


@pytest.mark.parametrize(
    ("question", "expected"),
    [("quanto é 85 / 2", "O resultado é 42,5."), ("what is 85 / 2", "The result is 42.5.")],
)
def test_a_number_is_written_as_the_language_writes_it(question: str, expected: str) -> None:
    answer = said(
        UserText(question),
        AskedCall("a", "calculate", '{"expression": "85 / 2"}'),
        GivenResult("a", '{"expression": "85 / 2", "value": "42.5", "exact": true}', failed=False),
    )
    assert text(answer) == expected


@pytest.mark.parametrize(
    ("tool", "question", "result", "expected"),
    [
        ("read_file", "read the notes", '{"path": "notes.md", "text": "Buy tea."}', "Buy tea."),
        ("list_files", "list the files", '{"files": [{"path": "a.md", "bytes": 1}]}', "- `a.md`"),
        (
            "search_text",
            "search for tea",
            '{"matches": [{"path": "a.md", "line": 3, "text": " tea "}]}',
            "- `a.md:3` tea",
        ),
        ("search_text", "search for tea", '{"matches": []}', "I looked and found nothing."),
    ],
)
def test_what_a_file_tool_found_is_shown(
    tool: str, question: str, result: str, expected: str
) -> None:
    answer = said(
        UserText(question), AskedCall("a", tool, "{}"), GivenResult("a", result, failed=False)
    )
    assert expected in text(answer)


def test_a_number_without_end_is_rounded() -> None:
    answer = said(
        UserText("what is 10 / 3"),
        AskedCall("a", "calculate", '{"expression": "10 / 3"}'),
        GivenResult("a", '{"value": "3.333333333333333333333333333"}', failed=False),
    )
    assert text(answer) == "The result is ≈ 3.333333333."


def test_a_broken_call_is_written_again_once() -> None:
    answer = said(
        UserText("What is my height?"),
        AskedCall("a", LOOKUP, '{"key": height}'),
        GivenResult("a", "the arguments are not JSON", failed=True),
    )
    assert calls(answer) == lookups("height")


def test_only_the_call_that_failed_is_written_again() -> None:
    answer = said(
        UserText("my height and weight"),
        AskedCall("a", LOOKUP, "broken"),
        AskedCall("b", LOOKUP, '{"key": "weight"}'),
        GivenResult("a", "invalid JSON", failed=True),
        GivenResult("b", "70 kg", failed=False),
    )
    assert calls(answer) == lookups("height")


def test_a_mended_call_answers_the_question() -> None:
    answer = said(
        UserText("What is my height?"),
        AskedCall("a", LOOKUP, "broken"),
        GivenResult("a", "invalid JSON", failed=True),
        AskedCall("b", LOOKUP, HEIGHT),
        GivenResult("b", HEIGHT_RESULT, failed=False),
    )
    assert text(answer) == "Your height is 170 cm."


def test_a_call_that_fails_twice_is_not_tried_a_third_time() -> None:
    attempt = (
        AskedCall("a", LOOKUP, HEIGHT),
        GivenResult("a", "invalid arguments", failed=True),
    )
    answer = said(UserText("What is my height?"), *attempt, *attempt)
    assert "did not work" in text(answer)


def test_a_tool_that_fails_is_told_and_not_tried_again() -> None:
    answer = said(
        UserText("What is my height?"),
        AskedCall("a", LOOKUP, HEIGHT),
        GivenResult("a", "No height has been saved yet.", failed=True),
    )
    assert LOOKUP in text(answer)


def test_a_tool_that_is_not_offered_is_not_called() -> None:
    answer = said(UserText("What is my height?"), tools=("calculate",))
    assert calls(answer) == []
    assert LOOKUP in text(answer)


def test_only_the_last_text_of_the_person_counts() -> None:
    answer = said(UserText("What is my height?"), ModelText("…"), UserText("Thank you!"))
    assert text(answer) == languages()["en"].says["thanks"]


def test_a_result_of_an_earlier_turn_does_not_answer_a_new_question() -> None:
    answer = said(
        UserText("What is my height?"),
        AskedCall("a", LOOKUP, HEIGHT),
        GivenResult("a", HEIGHT_RESULT, failed=False),
        ModelText("Your height is 170 cm."),
        UserText("And my height now?"),
    )
    assert calls(answer) == lookups("height")


def test_a_forced_model_calls_even_when_it_would_chat() -> None:
    answer = said(UserText("Hello!"), forced=True, tools=("list_files",))
    assert calls(answer) == [("list_files", {})]


def test_a_forced_call_fits_the_tools_schema() -> None:
    parameters = {
        "type": "object",
        "properties": {"key": {"enum": ["height", "weight"]}, "days": {"type": "integer"}},
        "required": ["key", "days"],
    }
    offered = (OfferedTool("anything", parameters),)
    conversation = Conversation("m", (UserText("hi"),), tools=offered, forced=True)
    assert calls(reply(conversation, thinks=False)) == [("anything", {"key": "height", "days": 1})]


def test_a_thinking_model_shows_its_reasoning() -> None:
    conversation = Conversation("m", (UserText("hello"),))
    assert reply(conversation, thinks=True).reasoning


def test_an_unclear_text_keeps_the_language_of_the_one_before() -> None:
    assert language_of(("Qual é a minha altura?", "2 + 2")) == "pt_BR"


@pytest.mark.parametrize("language", sorted(languages()))
def test_each_language_says_the_same_things(language: str) -> None:
    def shape(phrases: Phrases) -> dict[str, set[str]]:
        return {
            key: {name for name in ("value", "tool", "name") if f"{{{name}}}" in sentence}
            for key, sentence in phrases.says.items()
        }

    assert shape(languages()[language]) == shape(languages()["en"])


@pytest.mark.parametrize("language", sorted(languages()))
def test_each_language_hears_the_same_subjects_and_signs(language: str) -> None:
    english, other = languages()["en"], languages()[language]
    assert (other.hears.keys(), other.sums.keys()) == (english.hears.keys(), english.sums.keys())
    assert other.days.keys() == english.days.keys()
