"""The simulator's own brain calls every demo tool, in every language, from an everyday sentence."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from app.events import Ending
from app.settings import Settings
from app.tool_shelf import ToolShelf
from providers.simulator.phrases import language_of, languages
from tests.staging import Stage

SENTENCES: Mapping[str, Mapping[str, str]] = {
    "lookup_demo_value": {
        "en": "How much do I weigh?",
        "pt_BR": "Quanto eu peso?",
        "es": "¿Cuánto peso?",
    },
    "calculate": {
        "en": "What is 15% of 80?",
        "pt_BR": "Quanto é 15% de 80?",
        "es": "¿Cuánto es el 15% de 80?",
    },
    "read_file": {
        "en": "Open the file garden/plan.md",
        "pt_BR": "Abra o arquivo garden/plan.md",
        "es": "Abre el archivo garden/plan.md",
    },
    "list_files": {
        "en": "Which files are in my folder?",
        "pt_BR": "Quais arquivos há na minha pasta?",
        "es": "¿Qué archivos hay en mi carpeta?",
    },
    "search_text": {
        "en": "Find basil",
        "pt_BR": "Encontre basil",
        "es": "Encuentra basil",
    },
    "save_measurement": {
        "en": "Save my height: 171 cm",
        "pt_BR": "Salve a minha altura: 171 cm",
        "es": "Guarda mi estatura: 171 cm",
    },
    "create_routine": {
        "en": "Create a routine called Morning on Monday and Friday with squats and yoga",
        "pt_BR": "Crie uma rotina chamada Manhã na segunda e na sexta com agachamentos e ioga",
        "es": "Crea una rutina llamada Mañana el lunes y el viernes con sentadillas y yoga",
    },
    "get_order": {
        "en": "What is the status of order 1042?",
        "pt_BR": "Qual é a situação do pedido 1042?",
        "es": "¿Cuál es el estado del pedido 1042?",
    },
    "list_orders": {
        "en": "Which orders are there?",
        "pt_BR": "Quais pedidos existem?",
        "es": "¿Qué pedidos hay?",
    },
    "update_order_status": {
        "en": "Cancel order 1043",
        "pt_BR": "Cancele o pedido 1043",
        "es": "Cancela el pedido 1043",
    },
    "write_file": {
        "en": "Write “milk and bread” into the file shopping.txt",
        "pt_BR": "Escreva “leite e pão” no arquivo shopping.txt",
        "es": "Escribe «leche y pan» en el archivo shopping.txt",
    },
    "delete_file": {
        "en": "Delete the file data.csv",
        "pt_BR": "Exclua o arquivo data.csv",
        "es": "Elimina el archivo data.csv",
    },
}


def test_each_tool_has_its_sentence() -> None:
    assert sorted(SENTENCES) == sorted(ToolShelf(Settings()).on.names)


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("name", SENTENCES)
async def test_a_sentence_in_each_language_calls_the_tool_and_is_answered(
    name: str, language: str, tmp_path: Path
) -> None:
    sentence = SENTENCES[name][language]
    stage = Stage(tmp_path)
    done = await stage.say(sentence)
    assert done.ending is Ending.ANSWERED
    assert [called for called, _ in stage.calls] == [name]
    assert stage.outcomes == ["value"]
    assert language_of((sentence,)) == language
