"""Whatever goes wrong, in each dialect: no half call runs, and the chat goes on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
import pytest_asyncio

from app.events import Done, Ending
from providers.failures import FailureKind
from providers.faults import FAULTS
from tests.fault_complaints import complaints, of_sentences
from tests.fault_matrix import QUESTIONS, Cell, cells, healthy_text, look
from tests.simulating import DIALECTS

pytestmark = pytest.mark.asyncio(loop_scope="module")

Healthy = Mapping[tuple[str, int], str]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def healthy() -> Healthy:
    """Dialect and number of calls → the answer when nothing goes wrong."""
    numbers = range(len(QUESTIONS))
    return {(name, n): await healthy_text(name, n) for name in DIALECTS for n in numbers}


@pytest.mark.parametrize("cell", cells(), ids=str)
async def test_what_goes_wrong_is_met_as_a_correct_client_does(
    cell: Cell, healthy: Healthy
) -> None:
    assert complaints(cell, await look(cell), healthy[cell.dialect, cell.calls]) == []


async def test_every_fault_is_in_the_matrix() -> None:
    assert {cell.fault.name for cell in cells()} == set(FAULTS)


# What the matrix would say of a client that does wrong.

LASTING = Cell(FAULTS["status-401"], "openai-chat", 1)
CUT = Cell(FAULTS["cut-in-arguments"], "anthropic", 2)
PASSING = Cell(FAULTS["status-429"], "gemini", 1, times=2)
LATE = Cell(FAULTS["status-500"], "openai-responses", 2, spared=1)
BROKEN = Cell(FAULTS["truncated-arguments"], "openai-chat", 2)
WHOLE = Cell(FAULTS["drip"], "openai-chat", 1, times=1)

WRONGS = [
    (LASTING, {"kinds": (FailureKind.AUTH,) * 3}),
    (LASTING, {"kinds": (FailureKind.SERVER,)}),
    (LASTING, {"asked": 2}),
    (LASTING, {"done": Done(Ending.ANSWERED)}),
    (LASTING, {"goes_on": False}),
    (CUT, {"ran": ("height",)}),
    (CUT, {"waits": (0.0, 0.0)}),
    (CUT, {"history_valid": False}),
    (PASSING, {"waits": (0.5, 1.0)}),
    (PASSING, {"ran": ("height", "height")}),
    (PASSING, {"refused_by": ("anthropic",)}),
    (LATE, {"ran": ("height", "weight", "height", "weight")}),
    (BROKEN, {"errors": ()}),
    (BROKEN, {"ran": ("height", "height", "weight")}),
    (WHOLE, {"text": "something else"}),
    (WHOLE, {"kinds": (FailureKind.CUT,)}),
]


@pytest.mark.parametrize(("cell", "wrong"), WRONGS, ids=str)
async def test_a_client_that_does_otherwise_is_complained_of(
    cell: Cell, wrong: dict[str, Any], healthy: Healthy
) -> None:
    seen = replace(await look(cell), **wrong)
    assert complaints(cell, seen, healthy[cell.dialect, cell.calls]) != []


async def test_an_ending_without_a_reference_is_complained_of() -> None:
    assert of_sentences(Done(Ending.FAILED)) != []
