"""Whom did the arguments ask for, and how is the app on the screen opened with that?"""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.choice import Choice


@dataclass(frozen=True, slots=True)
class Opening:
    """What the person asked for; None leaves it to the settings."""

    provider: str | None = None
    dialect: str | None = None
    model: str | None = None
    base_url: str | None = None
    fault: str | None = None
    fault_times: int | None = None
    fault_seed: int = 0
    speed: float | None = None
    scene: str | None = None
    theme: str | None = None
    language: str | None = None
    record: str | None = None

    def choice(self, settled: Choice) -> Choice:
        """Whom to ask: the settings' choice, changed; for another provider nothing of it holds. A
        scene is played by the simulator, by the model that it names."""
        from app.choice import Choice
        from providers.presets import SIMULATOR

        provider = self.provider or (SIMULATOR if self.scene else None)
        if provider is not None and provider != settled.provider:
            settled = Choice(provider)
        if self.scene is not None:
            settled = replace(
                settled, scene=self.scene, model=_model_of(self.scene) or settled.model
            )
        return replace(
            settled,
            dialect=self.dialect or settled.dialect,
            model=self.model or settled.model,
            base_url=self.base_url or settled.base_url,
            fault=self.fault or settled.fault,
            fault_times=self.fault_times or settled.fault_times,
            fault_seed=self.fault_seed or settled.fault_seed,
            speed=self.speed or settled.speed,
        )


def _model_of(scene: str) -> str | None:
    from providers.catalogue import load_scene

    return load_scene(scene).model


def open_app(opening: Opening) -> int:
    """Run the app until the person leaves it; the exit code. Without a terminal there is no
    screen to open it on."""
    if not _at_a_terminal():
        return _refuse(opening.language)
    from app.session import open_session
    from app.tui.app import run_app

    session = open_session(language=opening.language)
    session.choice = opening.choice(session.choice)
    if opening.record is None:
        return run_app(session, theme=opening.theme)
    from app.cli.tapes import recording

    with recording(session, opening.record, session.messages):
        return run_app(session, theme=opening.theme)


def _at_a_terminal() -> bool:
    """Whether keys can come and the screen can be drawn: the app draws on standard error."""
    streams = (sys.stdin, sys.stderr)
    return all(stream is not None and stream.isatty() for stream in streams)


def _refuse(language: str | None) -> int:
    """Say that the app needs a terminal, and what does not."""
    from app.cli.codes import Code
    from app.cli.language import spoken_language
    from app.cli.output import write_line
    from app.messages import Messages

    texts = Messages(spoken_language(language))
    write_line(texts("cli.error", message=texts("cli.no_terminal")), err=True)
    return Code.USAGE
