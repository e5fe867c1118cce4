"""Bytes to events, as the standard says."""

from __future__ import annotations

import pytest

from providers.sse import SseEvent, SseReader
from tests.streams import cut_every


def events_of(body: bytes, size: int = 1 << 20, limit: int = 1 << 20) -> list[SseEvent]:
    reader = SseReader(limit)
    return [event for data in cut_every(body, size) for event in reader.feed(data)]


def data_of(body: bytes) -> list[str]:
    return [data for _, data, _ in events_of(body)]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("size", [1, 2, 3, 1000])
def test_every_line_end_closes_a_line_under_any_cut(end: str, size: int) -> None:
    body = f"event: a{end}data: 1{end}{end}data: 2{end}{end}".encode()
    assert [(name, data) for name, data, _ in events_of(body, size)] == [("a", "1"), ("", "2")]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_spans_are_the_same_under_any_cut(end: str) -> None:
    body = f"\ufeffevent: a{end}data: 1{end}{end}data: 2{end}{end}".encode()
    assert events_of(body, 1) == events_of(body)


def test_a_carriage_return_at_the_end_of_a_read_does_not_hold_the_event_back() -> None:
    assert [data for _, data, _ in SseReader(100).feed(b"data: 1\r\n\r")] == ["1"]


def test_a_span_holds_the_events_lines_and_not_the_blank_one() -> None:
    body = b"data: 1\n\n: note\n\nevent: b\ndata: 2\n\n"
    spans = [span for _, _, span in events_of(body)]
    assert [body[start:end] for start, end in spans] == [b"data: 1\n", b"event: b\ndata: 2\n"]


def test_data_lines_join_with_a_line_feed() -> None:
    assert data_of(b"data: a\ndata: b\ndata\n\n") == ["a\nb\n"]


def test_only_one_space_after_the_colon_is_dropped() -> None:
    assert data_of(b"data:  a \n\ndata:b\n\n") == [" a ", "b"]


def test_comments_and_unknown_fields_say_nothing() -> None:
    assert data_of(b": keep-alive\n\nother: 1\nfield\ndata: a\n\n") == ["a"]


def test_an_event_without_data_is_not_dispatched() -> None:
    assert [name for name, _, _ in events_of(b"event: a\n\ndata: 1\n\n")] == [""]


def test_one_byte_order_mark_is_dropped_at_the_start_only() -> None:
    assert data_of("\ufeffdata: \ufeffa\n\n".encode()) == ["\ufeffa"]


def test_bytes_that_are_no_utf8_become_replacement_characters() -> None:
    assert data_of(b"data: a\xff\xe2\x82b\n\n") == ["a\ufffd\ufffdb"]


def test_a_character_cut_between_reads_is_whole() -> None:
    body = "data: çã😀\n\n".encode()
    assert [data for _, data, _ in events_of(body, 1)] == ["çã😀"]


def test_an_id_with_nul_is_ignored() -> None:
    reader = SseReader(100)
    reader.feed(b"id: 7\nid: 8\0\nretry: 30\nretry: x\n\n")
    assert (reader.last_id, reader.retry) == ("7", 30)


def test_the_last_event_may_lack_its_blank_line() -> None:
    reader = SseReader(100)
    reader.feed(b"data: 1\n\nevent: b\ndata: 2")
    assert reader.end() == ("b", "2", (9, 25))


def test_nothing_is_pending_after_a_closed_event() -> None:
    reader = SseReader(100)
    reader.feed(b"data: 1\n\nevent: b\n")
    assert reader.end() is None


@pytest.mark.parametrize("size", [1, 7, 1000])
@pytest.mark.parametrize("line_end", [b"", b"\n", b"\n\n"])
def test_an_event_past_the_limit_is_refused_under_any_cut(size: int, line_end: bytes) -> None:
    reader = SseReader(20)
    body = b"data: 1\n\ndata: " + b"x" * 20 + line_end
    events = [event for data in cut_every(body, size) for event in reader.feed(data)]
    reader.end()
    assert ([data for _, data, _ in events], reader.too_long) == (["1"], True)


def test_an_event_of_just_the_limit_is_read() -> None:
    assert len(events_of(b"data: " + b"x" * 13 + b"\n\n", limit=20)) == 1


def test_what_follows_an_event_past_the_limit_takes_no_memory() -> None:
    reader = SseReader(20)
    reads = [b"data: " + b"x" * 13, b"\n", b"data: more", b"\n", b"\n"] * 9
    assert [event for data in reads for event in reader.feed(data)] == []
    assert (len(reader.line), reader.end()) == (0, None)
