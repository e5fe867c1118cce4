"""A small shop's orders in the demo database, and who may move them where."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from datetime import UTC, datetime
from enum import StrEnum

from pydantic import BaseModel, Field

from tools.database import opened
from tools.permission import Change, Values
from tools.tool import Effect, JsonValue, Role, ToolContext, ToolFailure, tool


class Status(StrEnum):
    PENDING = "pending"
    PAID = "paid"
    SHIPPED = "shipped"
    DELIVERED = "delivered"
    CANCELLED = "cancelled"


NEXT: Mapping[Status, tuple[Status, ...]] = {
    Status.PENDING: (Status.PAID, Status.CANCELLED),
    Status.PAID: (Status.SHIPPED, Status.CANCELLED),
    Status.SHIPPED: (Status.DELIVERED,),
    Status.DELIVERED: (),
    Status.CANCELLED: (),
}
"""Where an order may go from each status."""

MAY_CHANGE = frozenset({Role.SUPPORT})
"""The roles that may change orders; all may look at them."""

COLUMNS = "id, customer, item, quantity, status, changed_at"
ONE = f"SELECT {COLUMNS} FROM orders WHERE id = ?"  # noqa: S608 - the columns above
ALL = f"SELECT {COLUMNS} FROM orders WHERE ? IS NULL OR status = ? ORDER BY id"  # noqa: S608 - as above
MOVE = "UPDATE orders SET status = ?, changed_at = ? WHERE id = ?"


class OneOrder(BaseModel):
    order_id: int = Field(ge=1, description="The order's number, such as 1042.")


class Orders(BaseModel):
    status: Status | None = Field(default=None, description="Only the orders of this status.")


class Move(BaseModel):
    order_id: int = Field(ge=1, description="The order's number, such as 1042.")
    new_status: Status = Field(description="Where the order goes.")


@tool
def get_order(arguments: OneOrder, context: ToolContext) -> JsonValue:
    """Looks up one order of the shop by its number: customer, item, quantity and status."""
    with opened(context.database) as connection:
        return dict(_found(connection, arguments.order_id))


@tool
def list_orders(arguments: Orders, context: ToolContext) -> JsonValue:
    """Lists the shop's orders by number, all or those of one status."""
    with opened(context.database) as connection:
        rows = connection.execute(ALL, (arguments.status, arguments.status)).fetchall()
    return {"orders": [dict(row) for row in rows]}


def _moving(arguments: Move, context: ToolContext) -> Change:
    with opened(context.database) as connection:
        order = _movable(connection, arguments, context.role)
    values: Values = {
        "order": order["id"],
        "item": order["item"],
        "customer": order["customer"],
        "now": order["status"],
        "status": arguments.new_status.value,
    }
    return Change("change.order", values)


@tool(effect=Effect.WRITE, transactional=True, preview=_moving)
def update_order_status(arguments: Move, context: ToolContext) -> JsonValue:
    """Moves an order to its next status: pending to paid to shipped to delivered; a pending or
    paid one can also be cancelled. Only support may do it."""
    connection = context.transaction
    before = _movable(connection, arguments, context.role)
    now = datetime.now(UTC).isoformat(timespec="seconds")
    connection.execute(MOVE, (arguments.new_status, now, arguments.order_id))
    return {"order": dict(_found(connection, arguments.order_id)), "before": before["status"]}


def _movable(connection: sqlite3.Connection, move: Move, role: Role) -> sqlite3.Row:
    """The order as it is, if this role may move it there; raises ToolFailure."""
    if role not in MAY_CHANGE:
        message = (
            f"The person's role is {role.value}, which may look at orders but not change them. "
            "Only they can change their role, in the settings."
        )
        raise ToolFailure(message)
    order = _found(connection, move.order_id)
    status = Status(order["status"])
    if move.new_status not in NEXT[status]:
        choices = " or ".join(NEXT[status]) or "nothing else"
        message = (
            f"Order {move.order_id} is {status.value}: from there it can become {choices}, not "
            f"{move.new_status.value}."
        )
        raise ToolFailure(message)
    return order


def _found(connection: sqlite3.Connection, order_id: int) -> sqlite3.Row:
    row: sqlite3.Row | None = None
    if order_id < 2**63:  # SQLite's largest
        row = connection.execute(ONE, (order_id,)).fetchone()
    if row is None:
        message = f"There is no order {order_id}; list_orders shows those that there are."
        raise ToolFailure(message)
    return row
