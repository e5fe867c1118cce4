"""Where keys come from and where they go. The keyring is a fake; none of the machine's is asked."""

from __future__ import annotations

from dataclasses import dataclass, field

import keyring
import pytest
from keyring.backend import KeyringBackend
from keyring.backends import fail, null

from providers.credentials import (
    Credentials,
    Found,
    KeyringState,
    KeyStoreUnusable,
    Source,
    SystemKeyring,
)
from providers.presets import PRESETS
from providers.secret import Secret
from tests.talking import CANARY

GOOGLE = PRESETS["google"]


@dataclass(slots=True)
class FakeStore:
    """A keyring in memory; `asked` counts the look-ups."""

    keys: dict[str, str] = field(default_factory=dict)
    asked: int = 0

    def get(self, provider: str) -> str | None:
        self.asked += 1
        return self.keys.get(provider)

    def put(self, provider: str, key: str) -> None:
        self.keys[provider] = key

    def delete(self, provider: str) -> bool:
        return self.keys.pop(provider, None) is not None

    def name(self) -> str:
        return "memory"


class NoStore:
    """A machine without a keyring."""

    def get(self, provider: str) -> str | None:
        raise KeyStoreUnusable("NoKeyringError")

    def put(self, provider: str, key: str) -> None:
        raise KeyStoreUnusable("NoKeyringError")

    def delete(self, provider: str) -> bool:
        raise KeyStoreUnusable("NoKeyringError")

    def name(self) -> str:
        raise KeyStoreUnusable("NoKeyringError")


def test_the_environments_variables_are_looked_up_in_their_order() -> None:
    environment = {"GOOGLE_API_KEY": "second-key", "GEMINI_API_KEY": "first-key"}
    found = Credentials(environment, FakeStore()).find(GOOGLE)
    assert found == Found(Secret("first-key"), Source.ENVIRONMENT, "GEMINI_API_KEY")


def test_an_empty_variable_is_no_key() -> None:
    assert Credentials({"GEMINI_API_KEY": " "}, FakeStore()).find(GOOGLE) is None


def test_the_environment_comes_before_the_keyring() -> None:
    credentials = Credentials({"GOOGLE_API_KEY": "of-environment"}, FakeStore({"google": "kept"}))
    found = credentials.find(GOOGLE)
    assert found is not None
    assert found.source is Source.ENVIRONMENT


def test_the_keyring_comes_before_what_was_typed() -> None:
    credentials = Credentials({}, FakeStore({"google": "kept"}))
    credentials.set("google", Secret("typed"), keep=False)
    assert credentials.find(GOOGLE) == Found(Secret("kept"), Source.KEYRING)


def test_the_keyring_is_asked_once_for_each_provider() -> None:
    store = FakeStore()
    credentials = Credentials({}, store)
    credentials.find(GOOGLE)
    credentials.find(GOOGLE)
    assert store.asked == 1


def test_a_key_that_was_set_is_kept_and_found() -> None:
    store = FakeStore()
    credentials = Credentials({}, store)
    credentials.find(GOOGLE)
    assert credentials.set("google", Secret(CANARY)) is Source.KEYRING
    assert store.keys == {"google": CANARY}
    assert credentials.find(GOOGLE) == Found(Secret(CANARY), Source.KEYRING)


def test_a_machine_without_a_keyring_keeps_the_key_for_this_run_and_says_so() -> None:
    credentials = Credentials({}, NoStore())
    assert credentials.set("google", Secret(CANARY)) is Source.RUN
    assert credentials.find(GOOGLE) == Found(Secret(CANARY), Source.RUN)
    assert credentials.keyring_state() == KeyringState(usable=False, problem="NoKeyringError")


def test_a_deleted_key_is_found_nowhere() -> None:
    credentials = Credentials({}, FakeStore({"google": "kept"}))
    credentials.set("google", Secret("typed"), keep=False)
    assert credentials.delete("google")
    assert credentials.find(GOOGLE) is None
    assert not credentials.delete("google")


def test_a_typed_key_can_be_deleted_without_a_keyring() -> None:
    credentials = Credentials({}, NoStore())
    credentials.set("google", Secret("typed"))
    assert credentials.delete("google")
    assert not credentials.delete("google")


def test_the_list_holds_only_the_providers_with_a_key() -> None:
    credentials = Credentials({"OPENAI_API_KEY": "a"}, FakeStore({"groq": "b"}))
    listed = credentials.list(PRESETS.values())
    assert {name: found.source for name, found in listed.items()} == {
        "openai": Source.ENVIRONMENT,
        "groq": Source.KEYRING,
    }


async def test_the_keyring_can_be_asked_off_the_event_loop() -> None:
    credentials = Credentials({}, FakeStore())
    await credentials.set_off_loop("google", Secret("kept"))
    assert await credentials.find_off_loop(GOOGLE) == Found(Secret("kept"), Source.KEYRING)
    assert list(await credentials.list_off_loop([GOOGLE])) == ["google"]


@pytest.mark.parametrize("backend", [fail.Keyring, null.Keyring])
def test_the_stand_ins_of_the_keyring_library_count_as_none(
    backend: type[KeyringBackend], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keyring, "get_keyring", backend)
    with pytest.raises(KeyStoreUnusable):
        SystemKeyring().put("google", CANARY)


def test_an_error_of_a_backends_own_library_is_a_value_without_its_text(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def broken(service: str, name: str) -> str:
        raise RuntimeError(f"could not send {CANARY} over the bus")

    monkeypatch.setattr(keyring, "get_password", broken)
    with pytest.raises(KeyStoreUnusable, match=r"^RuntimeError$"):
        SystemKeyring().get("google")
