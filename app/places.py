"""Where this machine keeps our files: settings, chats, what the app remembers, the workspace.

`VITRAL_HOME` puts all of it below one folder, for tests, demonstrations and a portable copy.
Nothing is created by asking; `create` makes the folders, for their owner only.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

APP = "vitral"
HOME_VARIABLE = "VITRAL_HOME"


@dataclass(frozen=True, slots=True)
class Places:
    """The three folders of the app, and the files in them."""

    data: Path
    state: Path
    config: Path

    @property
    def settings(self) -> Path:
        """What the person has chosen."""
        return self.config / "settings.toml"

    @property
    def chats(self) -> Path:
        """The conversations."""
        return self.data / "chats.sqlite3"

    @property
    def demo_database(self) -> Path:
        """What the demo tools read and write."""
        return self.data / "demo.sqlite3"

    @property
    def workspace(self) -> Path:
        """The folder that the file tools see, unless the settings name another."""
        return self.data / "workspace"

    @property
    def diagnostics(self) -> Path:
        """The technical record of failures."""
        return self.state / "diagnostics.jsonl"

    def create(self) -> None:
        """Make the folders that are not there yet. Raises OSError where that cannot be."""
        for folder in (self.data, self.state, self.config):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)


def folder_named(text: str) -> Path:
    """The folder that a person named; `~` is their home. The `~` of somebody unknown is no home:
    it stays as it is written."""
    try:
        return Path(text).expanduser()
    except RuntimeError:
        return Path(text)


def find_places(environment: Mapping[str, str] | None = None) -> Places:
    """The places of this person on this machine."""
    environment = os.environ if environment is None else environment
    if home := environment.get(HOME_VARIABLE, "").strip():
        folder = folder_named(home).absolute()
        return Places(folder / "data", folder / "state", folder / "config")
    from platformdirs import PlatformDirs

    dirs = PlatformDirs(APP, appauthor=False)
    return Places(dirs.user_data_path, dirs.user_state_path, dirs.user_config_path)
