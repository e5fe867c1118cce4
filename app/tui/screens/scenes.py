"""Which story shall the simulator play? A list of the scenes, and what choosing one changes."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from app.choice import Choice
from app.messages import Messages
from app.tui.screens.choice import ChoiceScreen, Offer, chosen_mark
from providers.catalogue import load_scene
from providers.presets import SIMULATOR

if TYPE_CHECKING:
    from providers.simulator.scenes import Scene

NO_SCENE = "none"
"""The choice of the simulator as it is."""


async def scenes_screen(messages: Messages, current: str | None) -> ChoiceScreen:
    """Gives the name of a scene, NO_SCENE, or None when the person left."""
    scenes = await asyncio.to_thread(_scenes)
    from providers.simulator.scenes.scene import worded

    chosen = current or NO_SCENE
    none = Offer(NO_SCENE, messages("scene.none"), mark=chosen_mark(chosen == NO_SCENE))
    offers = [
        Offer(
            name,
            worded(scene.title, messages.language),
            worded(scene.summary, messages.language),
            chosen_mark(name == chosen),
        )
        for name, scene in scenes.items()
    ]
    return ChoiceScreen(messages, messages("scene.title"), [*offers, none], chosen=chosen)


def _scenes() -> Mapping[str, Scene]:
    """The scenes that come with the program; their code is loaded here, off the event loop."""
    from providers.simulator.scenes import shipped_scenes

    return shipped_scenes()


def playing(choice: Choice, name: str) -> Choice:
    """The choice with the scene `name`, played by the simulator and by the model that it is
    written for; with NO_SCENE, without one. Raises SceneUnplayable."""
    if choice.provider != SIMULATOR:
        choice = Choice(SIMULATOR)
    if name == NO_SCENE:
        return replace(choice, scene=None)
    return replace(choice, scene=name, model=load_scene(name).model or choice.model)
