"""A key is shown nowhere: the canary of every room it passes through."""

from __future__ import annotations

import logging
import pickle
import traceback
from pathlib import Path

import pytest

from app.diagnostics import Diagnostics
from providers.exchange import WireRequest, WireResponse
from providers.secret import Secret, hide_secrets
from providers.transport import ConnectionFailed, Transport
from tests.talking import CANARY, answering, failure_heard, provider_at


@pytest.mark.parametrize("shown", [repr, str, "{}".format, "{!r}".format, lambda s: f"{s:}"])
def test_a_secret_does_not_show_itself(shown: object) -> None:
    assert callable(shown)
    assert CANARY not in shown(Secret(CANARY))


def test_a_secret_is_not_pickled() -> None:
    with pytest.raises(TypeError):
        pickle.dumps(Secret(CANARY))


def test_a_secret_is_equal_by_value_and_trimmed() -> None:
    assert Secret(f" {CANARY}\n") == Secret(CANARY)
    assert hash(Secret(f" {CANARY}\n")) == hash(Secret(CANARY))


def test_an_empty_secret_is_false() -> None:
    assert not Secret("  ")


def test_common_words_are_not_hidden_though_someone_used_one_as_a_key() -> None:
    Secret("ollama")
    assert hide_secrets("ollama runs") == "ollama runs"


@pytest.mark.parametrize("echoed", ["a%2Fsecret%2Bkey", r"a\/secret+key", "a/secret+key"])
def test_a_key_is_hidden_as_servers_escape_it(echoed: str) -> None:
    Secret("a/secret+key")
    assert hide_secrets(f'"no {echoed}"') == '"no [hidden]"'


@pytest.mark.parametrize("length", range(8, len(CANARY)))
def test_a_key_that_was_cut_at_the_end_of_a_text_is_hidden(length: int) -> None:
    Secret(CANARY)
    assert hide_secrets(f"no {CANARY[:length]}") == "no [hidden]"


def test_a_provider_with_a_key_shows_none() -> None:
    assert CANARY not in repr(provider_at("http://h", key=Secret(CANARY)))


async def test_a_header_that_cannot_be_sent_is_not_quoted() -> None:
    request = WireRequest("POST", "http://127.0.0.1:9", {"authorization": f"Bearer {CANARY}\r\n"})
    with pytest.raises(ConnectionFailed) as raised:
        async with Transport().open(request):
            pass
    assert CANARY not in "".join(traceback.format_exception(raised.value))


async def test_a_server_that_echoes_the_key_does_not_get_it_into_the_diagnostics(
    tmp_path: Path,
) -> None:
    async def echoing(request: WireRequest) -> WireResponse:
        refusal = '{"error": {"message": "no %s", "code": "%s"}}' % ((CANARY,) * 2)
        return await answering(refusal.encode(), status=401, x_request_id=CANARY)(request)

    provider = provider_at("http://h.invalid", handler=echoing, key=Secret(CANARY))
    diagnostics = Diagnostics(tmp_path / "diagnostics.jsonl", log_content=True)
    diagnostics.record(await failure_heard(provider), origin=provider.origin)
    diagnostics.record(RuntimeError(f"sending {CANARY} failed"))
    assert CANARY not in diagnostics.path.read_text()


async def test_an_exchange_logs_no_key(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    handler = answering(b"", status=500)
    await failure_heard(provider_at("http://h.invalid", handler=handler, key=Secret(CANARY)))
    assert CANARY not in caplog.text
