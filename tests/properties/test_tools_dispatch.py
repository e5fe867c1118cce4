"""The order of a turn, for any mix of calls and whatever finishes first."""

from __future__ import annotations

import asyncio
from itertools import chain, pairwise

from hypothesis import given
from hypothesis import strategies as st

from tests.tool_makers import Recorder, call, numbered_tool
from tools.call import AnyCall, BrokenCall, ErrorKind
from tools.dispatch import stages
from tools.tool import Effect, JsonValue

effects = st.lists(st.sampled_from(list(Effect)), max_size=12)


@given(effects)
def test_the_stages_hold_every_call_once_and_in_order(turn: list[Effect]) -> None:
    assert list(chain.from_iterable(stages(turn))) == list(range(len(turn)))


@given(effects)
def test_a_write_is_always_alone(turn: list[Effect]) -> None:
    assert all(
        len(stage) == 1 or all(turn[place] is Effect.READ for place in stage)
        for stage in stages(turn)
    )


@given(effects)
def test_no_read_waits_for_its_neighbour(turn: list[Effect]) -> None:
    assert all(
        Effect.WRITE in (turn[before[-1]], turn[after[0]])
        for before, after in pairwise(stages(turn))
    )


@given(st.permutations(range(6)))
def test_results_stand_in_call_order_whatever_finishes_first(order: list[int]) -> None:
    async def turn() -> Recorder:
        gates = [asyncio.Event() for _ in order]
        following = dict(pairwise(order))

        async def work(n: int) -> JsonValue:
            if len(recorder.running) == len(order):
                gates[order[0]].set()
            await gates[n].wait()
            if n in following:
                gates[following[n]].set()
            return n

        recorder = Recorder()
        calls = [call("work", n=n) for n in range(len(order))]
        results = await recorder.dispatch(calls, [numbered_tool(work)])
        assert [result.output for result in results] == list(range(len(order)))
        return recorder

    assert asyncio.run(turn()).order == order


CALLS: dict[ErrorKind | None, AnyCall] = {
    None: call("work", n=1),
    ErrorKind.FAILED: call("work", n=-1),
    ErrorKind.INVALID_ARGUMENTS: call("work", n="1"),
    ErrorKind.UNKNOWN_TOOL: call("other"),
    ErrorKind.NOT_ALLOWED: call("write", n=1),
    ErrorKind.BROKEN_CALL: BrokenCall("work", "{", "cut", "simulator", "call_broken"),
}


@given(st.lists(st.sampled_from(list(CALLS)), max_size=12))
def test_every_call_gets_the_one_result_that_it_deserves(kinds: list[ErrorKind | None]) -> None:
    async def work(n: int) -> JsonValue:
        if n < 0:
            raise ValueError(n)
        return n

    tools = [numbered_tool(work), numbered_tool(work, name="write", effect=Effect.WRITE)]
    calls = [CALLS[kind] for kind in kinds]
    results = asyncio.run(Recorder().dispatch(calls, tools))
    assert [result.error and result.error.kind for result in results] == kinds
    assert [result.call_id for result in results] == [call.call_id for call in calls]
