"""Scripted conversations that the simulator plays.

`scene` says what a scene is, `reading` takes one from a file and names each mistake with its line,
`playing` is the simulator's brain while it plays. Those that come with the program are in
`shipped`.
"""

from providers.simulator.scenes.playing import Playing
from providers.simulator.scenes.problems import SceneError, SceneProblem, Wanted
from providers.simulator.scenes.reading import find_scene, read_scene, shipped_scenes
from providers.simulator.scenes.scene import Scene

__all__ = [
    "Playing",
    "Scene",
    "SceneError",
    "SceneProblem",
    "Wanted",
    "find_scene",
    "read_scene",
    "shipped_scenes",
]
