"""When a failed request is tried again, and after how long."""

from __future__ import annotations

import pytest

from providers.failures import Failure, FailureKind
from providers.retry import RetryPolicy, next_wait

POLICY = RetryPolicy()


def passing(wait: float | None = None) -> Failure:
    return Failure(FailureKind.OVERLOADED, transient=True, wait=wait)


@pytest.mark.parametrize(("attempt", "wait"), [(1, 0.5), (2, 1.0), (3, None)])
def test_waits_double_until_the_attempts_are_used_up(attempt: int, wait: float | None) -> None:
    assert next_wait(passing(), attempt, POLICY, chance=0.0) == wait


def test_waits_do_not_grow_past_eight_seconds() -> None:
    assert next_wait(passing(), 10, RetryPolicy(attempts=99), chance=0.0) == 8.0


def test_chance_takes_off_at_most_a_quarter() -> None:
    wait = next_wait(passing(), 1, POLICY, chance=0.999999)
    assert wait is not None
    assert 0.375 <= wait < 0.376


def test_a_failure_that_lasts_is_not_waited_for() -> None:
    lasting = Failure(FailureKind.AUTH, transient=False, wait=1.0)
    assert next_wait(lasting, 1, POLICY, chance=0.0) is None


@pytest.mark.parametrize(("asked", "wait"), [(0.0, 0.0), (27.0, 27.0), (60.0, 60.0), (60.1, None)])
def test_the_providers_wait_replaces_ours_up_to_a_minute(asked: float, wait: float | None) -> None:
    assert next_wait(passing(asked), 1, POLICY, chance=0.9) == wait
