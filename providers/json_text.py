"""What a text from a server says as JSON.

`parse` answers as the standard library does, three times as fast: what the fast parser refuses
(halves of surrogate pairs, deep nesting) the standard library gets to read as well.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from math import isfinite

from pydantic_core import from_json

_DEEPEST = 256
"""Values nested deeper are refused: whoever writes or walks them later would run out of stack."""
_TOO_DEEP = f"the JSON is nested deeper than {_DEEPEST} levels"


def parse(text: str) -> object:
    """The value that `text` says; raises ValueError, and nothing else, when it says none. Halves
    of surrogate pairs in it become U+FFFD."""
    try:
        return parse_fast(text)
    except ValueError:
        return _mended(parse_slowly(text))


def parse_fast(text: str) -> object:
    """The same, but ValueError may also mean that only `parse_slowly` can read the text."""
    try:
        value: object = from_json(text, cache_strings="keys")
        return value
    except TypeError as error:  # halves of surrogate pairs in the text itself
        raise ValueError("the text is not Unicode") from error


def parse_slowly(text: str) -> object:
    """The value by the standard library; its texts may hold halves of surrogate pairs."""
    try:
        value: object = json.loads(text)
    except RecursionError as error:
        raise ValueError(_TOO_DEEP) from error
    if _is_deep(value):
        raise ValueError(_TOO_DEEP)
    return value


def whole_text(pieces: Iterable[str]) -> str:
    """The pieces joined: halves of one character that were cut apart meet again, and a half
    without the other becomes U+FFFD, so that the text can always be written as UTF-8."""
    text = "".join(pieces)
    return text if text.isascii() else mend(text)


def mend(text: str) -> str:
    """`text` without surrogates: pairs become their character, lone ones U+FFFD."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def written(value: object, *, ascii_only: bool = False, compact: bool = False) -> str:
    """The value as JSON on one line. Numbers that JSON has no form for become null: they come out
    of good JSON too, as 1e999 is read as infinite, and no server would take them back."""
    write = json.JSONEncoder(
        ensure_ascii=ascii_only,
        allow_nan=False,
        separators=(",", ":") if compact else None,
        default=str,
    ).encode
    try:
        return write(value)
    except ValueError:
        return write(_finite(value))


def _finite(value: object) -> object:
    match value:
        case float() if not isfinite(value):
            return None
        case list():
            return [_finite(item) for item in value]
        case dict():
            return {name: _finite(item) for name, item in value.items()}
        case _:
            return value


def _is_deep(value: object) -> bool:
    level = [value]
    for _ in range(_DEEPEST):
        level = [inner for outer in level for inner in _inside(outer)]
        if not level:
            return False
    return True


def _inside(value: object) -> Iterable[object]:
    match value:
        case dict():
            return value.values()
        case list():
            return value
        case _:
            return ()


def _mended(value: object) -> object:
    """The value with all its texts mended."""
    match value:
        case str():
            return mend(value)
        case list():
            return [_mended(item) for item in value]
        case dict():
            return {mend(name): _mended(item) for name, item in value.items()}
        case _:
            return value
