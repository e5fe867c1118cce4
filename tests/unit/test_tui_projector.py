"""What came is shown at the person's pace: nothing is lost, and nothing changes its order."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app import events
from app.tui.projector import LIVE, LONGEST_GAP, SPEEDS, Projector, Showing
from providers.parts import CallFragment, CallStarted, Part, TextDelta

ROUND = events.AttemptStarted(1, 3)
SILENCE = events.Silent(11.0)


class Shown:
    """What a projector has shown."""

    def __init__(self) -> None:
        self.events: list[events.Event] = []
        self.projector = Projector(lambda _came_at, event: self.events.append(event))

    def add(self, *told: events.Event, came_at: float = 0.0) -> None:
        for event in told:
            self.projector.add(came_at, event)

    @property
    def parts(self) -> list[Part]:
        return parts_of(self.events)


def parts_of(told: Iterable[events.Event]) -> list[Part]:
    return [part for one in told if isinstance(one, events.Received) for part in one.parts]


def fragment(number: int) -> CallFragment:
    return CallFragment(0, str(number), (number, number + 1))


def read(*parts: Part, data: bytes = b"") -> events.Received:
    return events.Received(data, parts)


def flat(told: Iterable[events.Event]) -> list[object]:
    """Parts one by one and bytes one by one, since a read may be shown in pieces."""
    said: list[object] = []
    for event in told:
        said += event.parts if isinstance(event, events.Received) else [event]
    return said


def bytes_of(told: Iterable[events.Event]) -> bytes:
    return b"".join(one.data for one in told if isinstance(one, events.Received))


def test_at_full_speed_an_event_passes_straight_through() -> None:
    shown = Shown()
    whole = read(fragment(0), fragment(1))
    shown.add(whole)
    assert shown.events[0] is whole


def test_what_comes_while_the_picture_is_held_waits() -> None:
    shown = Shown()
    shown.projector.pause()
    shown.add(ROUND, SILENCE)
    assert shown.projector.play(1e9) is None
    assert not shown.events
    assert shown.projector.showing == Showing(paused=True, waiting=2)


def test_the_persons_own_message_is_never_held() -> None:
    shown = Shown()
    shown.projector.pause()
    shown.add(events.MessageStarted("hello"), ROUND)
    assert shown.events == [events.MessageStarted("hello")]


def test_going_on_shows_all_that_waited() -> None:
    shown = Shown()
    shown.projector.pause()
    shown.add(ROUND, SILENCE)
    shown.projector.go_on(5.0)
    shown.projector.play(5.0)
    assert shown.events == [ROUND, SILENCE]


def test_a_step_shows_one_fragment_of_a_read_that_brought_many() -> None:
    shown = Shown()
    shown.projector.pause()
    opening = CallStarted(0, "height", "call_0", (0, 1))
    shown.add(ROUND, read(opening, fragment(0), fragment(1), data=b"all"))
    shown.projector.step_fragment()
    assert shown.parts == [opening, fragment(0)]
    shown.projector.step_fragment()
    assert shown.parts == [opening, fragment(0), fragment(1)]


def test_two_fragments_of_one_wire_event_are_two_steps_and_one_event() -> None:
    one, other = TextDelta("a", (0, 9)), TextDelta("b", (0, 9))
    for step, seen in ((Projector.step_fragment, [one]), (Projector.step_event, [one, other])):
        shown = Shown()
        shown.projector.pause()
        shown.add(read(one, other), read(fragment(2)))
        step(shown.projector)
        assert shown.parts == seen


def test_a_step_by_events_passes_over_a_read_that_completed_none() -> None:
    shown = Shown()
    shown.projector.pause()
    shown.add(read(data=b"half"), ROUND, SILENCE)
    shown.projector.step_event()
    assert shown.events == [read(data=b"half"), ROUND]


def test_a_step_holds_a_picture_that_was_moving() -> None:
    shown = Shown()
    shown.projector.step_event()
    shown.add(ROUND)
    assert shown.projector.showing == Showing(paused=True, waiting=1)


@pytest.mark.parametrize("speed", [one for one in SPEEDS if one != 1.0])
def test_a_gap_lasts_as_the_speed_says(speed: float) -> None:
    shown = Shown()
    steer_to(shown.projector, speed)
    shown.projector.pause()
    shown.add(ROUND, came_at=100.0)
    shown.add(SILENCE, came_at=100.5)
    shown.projector.go_on(7.0)
    assert shown.projector.play(7.0) == pytest.approx(0.5 / speed)
    assert shown.events == [ROUND]
    shown.projector.play(7.0 + 0.5 / speed + 1e-6)
    assert shown.events == [ROUND, SILENCE]


def test_a_long_silence_is_cut_short() -> None:
    shown = Shown()
    steer_to(shown.projector, 0.1)
    shown.projector.pause()
    shown.add(ROUND, came_at=100.0)
    shown.add(SILENCE, came_at=160.0)
    shown.projector.go_on(0.0)
    assert shown.projector.play(0.0) == pytest.approx(LONGEST_GAP / 0.1)


def test_faster_than_the_fastest_is_as_it_comes() -> None:
    projector = Shown().projector
    steer_to(projector, SPEEDS[-1])
    projector.change_speed(1)
    assert projector.showing.speed == LIVE


def test_slower_than_the_slowest_is_the_slowest() -> None:
    projector = Shown().projector
    projector.change_speed(-50)
    assert projector.showing.speed == SPEEDS[0]


def steer_to(projector: Projector, speed: float) -> None:
    projector.change_speed(SPEEDS.index(speed) - SPEEDS.index(1.0))
    assert projector.showing.speed == speed


TOLD = st.one_of(
    st.just(ROUND),
    st.just(SILENCE),
    st.just(events.MessageStarted("again")),
    st.builds(
        lambda data, spans: events.Received(
            data, tuple(CallFragment(0, str(n), (span, span + 1)) for n, span in enumerate(spans))
        ),
        st.binary(max_size=4),
        st.lists(st.integers(0, 2), max_size=5),
    ),
)
STEERED: tuple[Callable[[Projector, float], object], ...] = (
    lambda projector, _now: projector.pause(),
    lambda projector, now: projector.go_on(now),
    lambda projector, _now: projector.step_event(),
    lambda projector, _now: projector.step_fragment(),
    lambda projector, _now: projector.change_speed(1),
    lambda projector, _now: projector.change_speed(-1),
    lambda projector, now: projector.play(now),
    lambda projector, _now: projector.catch_up(),
)


@given(st.lists(st.one_of(TOLD, st.sampled_from(STEERED)), max_size=60), st.floats(0.0, 3.0))
def test_however_it_is_steered_the_same_arrives_in_the_same_order(
    script: list[events.Event | Callable[[Projector, float], object]], pace: float
) -> None:
    shown, told = Shown(), list[events.Event]()
    for number, one in enumerate(script):
        if callable(one):
            one(shown.projector, number * pace)
        else:
            told.append(one)
            shown.add(one, came_at=number * pace)
        assert flat(shown.events) == flat(told)[: len(flat(shown.events))]
    shown.projector.go_on(0.0)
    now = 0.0
    while (wait := shown.projector.play(now)) is not None:
        now += wait
    assert flat(shown.events) == flat(told)
    assert bytes_of(shown.events) == bytes_of(told)
