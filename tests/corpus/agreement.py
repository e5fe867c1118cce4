"""When a reading agrees with what a right reader makes of a recording.

A call counts with its name, its arguments and, where the wire has one, its id, in order. Where
several readings are right the recording lists them all (`args_any`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from providers.reading import Reading


def disagreements(expected: Mapping[str, Any], reading: Reading) -> list[str]:
    """What differs, each in a few words; nothing when the reading is right."""
    found = []
    if (expected.get("text") or "") != reading.text:
        found.append("text")
    if bool(expected.get("complete")) != reading.complete:
        found.append(f"complete is {reading.complete}")
    if _wrong_error(expected, reading):
        found.append(f"error is {reading.error}")
    return found + _wrong_calls(list(expected.get("calls", [])), reading)


def _wrong_error(expected: Mapping[str, Any], reading: Reading) -> bool:
    """A stream that was cut may be told of as an error, although the wire holds none."""
    cut = not expected.get("complete") and reading.error is not None
    return bool(expected.get("error")) != bool(reading.error) and not cut


def _wrong_calls(wanted: list[dict[str, Any]], reading: Reading) -> list[str]:
    valid = [call for call in wanted if _readings(call) != [None]]
    invalid = [call for call in wanted if _readings(call) == [None]]
    if len(valid) + len(invalid) != len(reading.calls) + len(reading.broken):
        return [f"{len(reading.calls)} calls and {len(reading.broken)} broken ones"]
    found = []
    read = iter(reading.calls)
    for call in valid:
        told = next(read, None)
        if told is None:
            if None not in _readings(call):
                found.append(f"no call of {call['name']}")
        elif told.name != call["name"] or told.args not in _readings(call):
            found.append(f"{told.name}({told.args})")
        elif call.get("call_id") and told.call_id != call["call_id"]:
            found.append(f"id of {told.name} is {told.call_id}")
    names = {call.name for call in reading.broken}
    return found + [f"no broken {call['name']}" for call in invalid if call["name"] not in names]


def _readings(call: dict[str, Any]) -> list[Any]:
    return list(call.get("args_any", [call.get("args")]))
