"""Recorded streams say the same as to a right reader, however the network cuts them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from providers.reading import Reading, cuts, read_body
from tests.corpus.agreement import disagreements
from tests.corpus.recordings import Recording, each_recording, few_examples, needs_corpus

pytestmark = [pytest.mark.corpus, needs_corpus]


def read(recording: Recording, reads: Iterable[bytes]) -> Reading:
    return read_body(recording.dialect, reads)


def halved_characters(body: bytes) -> Iterator[bytes]:
    """The body cut inside each character of several bytes and inside each CRLF."""
    start = 0
    for at in range(1, len(body)):
        inside_character = body[at] & 0xC0 == 0x80
        inside_line_end = body[at] == 0x0A and body[at - 1] == 0x0D
        if inside_character or inside_line_end:
            yield body[start:at]
            start = at
    yield body[start:]


@each_recording
def test_a_recording_is_read_right(recording: Recording) -> None:
    assert disagreements(recording.expected, read(recording, [recording.body])) == []


@pytest.mark.parametrize("size", [1, 7])
@each_recording
def test_a_recording_is_read_right_in_small_reads(recording: Recording, size: int) -> None:
    reading = read(recording, cuts(recording.body, reads=size))
    assert disagreements(recording.expected, reading) == []


@each_recording
def test_a_recording_is_read_right_with_its_characters_halved(recording: Recording) -> None:
    reading = read(recording, halved_characters(recording.body))
    assert disagreements(recording.expected, reading) == []


@each_recording
@few_examples
@given(seed=st.integers(0, 2**32))
def test_a_recording_is_read_right_with_random_cuts(recording: Recording, seed: int) -> None:
    reading = read(recording, cuts(recording.body, split_seed=seed))
    assert disagreements(recording.expected, reading) == []
