"""How does a scene get from a file into the program, with each mistake on its line?"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path as File

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from providers.simulator.scenes.consistency import findings
from providers.simulator.scenes.problems import (
    OF_PYDANTIC,
    SceneError,
    SceneProblem,
    Wanted,
    shown,
)
from providers.simulator.scenes.scene import Scene
from providers.simulator.scenes.toml_lines import Path, lines_of

ENDING = ".toml"

ORDER = (
    "height",
    "height-and-weight",
    "mended-arguments",
    "ship-an-order",
    "five-files",
    "exact-sum",
    "delete-then-read",
    "cut-connection",
    "overloaded",
    "long-answer",
)
"""The scenes that come with the program, as they are shown: from the simplest on."""


@cache
def shipped_scenes() -> Mapping[str, Scene]:
    """The scenes that come with the program, by name."""
    folder = files(__package__) / "shipped"
    texts = {name: (folder / f"{name}{ENDING}").read_text("utf-8") for name in ORDER}
    return {name: parse_scene(text, name) for name, text in texts.items()}


def find_scene(wanted: str) -> Scene:
    """The scene of that name, or of that file where there is a path or an ending in it. Raises
    SceneError."""
    if wanted in ORDER:
        return shipped_scenes()[wanted]
    if wanted.endswith(ENDING) or File(wanted).name != wanted:
        return read_scene(File(wanted))
    raise SceneError(wanted, known=ORDER)


def read_scene(path: File) -> Scene:
    """The scene of a file. Raises SceneError with all that is wrong in it."""
    try:
        text = path.read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or type(error).__name__
        problem = SceneProblem(None, "", Wanted.READABLE, reason)
        raise SceneError(str(path), [problem]) from error
    return parse_scene(text, str(path))


def parse_scene(text: str, name: str) -> Scene:
    """The scene in a text; `name` is for the errors. Raises SceneError."""
    text = text.replace("\r\n", "\n")
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        found = re.search(r"\(at line (\d+)", str(error))
        line = int(found[1]) if found else len(text.splitlines())
        raise SceneError(name, [SceneProblem(line, "", Wanted.TOML)]) from error
    except RecursionError as error:  # brackets in brackets, by the thousand
        raise SceneError(name, [SceneProblem(None, "", Wanted.TOML)]) from error
    lines = lines_of(text)
    try:
        scene = Scene.model_validate(data)
    except ValidationError as error:
        problems = sorted(_of_shape(error, lines), key=_by_line)
        raise SceneError(name, problems) from None
    disagreements = [
        _problem(lines, one.path, one.wanted, one.got, *one.choices) for one in findings(scene)
    ]
    if disagreements:
        raise SceneError(name, sorted(disagreements, key=_by_line))
    return scene


def _by_line(problem: SceneProblem) -> int:
    return problem.line or 0


def _of_shape(error: ValidationError, lines: Mapping[Path, int]) -> Iterator[SceneProblem]:
    for detail in error.errors(include_url=False):
        path = tuple(step for step in detail["loc"] if step != "[key]")
        wanted = OF_PYDANTIC.get(detail["type"], Wanted.TABLE)
        yield _problem(lines, path, wanted, _got(detail, wanted), *_choices(detail))


def _got(detail: ErrorDetails, wanted: Wanted) -> str:
    """What stood there, where repeating it says more than its place."""
    if wanted in (Wanted.THERE, Wanted.KNOWN_KEY, Wanted.NOT_EMPTY):
        return ""
    return repr(detail["input"])


def _choices(detail: ErrorDetails) -> list[str]:
    return re.findall(r"'([^']*)'", str(detail.get("ctx", {}).get("expected", "")))


def _problem(
    lines: Mapping[Path, int], path: Path, wanted: Wanted, got: str = "", *choices: str
) -> SceneProblem:
    """A problem on the line of its path, or of what is nearest around it."""
    around = (path[:end] for end in range(len(path), 0, -1))
    line = next((lines[one] for one in around if one in lines), 1)
    return SceneProblem(line, _dotted(path), wanted, shown(got) if got else "", choices)


def _dotted(path: Path) -> str:
    """The path as a person counts: `turns[1].steps[2].text`."""
    key = ""
    for step in path:
        match step:
            case int():
                key += f"[{step + 1}]"
            case str():
                key += f".{step}" if key else step
    return key
