"""Measurements, routines and orders: what may be saved, what is refused, what is kept."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from tests.tool_makers import Recorder, call, error_of, permitting
from tools.call import ErrorKind, ToolResult
from tools.database import opened
from tools.demo import demo_toolbox
from tools.demo.orders import NEXT, Status
from tools.permission import Change
from tools.tool import Role, ToolContext

turns = count(1)


@pytest.fixture
def context(tmp_path: Path) -> ToolContext:
    return ToolContext(tmp_path, tmp_path / "demo.sqlite", Role.SUPPORT)


async def run(
    context: ToolContext, name: str, recorder: Recorder | None = None, /, **args: object
) -> ToolResult:
    recorder = recorder or permitting(next(turns))
    (result,) = await recorder.dispatch([call(name, **args)], demo_toolbox(), context)
    assert recorder.exceptions == []
    return result


async def output(context: ToolContext, name: str, /, **args: object) -> Any:
    result = await run(context, name, **args)
    assert result.error is None
    return result.output


async def refusal(context: ToolContext, name: str, /, **args: object) -> str:
    error = error_of(await run(context, name, **args))
    assert error.kind is ErrorKind.FAILED
    return error.message


async def change(context: ToolContext, name: str, /, **args: object) -> Change:
    """What the person is told that the call will change."""
    recorder = permitting(next(turns))
    await run(context, name, recorder, **args)
    return recorder.asked[0]


# --- measurements


async def test_a_saved_measurement_is_the_one_that_is_looked_up(context: ToolContext) -> None:
    await output(context, "save_measurement", key="weight", value=72.5, unit="kg")
    newest = await output(context, "lookup_demo_value", key="weight")
    assert newest == {"key": "weight", "value": 72.5, "unit": "kg"}


async def test_the_last_of_two_saved_at_once_counts(context: ToolContext) -> None:
    for value in (72, 71):
        await output(context, "save_measurement", key="weight", value=value)
    assert (await output(context, "lookup_demo_value", key="weight"))["value"] == 71


async def test_earlier_measurements_are_kept(context: ToolContext) -> None:
    await output(context, "save_measurement", key="height", value=171)
    with opened(context.database) as connection:
        rows = connection.execute("SELECT value FROM measurements WHERE key = 'height'").fetchall()
    assert [row["value"] for row in rows] == [170, 171]


async def test_what_was_saved_comes_back_with_what_was_before(context: ToolContext) -> None:
    assert await output(context, "save_measurement", key="height", value=171) == {
        "saved": {"key": "height", "value": 171, "unit": "cm"},
        "before": {"key": "height", "value": 170, "unit": "cm"},
    }


@pytest.mark.parametrize(
    ("key", "value", "unit", "reason"),
    [
        ("height", 1.7, None, "no plausible height: wanted 40 to 280 cm"),
        ("height", 281, None, "no plausible height"),
        ("weight", 0, None, "no plausible weight"),
        ("weight", -70, None, "no plausible weight"),
        ("weight", 1e300, None, "no plausible weight"),
        ("weight", 70, "cm", "saved in kg, not in cm"),
        ("height", 170, "kg", "saved in cm, not in kg"),
    ],
)
async def test_an_implausible_measurement_is_refused(
    context: ToolContext, key: str, value: float, unit: str | None, reason: str
) -> None:
    args = {"key": key, "value": value, "unit": unit}
    assert reason in await refusal(context, "save_measurement", **args)


async def test_the_person_is_told_the_value_and_the_one_it_replaces(context: ToolContext) -> None:
    expected = Change("change.weight", {"value": "72.5", "unit": "kg", "now": "70 kg"})
    assert await change(context, "save_measurement", key="weight", value=72.5) == expected


async def test_a_text_with_sql_in_it_is_a_text(context: ToolContext) -> None:
    name = "'); DROP TABLE routines; --"
    assert (await output(context, "create_routine", **routine(name=name)))["name"] == name
    assert "already" in await refusal(context, "create_routine", **routine(name=name))


# --- routines

SQUAT = {"name": "Squat", "kind": "strength", "sets": 3, "repetitions": 12}
ROWING = {"name": "Rowing", "kind": "cardio", "minutes": 20}


def routine(**other: object) -> dict[str, object]:
    return {"name": "Legs", "days": ["monday", "friday"], "exercises": [SQUAT, ROWING], **other}


async def test_a_routine_is_kept_with_its_days_and_its_exercises_in_order(
    context: ToolContext,
) -> None:
    await output(context, "create_routine", **routine())
    with opened(context.database) as connection:
        days = connection.execute("SELECT day FROM routine_days ORDER BY day").fetchall()
        done = connection.execute(
            "SELECT name, kind, sets, repetitions, minutes FROM routine_exercises ORDER BY place"
        ).fetchall()
    assert [row["day"] for row in days] == ["friday", "monday"]
    assert [tuple(row) for row in done] == [
        ("Squat", "strength", 3, 12, None),
        ("Rowing", "cardio", None, None, 20),
    ]


@pytest.mark.parametrize("name", ["Legs", "legs", "  LEGS  "])
async def test_a_routine_needs_a_name_of_its_own(context: ToolContext, name: str) -> None:
    await output(context, "create_routine", **routine())
    message = await refusal(context, "create_routine", **routine(name=name))
    assert "already a routine named 'Legs'" in message


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        ({"name": "   "}, "more than spaces"),
        ({"days": ["monday", "monday"]}, "once only"),
        ({"exercises": [{"name": "Squat", "kind": "strength"}]}, "needs sets and repetitions"),
        ({"exercises": [{**SQUAT, "minutes": 5}]}, "no minutes"),
        ({"exercises": [{"name": "Rowing", "kind": "cardio"}]}, "needs minutes only"),
        ({"exercises": [{**ROWING, "sets": 3}]}, "needs minutes only"),
    ],
)
async def test_a_routine_that_makes_no_sense_is_refused(
    context: ToolContext, wrong: Mapping[str, object], reason: str
) -> None:
    assert reason in await refusal(context, "create_routine", **routine(**wrong))


async def test_a_wrong_part_of_a_routine_is_named(context: ToolContext) -> None:
    result = await run(context, "create_routine", **routine(exercises=[{**SQUAT, "kind": "legs"}]))
    assert [problem.field for problem in error_of(result).problems] == ["exercises.0.kind"]


# --- orders


async def test_the_seeded_orders_are_listed_by_number(context: ToolContext) -> None:
    orders = (await output(context, "list_orders"))["orders"]
    assert [order["id"] for order in orders] == list(range(1040, 1050))


async def test_orders_are_listed_by_status(context: ToolContext) -> None:
    orders = (await output(context, "list_orders", status="paid"))["orders"]
    assert [order["id"] for order in orders] == [1042, 1044, 1048]


async def test_support_ships_a_paid_order(context: ToolContext) -> None:
    done = await output(context, "update_order_status", order_id=1042, new_status="shipped")
    assert (done["before"], done["order"]["status"]) == ("paid", "shipped")
    assert (await output(context, "get_order", order_id=1042))["status"] == "shipped"


async def test_a_viewer_changes_no_order(tmp_path: Path) -> None:
    viewer = ToolContext(tmp_path, tmp_path / "demo.sqlite")
    args = {"order_id": 1042, "new_status": "shipped"}
    assert "role is viewer" in await refusal(viewer, "update_order_status", **args)
    assert (await output(viewer, "get_order", order_id=1042))["status"] == "paid"


ALLOWED = {
    ("pending", "paid"),
    ("pending", "cancelled"),
    ("paid", "shipped"),
    ("paid", "cancelled"),
    ("shipped", "delivered"),
}


def test_an_order_goes_only_where_the_shop_says() -> None:
    assert {(now.value, to.value) for now, ways in NEXT.items() for to in ways} == ALLOWED
    assert NEXT.keys() == set(Status)


@pytest.mark.parametrize(
    ("order_id", "status", "reason"),
    [
        (1043, "shipped", "1043 is pending: from there it can become paid or cancelled"),
        (1041, "cancelled", "1041 is shipped: from there it can become delivered"),
        (1040, "pending", "1040 is delivered: from there it can become nothing else"),
        (1042, "paid", "not paid"),
        (1050, "paid", "no order 1050"),
        (2**70, "paid", "no order"),
    ],
)
async def test_an_order_that_cannot_go_there_stays(
    context: ToolContext, order_id: int, status: str, reason: str
) -> None:
    args = {"order_id": order_id, "new_status": status}
    assert reason in await refusal(context, "update_order_status", **args)


async def test_an_order_that_moved_while_the_person_was_thinking_is_looked_at_again(
    context: ToolContext,
) -> None:
    async def somebody_cancels() -> None:
        with opened(context.database) as connection:
            connection.execute("UPDATE orders SET status = 'cancelled' WHERE id = 1042")

    recorder = permitting(next(turns))
    recorder.thinking = somebody_cancels
    args = {"order_id": 1042, "new_status": "shipped"}
    result = await run(context, "update_order_status", recorder, **args)
    assert "1042 is cancelled" in error_of(result).message


async def test_the_person_is_told_from_where_to_where_an_order_goes(context: ToolContext) -> None:
    shown = await change(context, "update_order_status", order_id=1042, new_status="shipped")
    assert (shown.values["now"], shown.values["status"]) == ("paid", "shipped")
