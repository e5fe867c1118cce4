"""With every socket but loopback refused, what needs no network works and does not try one."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from providers.simulator.scenes import shipped_scenes
from tests.offline import Offline
from tests.simulate_process import simulate
from tests.simulating import DIALECTS, LOOKUP, asked

SECONDS = 120.0
AT = {
    "openai-responses": ("openai", "/v1"),
    "openai-chat": ("openai", "/v1"),
    "anthropic": ("anthropic", ""),
    "gemini": ("google", ""),
}
"""Dialect → whose it is, and what follows the server's address."""

COMMANDS = """
import json, sys
from app.cli.running import run
sys.exit(max(run(command) for command in json.loads(sys.argv[1])))
"""

Run: TypeAlias = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def offline(tmp_path: Path) -> Offline:
    folder = tmp_path / "guard"
    folder.mkdir()
    return Offline(folder)


@pytest.fixture
def run(tmp_path: Path, offline: Offline) -> Run:
    """Runs Python with these arguments on a machine without a network."""
    kept = {name: value for name, value in os.environ.items() if not name.endswith("_PROXY")}
    own = {"VITRAL_HOME": str(tmp_path / "home"), "LANGUAGE": "en"}
    keys = {f"{name}_API_KEY": "sk-of-a-test" for name in ("OPENAI", "ANTHROPIC", "GEMINI")}

    def run_it(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, *arguments],
            capture_output=True,
            text=True,
            timeout=SECONDS,
            env={**kept, **own, **keys, **offline.environment},
            check=False,
        )

    return run_it


def vitral(run: Run, commands: Sequence[Sequence[str]]) -> list[dict[str, Any]]:
    """The lines of JSON that these commands print, one after the other; all must end well."""
    done = run("-c", COMMANDS, json.dumps(commands))
    assert (done.returncode, done.stderr) == (0, "")
    return [json.loads(line) for line in done.stdout.splitlines()]


REACHES = (
    'import socket; socket.create_connection(("192.0.2.1", 80), 1)',
    'import socket; socket.getaddrinfo("example.com", 80)',
    'import socket; socket.socket(type=socket.SOCK_DGRAM).sendto(b"", ("192.0.2.1", 53))',
)


@pytest.mark.parametrize("source", REACHES)
def test_the_guard_refuses_and_remembers(run: Run, offline: Offline, source: str) -> None:
    done = run("-c", source)
    assert "Network is unreachable" in done.stderr
    assert len(offline.attempts) == 1


def test_a_provider_on_the_network_is_out_of_reach(run: Run, offline: Offline) -> None:
    away = ("--provider", "ollama", "--base-url", "http://192.0.2.1", "--model", "any")
    assert run("-m", "app", "ask", "hello", *away).returncode == 1
    assert offline.attempts


def test_questions_are_asked_recorded_and_replayed(
    run: Run, offline: Offline, tmp_path: Path
) -> None:
    commands = []
    for dialect in DIALECTS:
        tape = str(tmp_path / f"{dialect}.jsonl")
        speed = ("--dialect", dialect, "--speed", "10000", "--record", tape, "--json")
        commands += [["ask", "What is my height?", *speed], ["replay", tape, "--json"]]
    said = vitral(run, commands)
    assert len(said) == 3 * len(DIALECTS)
    for asked_for, calling, answering in zip(said[::3], said[1::3], said[2::3], strict=True):
        assert "170 cm" in asked_for["answer"]
        assert [call["name"] for call in calling["calls"]] == [LOOKUP]
        assert answering["text"] == asked_for["answer"]
    assert offline.attempts == []


def test_recorded_bodies_are_decoded_and_made_cassettes(
    run: Run, offline: Offline, tmp_path: Path
) -> None:
    commands = []
    for dialect in DIALECTS:
        body = tmp_path / f"{dialect}.sse"
        body.write_bytes(asked(dialect, "my height", LOOKUP).body)
        of_it = (str(body), "--dialect", dialect)
        commands += [["decode", *of_it, "--json"], ["cassette", "from", *of_it]]
    said = vitral(run, commands)
    assert [line["calls"][0]["args"] for line in said[::2]] == [{"key": "height"}] * len(DIALECTS)
    assert [line["dialect"] for line in said[1::2]] == list(DIALECTS)
    assert offline.attempts == []


def test_every_scene_plays(run: Run, offline: Offline) -> None:
    how = ("--approve", "all", "--speed", "10000", "--json")
    commands = [
        ["ask", scene.opening("en"), "--scene", name, *how]
        for name, scene in shipped_scenes().items()
    ]
    done = run("-c", COMMANDS, json.dumps(commands))
    endings = [json.loads(line)["ending"] for line in done.stdout.splitlines()]
    assert endings == ["answered"] * len(commands)
    assert offline.attempts == []


def test_the_simulator_is_checked_and_found_right(run: Run, offline: Offline) -> None:
    (checked,) = vitral(run, [["check", "--provider", "simulator", "--yes", "--json"]])
    assert checked["right"] is True
    assert len(checked["checks"]) > 10
    assert offline.attempts == []


@pytest.mark.parametrize("command", [["tools"], ["faults"], ["scenes", "list"], ["--help"]])
def test_what_is_told_of_the_program_is_told(
    run: Run, offline: Offline, command: list[str]
) -> None:
    done = run("-m", "app", *command)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout
    assert offline.attempts == []


def test_the_simulator_serves_and_clients_on_this_machine_are_answered(
    run: Run, offline: Offline, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in offline.environment.items():
        monkeypatch.setenv(name, value)
    with simulate(tmp_path, "--json", "--speed", "0") as server:
        assert server.stdout is not None
        url = json.loads(server.stdout.readline())["url"]
        commands = [
            [
                *("ask", "my height", "--provider", provider, "--dialect", dialect),
                *("--base-url", url + path, "--model", "vitral-sim", "--json"),
            ]
            for dialect, (provider, path) in AT.items()
        ]
        said = vitral(run, commands)
    assert all("170 cm" in line["answer"] for line in said)
    assert len(said) == len(DIALECTS)
    assert offline.attempts == []
