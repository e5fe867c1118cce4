"""Where a provider's key is: the environment, the system's keyring, or typed for this run.

The keyring is a matter of the machine: it may be absent, locked or slow. Its absence is a value
here, never an exception, and the `…_off_loop` variants ask it in a thread.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from providers.presets import Preset
from providers.secret import Secret

SERVICE = "vitral"
"""The name under which the keyring keeps our keys; the user name is the provider's id."""


class Source(StrEnum):
    """Where a key was found, and where one was put."""

    ENVIRONMENT = "environment"
    KEYRING = "keyring"
    RUN = "run"


@dataclass(frozen=True, slots=True)
class Found:
    """A key and where it is from; `variable` names the environment variable, else ""."""

    key: Secret
    source: Source
    variable: str = ""


@dataclass(frozen=True, slots=True)
class KeyringState:
    """Whether the machine keeps keys: `name` is the store's, `problem` why it cannot be used."""

    usable: bool
    name: str = ""
    problem: str = ""


class KeyStore(Protocol):
    """A keyring. The methods may block, and raise KeyStoreUnusable."""

    def get(self, provider: str) -> str | None: ...

    def put(self, provider: str, key: str) -> None: ...

    def delete(self, provider: str) -> bool: ...

    def name(self) -> str: ...


class KeyStoreUnusable(Exception):  # noqa: N818 - what it is
    """The machine's keyring cannot be used, and why. Never holds a key."""


class SystemKeyring:
    """The keyring of the machine: Keychain, Credential Locker, Secret Service and the like."""

    def get(self, provider: str) -> str | None:
        with _telling_why():
            import keyring

            return keyring.get_password(SERVICE, provider)

    def put(self, provider: str, key: str) -> None:
        self.name()  # the "null" backend would take the key and forget it
        with _telling_why():
            import keyring

            keyring.set_password(SERVICE, provider, key)

    def delete(self, provider: str) -> bool:
        with _telling_why():
            import keyring
            from keyring.errors import PasswordDeleteError

            try:
                keyring.delete_password(SERVICE, provider)
            except PasswordDeleteError:
                return False
            return True

    def name(self) -> str:
        """The store's own name. Raises KeyStoreUnusable where it keeps nothing."""
        with _telling_why():
            import keyring

            backend = keyring.get_keyring()
            # "fail" and "null" stand in for a missing store, with priorities of 0 and -1.
            usable, name = backend.priority > 0, str(backend.name)
        if not usable:
            raise KeyStoreUnusable("no backend")
        return name


@contextmanager
def _telling_why() -> Iterator[None]:
    """Every backend raises errors of its own library besides keyring's: all mean the same here.
    Their texts stay out, since they may quote what was to be kept."""
    try:
        yield
    except Exception as error:  # noqa: BLE001 - as above; it goes on as our own
        raise KeyStoreUnusable(type(error).__name__) from None


class Credentials:
    """The keys of this run. Asks the keyring once for each provider and remembers the answer."""

    def __init__(
        self, environment: Mapping[str, str] | None = None, store: KeyStore | None = None
    ) -> None:
        self._environment = os.environ if environment is None else environment
        self._store: KeyStore = store or SystemKeyring()
        self._typed: dict[str, Secret] = {}
        self._kept: dict[str, Secret | None] = {}

    def find(self, preset: Preset) -> Found | None:
        """The provider's key, or None. May block on the keyring: see `find_off_loop`."""
        for variable in preset.key_variables:
            if value := Secret(self._environment.get(variable, "")):
                return Found(value, Source.ENVIRONMENT, variable)
        if kept := self._from_keyring(preset.id):
            return Found(kept, Source.KEYRING)
        if typed := self._typed.get(preset.id):
            return Found(typed, Source.RUN)
        return None

    async def find_off_loop(self, preset: Preset) -> Found | None:
        """As `find`, in a thread."""
        return await asyncio.to_thread(self.find, preset)

    def list(self, presets: Iterable[Preset]) -> dict[str, Found]:
        """Provider id → its key, for those that have one. May block on the keyring."""
        found = ((preset.id, self.find(preset)) for preset in presets)
        return {provider: key for provider, key in found if key is not None}

    async def list_off_loop(self, presets: Iterable[Preset]) -> dict[str, Found]:
        """As `list`, in a thread."""
        return await asyncio.to_thread(self.list, tuple(presets))

    def set(self, provider: str, key: Secret, *, keep: bool = True) -> Source:
        """Keep the key in the keyring, or for this run if there is none or `keep` is False;
        the value says which it was."""
        if keep:
            try:
                self._store.put(provider, key.reveal())
            except KeyStoreUnusable:
                # Told by the value: a machine without a keyring is no failure.
                self._typed[provider] = key
                return Source.RUN
            self._kept[provider] = key
            self._typed.pop(provider, None)
            return Source.KEYRING
        self._typed[provider] = key
        return Source.RUN

    async def set_off_loop(self, provider: str, key: Secret, *, keep: bool = True) -> Source:
        """As `set`, in a thread."""
        return await asyncio.to_thread(self.set, provider, key, keep=keep)

    def delete(self, provider: str) -> bool:
        """Forget the key, here and in the keyring; False if neither had one. The environment is
        not ours to change."""
        typed = self._typed.pop(provider, None) is not None
        self._kept.pop(provider, None)
        try:
            return self._store.delete(provider) or typed
        except KeyStoreUnusable:
            return typed

    def keyring_state(self) -> KeyringState:
        """Whether keys can be kept on this machine. May block."""
        try:
            return KeyringState(usable=True, name=self._store.name())
        except KeyStoreUnusable as unusable:
            return KeyringState(usable=False, problem=str(unusable))

    def _from_keyring(self, provider: str) -> Secret | None:
        if provider not in self._kept:
            try:
                value = self._store.get(provider)
            except KeyStoreUnusable:
                value = None
            self._kept[provider] = Secret(value) if value else None
        return self._kept[provider]
