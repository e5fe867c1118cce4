"""The verdict from the command line: at its address, and in the person's words at the end."""

from __future__ import annotations

import json
import signal
import socket
import sys
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from urllib.request import urlopen

import pytest

from app.cli.judging import tell
from app.messages import LANGUAGES, Messages
from providers.simulator.verdict import Finding, Rule, Verdict
from tests.simulate_process import simulate
from tests.simulating import LOOKUP, post, question

SECONDS = 10.0


def stubborn(port: int) -> None:
    """A client that does not hear a no: plain bytes on a plain socket, twice."""
    request = post("openai-chat", question("openai-chat", "my height", LOOKUP))
    head = (
        f"POST /v1/chat/completions HTTP/1.1\r\nHost: here\r\nContent-Length: {len(request.body)}"
    )
    for _ in range(2):
        with socket.create_connection(("127.0.0.1", port), timeout=SECONDS) as client:
            client.sendall(head.encode() + b"\r\nConnection: close\r\n\r\n" + request.body)
            while client.recv(4096):
                pass


@pytest.mark.skipif(sys.platform == "win32", reason="Windows sends no signal to one process")
@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM])
def test_a_bad_client_is_told_at_the_address_and_at_the_end(tmp_path: Path, stop: int) -> None:
    with simulate(tmp_path, "--json", "--verdict", "--fault", "status-401") as server:
        assert server.stdout is not None
        port = json.loads(server.stdout.readline())["port"]
        stubborn(port)
        with urlopen(f"http://127.0.0.1:{port}/verdict", timeout=SECONDS) as response:
            told = json.load(response)
        server.send_signal(stop)
        out, err = server.communicate(timeout=SECONDS)
    assert [finding["rule"] for finding in told["findings"]] == ["retried_permanent"]
    assert json.loads(out) == told
    assert err.strip() == ""


FACTS: Mapping[Rule, Mapping[str, str | float]] = MappingProxyType(
    {
        Rule.RETRIED_PERMANENT: {"after": 71, "status": 72},
        Rule.DID_NOT_WAIT: {"after": 71, "told": 72.5, "waited": 73.5},
        Rule.RETRIED_FOR_EVER: {"times": 71},
        Rule.RESULT_TWICE: {"call": "call_71"},
        Rule.RESULT_MISSING: {"call": "call_71"},
        Rule.RESULT_UNKNOWN: {"call": "call_71"},
        Rule.RAN_UNFINISHED: {"answer": 71, "call": "call_72", "name": "tool_73"},
        Rule.DROPPED_REASONING: {"answer": 71},
    }
)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("rule", Rule)
def test_each_misdeed_is_told_with_its_facts_in_each_language(
    capsys: pytest.CaptureFixture[str], language: str, rule: Rule
) -> None:
    finding = Finding(rule, 70, "anthropic", "vitral-sim", FACTS[rule])
    tell(Verdict(70, (finding,)), Messages(language))
    title, place = capsys.readouterr().out.splitlines()
    assert "1" in title
    for fact in FACTS[rule].values():
        assert str(fact) in place


@pytest.mark.parametrize(
    ("verdict", "said"),
    [
        (Verdict(0, ()), "No client asked anything"),
        (Verdict(1, ()), "nothing wrong in 1 request."),
        (Verdict(2, ()), "nothing wrong in 2 requests."),
    ],
)
def test_a_client_that_did_right_is_told_so(
    capsys: pytest.CaptureFixture[str], verdict: Verdict, said: str
) -> None:
    tell(verdict, Messages("en"))
    assert said in capsys.readouterr().out


def test_a_name_of_a_client_cannot_drive_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    finding = Finding(Rule.RESULT_TWICE, 1, "anthropic", "\x1b]0;model\x07", {"call": "\x1b[2J"})
    tell(Verdict(1, (finding,)), Messages("en"))
    assert "\x1b" not in capsys.readouterr().out
