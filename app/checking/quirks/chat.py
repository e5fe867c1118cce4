"""What do servers of Chat Completions do otherwise than OpenAI's own?

The numbers are those of the list that the decoder of this dialect is tested by; each function
says whether one stream shows the quirk.
"""

from __future__ import annotations

import re

from app.checking.quirks.chat_stream import ChatStream, Fragment, first_choice
from app.checking.quirks.quirk import Quirk, Sign
from providers.shapes import object_in

_ORDINARY_ID = re.compile(r"[a-zA-Z0-9_-]{1,64}")
_NO_USE = ("usage", "x_groq", "error")


def _no_index(stream: ChatStream) -> bool:
    return any(fragment.index is None for fragment in stream.fragments)


def _same_index(stream: ChatStream) -> bool:
    places = [call[0].index for call in stream.calls if _id_of(call)]
    return None not in places and len(set(places)) < len(places)


def _same_index_no_ids(stream: ChatStream) -> bool:
    places = [call[0].index for call in stream.calls if not _id_of(call)]
    return None not in places and len(set(places)) < len(places)


def _repeated_id(stream: ChatStream) -> bool:
    return any(sum(bool(piece.call_id) for piece in call) > 1 for call in stream.calls)


def _whole_calls(stream: ChatStream) -> bool:
    return any(len(call) == 1 and call[0].name and call[0].whole for call in stream.calls)


def _call_twice(stream: ChatStream) -> bool:
    return any(
        sum(bool(piece.name and piece.call_id and piece.whole) for piece in call) > 1
        and call[0].whole
        for call in stream.calls
    )


def _no_ids(stream: ChatStream) -> bool:
    return _without_ids(stream) and not any("id" in one.entry for one in stream.fragments)


def _empty_ids(stream: ChatStream) -> bool:
    return _without_ids(stream) and any(one.entry.get("id") == "" for one in stream.fragments)


def _null_ids(stream: ChatStream) -> bool:
    return _without_ids(stream) and any(one.entry.get("id", "") is None for one in stream.fragments)


def _object_arguments(stream: ChatStream) -> bool:
    return any(isinstance(fragment.arguments, dict) for fragment in stream.fragments)


def _null_arguments(stream: ChatStream) -> bool:
    return stream.ended and any(
        not any(piece.arguments or piece.arguments == {} for piece in call) for call in stream.calls
    )


def _wrong_reason(stream: ChatStream) -> bool:
    if not stream.reasons or stream.failed:
        return False
    return stream.reasons[-1] == ("stop" if stream.calls else "tool_calls")


def _no_reason(stream: ChatStream) -> bool:
    return stream.done and not stream.reasons and not stream.failed


def _no_done(stream: ChatStream) -> bool:
    return bool(stream.reasons) and not stream.done and not stream.failed


def _cut_name(stream: ChatStream) -> bool:
    return any(
        len({piece.name for piece in call if piece.name}) > 1 and not _call_twice(stream)
        for call in stream.calls
    )


def _error_inside(stream: ChatStream) -> bool:
    return stream.failed


def _odd_chunks(stream: ChatStream) -> bool:
    """Chunks that say nothing at all. The last one of an answer may have an empty delta."""
    for chunk in stream.chunks:
        if any(chunk.get(name) for name in _NO_USE):
            continue
        choice = first_choice(chunk)
        if not choice or not (choice.get("delta") or choice.get("finish_reason")):
            return True
    return False


def _late_id(stream: ChatStream) -> bool:
    return any(
        not call[0].call_id and any(piece.call_id for piece in call[1:]) for call in stream.calls
    )


def _odd_ids(stream: ChatStream) -> bool:
    ids = (fragment.call_id for fragment in stream.fragments)
    return any(call_id and not _ORDINARY_ID.fullmatch(call_id) for call_id in ids)


def _interleaved(stream: ChatStream) -> bool:
    """A call goes on although another one had begun."""
    order = {id(piece): place for place, piece in enumerate(stream.fragments)}
    begun = [order[id(call[0])] for call in stream.calls]
    last = [order[id(call[-1])] for call in stream.calls]
    return any(end > start for end, start in zip(last, begun[1:], strict=False))


def _late_calls(stream: ChatStream) -> bool:
    return any(fragment.late for fragment in stream.fragments)


def _cut_at_length(stream: ChatStream) -> bool:
    if stream.reasons[-1:] != ("length",) or not stream.calls:
        return False
    pieces = (piece.arguments for piece in stream.calls[-1])
    text = "".join(piece for piece in pieces if isinstance(piece, str))
    return not Fragment({"function": {"arguments": text}}, late=False).whole


def _typed_content(stream: ChatStream) -> bool:
    deltas = (object_in(first_choice(chunk), "delta") for chunk in stream.chunks)
    return any(isinstance(delta.get("content"), list) for delta in deltas)


def _id_of(call: tuple[Fragment, ...]) -> str:
    return next((piece.call_id for piece in call if piece.call_id), "")


def _without_ids(stream: ChatStream) -> bool:
    return bool(stream.calls) and not any(fragment.call_id for fragment in stream.fragments)


def _named(number: int, name: str) -> Quirk:
    return Quirk("openai-chat", number, name)


_WHOLE = frozenset({"whole-calls"})

SIGNS: tuple[Sign[ChatStream], ...] = (
    Sign(_named(1, "no-index"), _no_index),
    Sign(_named(2, "index-0"), _same_index),
    Sign(_named(3, "index-0-no-ids"), _same_index_no_ids, _WHOLE | {"no-ids"}),
    Sign(_named(4, "repeated-id"), _repeated_id),
    Sign(_named(5, "whole-calls"), _whole_calls),
    Sign(_named(6, "call-twice"), _call_twice, _WHOLE | {"repeated-id"}),
    Sign(_named(7, "no-ids"), _no_ids),
    Sign(_named(7, "empty-ids"), _empty_ids),
    Sign(_named(7, "null-ids"), _null_ids),
    Sign(_named(8, "object-arguments"), _object_arguments, _WHOLE),
    Sign(_named(9, "null-arguments"), _null_arguments, _WHOLE),
    Sign(_named(10, "wrong-reason"), _wrong_reason),
    Sign(_named(11, "no-reason"), _no_reason),
    Sign(_named(11, "no-done"), _no_done),
    Sign(_named(12, "cut-name"), _cut_name),
    Sign(_named(13, "error-inside"), _error_inside),
    Sign(_named(14, "odd-chunks"), _odd_chunks),
    Sign(_named(15, "late-id"), _late_id),
    Sign(_named(16, "odd-ids"), _odd_ids),
    Sign(_named(17, "interleaved"), _interleaved),
    Sign(_named(18, "late-calls"), _late_calls),
    Sign(_named(19, "cut-at-length"), _cut_at_length),
    Sign(_named(0, "typed-content"), _typed_content),
)
