"""A recorded stream made into a cassette says what the stream says."""

from __future__ import annotations

import pytest

from providers.cassette import dump, load, made_from
from providers.playback import read_exchange
from providers.reading import read_body
from tests.corpus.recordings import Recording, each_recording, needs_corpus

pytestmark = [pytest.mark.corpus, needs_corpus]


@each_recording
def test_a_cassette_of_a_recording_reads_the_same(recording: Recording) -> None:
    (again,) = load([dump(made_from(recording.body, recording.dialect, 0.025))])
    assert again.body == recording.body
    assert read_exchange(again) == read_body(recording.dialect, [recording.body])
