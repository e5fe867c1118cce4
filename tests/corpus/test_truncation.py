"""A recorded stream that was cut anywhere raises nothing, and runs nothing before its end."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from providers.dialects import dialect
from providers.reading import Reading, read_body
from tests.corpus.recordings import Recording, each_recording, few_examples, needs_corpus

pytestmark = [pytest.mark.corpus, needs_corpus]

# What ends each format, found without a decoder. A text that quotes one of these only makes the
# prefixes that are tried shorter.
END_OF_FORMAT = {
    "openai-responses": rb"response\.(completed|incomplete|failed)\b",
    "openai-chat": rb'\[DONE\]|"finish_reason"\s*:\s*"',
    "anthropic": rb"message_stop",
    "gemini": rb'"(finishReason|blockReason)"\s*:\s*"',
}
BOUNDARIES = 10
"""How many events, spread over the stream and again at its end, a stream is cut after."""

EVENT_END = re.compile(rb"\r\n\r\n|\n\n|\r\r")


def end_of_format(recording: Recording) -> int:
    """Where the event that ends the format begins to say so; the body's end if none does."""
    found = re.search(END_OF_FORMAT[recording.dialect], recording.body)
    return len(recording.body) if found is None else found.start()


def event_ends(recording: Recording) -> list[int]:
    """The lengths of the prefixes that end with an event, before the format's end."""
    ends = [found.end() for found in EVENT_END.finditer(recording.body)]
    limit = end_of_format(recording)
    return [end for end in ends if end <= limit]


def cut_short(recording: Recording, length: int) -> Reading:
    return read_body(recording.dialect, [recording.body[:length]])


def says_nothing_whole(reading: Reading) -> bool:
    return not (reading.complete or reading.stop or reading.calls or reading.broken)


@each_recording
def test_no_event_before_the_end_makes_a_stream_whole(recording: Recording) -> None:
    decoder = dialect(recording.dialect).decoder(provider="any", new_id=lambda: "call_1")
    start, whole = 0, []
    for end in event_ends(recording):
        decoder.feed(recording.body[start:end])
        whole += [end] if decoder.complete else []
        start = end
    assert whole == []


@each_recording
def test_a_stream_cut_between_events_is_not_whole(recording: Recording) -> None:
    ends = event_ends(recording)
    some = {*ends[:: max(1, len(ends) // BOUNDARIES)], *ends[-BOUNDARIES:]}
    whole = [end for end in some if not says_nothing_whole(cut_short(recording, end))]
    assert whole == []


@each_recording
def test_a_stream_cut_just_before_its_end_is_not_whole(recording: Recording) -> None:
    assert says_nothing_whole(cut_short(recording, end_of_format(recording)))


@each_recording
@few_examples
@given(data=st.data())
def test_a_stream_cut_anywhere_is_not_whole(recording: Recording, data: st.DataObject) -> None:
    length = data.draw(st.integers(0, end_of_format(recording)))
    assert says_nothing_whole(cut_short(recording, length))


@each_recording
@few_examples
@given(data=st.data())
def test_a_prefix_gives_calls_only_with_the_formats_end(
    recording: Recording, data: st.DataObject
) -> None:
    length = data.draw(st.integers(0, len(recording.body)))
    reading = cut_short(recording, length)
    assert reading.complete or says_nothing_whole(reading)
