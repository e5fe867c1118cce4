"""How is a mistake in a scene's file told to its author? `file:line: key: what is wanted there`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from app.messages import Messages

if TYPE_CHECKING:  # whoever has an error to describe has read a scene; the start has not
    from providers.simulator.scenes import SceneError, SceneProblem

MOST_CHOICES = 12
"""Names that are listed of those that would be right."""


def describe_error(error: SceneError, texts: Messages) -> Iterator[str]:
    """A line for each mistake. File names and values are the author's own: not yet safe."""
    if not error.problems:
        yield texts("scene.unknown", name=repr(error.name), known=", ".join(error.known))
    for problem in error.problems:
        line = f":{problem.line}" if problem.line is not None else ""
        yield f"{error.name}{line}: {describe_problem(problem, texts)}"


def describe_problem(problem: SceneProblem, texts: Messages) -> str:
    """What is wanted and what stands there, without the place in the file."""
    wanted = texts(f"scene.wanted.{problem.wanted}", choices=_listed(problem))
    key = f"{problem.key}: " if problem.key else ""
    sentence = "scene.wrong_value" if problem.got else "scene.wrong"
    return key + texts(sentence, wanted=wanted, got=problem.got)


def _listed(problem: SceneProblem) -> str:
    named = ", ".join(problem.choices[:MOST_CHOICES])
    more = ", …" if len(problem.choices) > MOST_CHOICES else ""
    return f"{named}{more}" or "–"
