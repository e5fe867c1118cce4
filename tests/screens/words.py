"""What people and models say in the moments, in each language of the program."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tools.call import JsonObject


@dataclass(frozen=True, slots=True)
class Words:
    """One language's conversation. `titles` are earlier chats, `routine` a call's arguments."""

    question: str
    before: str
    answer: str
    titles: tuple[str, ...]
    routine: JsonObject
    markdown: str


def _routine(name: str, *exercises: str) -> JsonObject:
    return {
        "name": name,
        "days": ["monday", "thursday"],
        "exercises": [
            {"name": exercise, "kind": "strength", "sets": 5, "repetitions": 5}
            for exercise in exercises
        ],
    }


WORDS: Mapping[str, Words] = {
    "en": Words(
        question="What is my height and my weight?",
        before="Let me look both up.",
        answer="You are **170 cm** tall and weigh **70 kg**.",
        titles=(
            "weights for Monday",
            "What is 12.5 % of 340?",
            "read the notes and tell me, in a few words, what is to be done before the holidays",
        ),
        routine=_routine("Full body", "Squat", "Bench press"),
        markdown="""\
## Two ways to count

Your **body mass index** is *24.2*, from `weight / height²`:

```python
def index(kg: float, cm: float) -> float:
    return kg / (cm / 100) ** 2  # kilograms, metres
```

| measure | value |
|---|---:|
| height | 170 cm |
| weight | 70 kg |

1. Measure in the morning.
2. Write it down:
   - the day,
   - the value.

> What is not measured is guessed. See [the notes](https://example.org/notes).
""",
    ),
    "pt_BR": Words(
        question="Qual é a minha altura e o meu peso?",
        before="Vou consultar os dois.",
        answer="Você tem **170 cm** de altura e pesa **70 kg**.",
        titles=(
            "pesos para segunda-feira",
            "Quanto é 12,5 % de 340?",
            "leia as anotações e me diga, em poucas palavras, o que falta fazer antes das férias",
        ),
        routine=_routine("Corpo inteiro", "Agachamento", "Supino"),
        markdown="""\
## Duas formas de calcular

Seu **índice de massa corporal** é *24,2*:

1. Meça pela manhã.
2. Anote o valor.
""",
    ),
    "es": Words(
        question="¿Cuál es mi altura y mi peso?",
        before="Voy a consultar los dos.",
        answer="Mides **170 cm** y pesas **70 kg**.",
        titles=(
            "pesas para el lunes",
            "¿Cuánto es el 12,5 % de 340?",
            "lee las notas y dime, en pocas palabras, qué queda por hacer antes de las vacaciones",
        ),
        routine=_routine("Cuerpo entero", "Sentadilla", "Press de banca"),
        markdown="""\
## Dos formas de calcular

Tu **índice de masa corporal** es *24,2*:

1. Mide por la mañana.
2. Anota el valor.
""",
    ),
}
