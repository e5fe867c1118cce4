"""Is everything in the workspace that a scene reads?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.places import Places, folder_named
from app.settings import Settings

if TYPE_CHECKING:
    from providers.simulator.scenes import Scene


def missing_files(scene: Scene, settings: Settings, places: Places) -> tuple[str, ...]:
    """The scene's files that are not there. A workspace of ours that was not made yet will be
    made with the sample files, which are all that our own scenes read."""
    from tools.demo.workspace import inside
    from tools.tool import ToolFailure

    workspace = folder_named(settings.workspace) if settings.workspace else places.workspace
    if not settings.workspace and not workspace.exists():
        return ()
    missing = []
    for name in scene.files:
        try:
            inside(workspace, name)
        except ToolFailure:
            missing.append(name)
    return tuple(missing)
