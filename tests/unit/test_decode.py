"""`vitral decode` says what a recorded body holds, however it is cut, and cannot be made to act."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from app.cli.codes import Code
from app.cli.running import run


def chat_body(*deltas: dict[str, Any], end: bool = True) -> bytes:
    """A Chat Completions stream of these deltas, with its end or cut before it."""
    choices: list[dict[str, Any]] = [{"index": 0, "delta": delta} for delta in deltas]
    if end:
        choices.append({"index": 0, "delta": {}, "finish_reason": "stop"})
    events = [f"data: {json.dumps({'choices': [choice]})}\n\n" for choice in choices]
    return "".join([*events, "data: [DONE]\n\n" if end else ""]).encode()


def call(name: str, arguments: str) -> dict[str, Any]:
    function = {"name": name, "arguments": arguments}
    return {"tool_calls": [{"index": 0, "id": "call_1", "type": "function", "function": function}]}


class Decoding:
    """Runs `decode` over bodies that it writes to files."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self._folder = folder
        self._capsys = capsys

    def __call__(self, *bodies: bytes, options: tuple[str, ...] = ()) -> str:
        files = [self._folder / f"{number}.sse" for number in range(len(bodies))]
        for file, body in zip(files, bodies, strict=True):
            file.write_bytes(body)
        code = run(["decode", "--dialect", "openai-chat", *options, *map(str, files)])
        assert code == Code.ANSWERED
        return self._capsys.readouterr().out

    def json(self, *bodies: bytes, options: tuple[str, ...] = ()) -> list[dict[str, Any]]:
        return [
            json.loads(line)
            for line in self(*bodies, options=("--json", *options)).split("\n")[:-1]
        ]


@pytest.fixture
def decode(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Decoding:
    monkeypatch.setenv("LANGUAGE", "en")
    return Decoding(tmp_path, capsys)


def test_each_file_is_one_line_of_json(decode: Decoding) -> None:
    lines = decode.json(chat_body({"content": "one"}), chat_body({"content": "two"}))
    assert [(Path(line["file"]).name, line["text"]) for line in lines] == [
        ("0.sse", "one"),
        ("1.sse", "two"),
    ]


def test_a_line_has_the_promised_fields(decode: Decoding) -> None:
    (line,) = decode.json(chat_body(call("look", '{"key": "height"}')))
    line.pop("file")
    assert line == {
        "text": "",
        "reasoning_chars": 0,
        "calls": [{"call_id": "call_1", "name": "look", "args": {"key": "height"}}],
        "broken": [],
        "stop": line["stop"],
        "usage": None,
        "error": None,
        "complete": True,
    }
    assert line["stop"].keys() == {"reason", "raw"}


@pytest.mark.parametrize("options", [("--reads", "1"), ("--split-seed", "7"), ("--reads", "3")])
def test_a_body_says_the_same_however_it_is_cut(decode: Decoding, options: tuple[str, ...]) -> None:
    body = chat_body({"content": "é 👩‍👩‍👧 \ud83d\ude00"}, call("look", '{"key": "ção"}'))
    assert decode.json(body, options=options) == decode.json(body)


def test_a_cut_body_has_no_call(decode: Decoding) -> None:
    (line,) = decode.json(chat_body(call("look", "{}"), end=False))
    assert (line["calls"], line["complete"]) == ([], False)


def test_a_person_reads_text_calls_and_whether_it_is_whole(decode: Decoding) -> None:
    shown = decode(chat_body({"content": "Hello"}, call("look", '{"key": 1}')))
    assert "Hello\n" in shown
    assert '→ look {"key": 1}' in shown
    assert "complete" in shown


def test_a_person_is_told_that_a_cut_body_has_no_calls(decode: Decoding) -> None:
    assert "not complete" in decode(chat_body(call("look", "{}"), end=False))


@pytest.mark.parametrize(
    "delta",
    [
        {"content": "\x1b]0;title\x07 \u202e \x9b31m"},
        call("\x1b[2J", '{"key": "\\u001b[2J \\u202e"}'),
        call("look", "\x1b[2J"),
    ],
    ids=["text", "call", "broken call"],
)
def test_a_body_cannot_drive_the_terminal(decode: Decoding, delta: dict[str, Any]) -> None:
    shown = decode(chat_body(delta))
    assert [sign for sign in "\x1b\x07\u202e\x9b" if sign in shown] == []


def test_json_output_is_ascii(decode: Decoding) -> None:
    assert decode(chat_body({"content": "\u202e é \ud83d"}), options=("--json",)).isascii()


def test_a_body_cannot_write_lines_of_ours(decode: Decoding) -> None:
    shown = decode(chat_body(call("look\nfake", '{"a": 1}')))
    assert "fake" not in [line.strip()[:4] for line in shown.splitlines()]


def test_a_number_that_json_cannot_write_is_null_in_the_output(decode: Decoding) -> None:
    (line,) = decode.json(chat_body(call("look", '{"a": 1e999}')))
    assert line["calls"][0]["args"] == {"a": None}
