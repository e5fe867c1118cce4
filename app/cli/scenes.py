"""`vitral scenes`: which stories can the simulator play, and is one of your own right?"""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from app.cli.codes import Code
from app.cli.options import json_option
from app.cli.output import write_json, write_line
from app.cli.teaching import Taught, TaughtGroup, taught, teach
from app.messages import Messages

if TYPE_CHECKING:
    from providers.simulator.scenes import Scene, SceneError
    from providers.simulator.scenes.scene import Step, Turn
    from tools.call import JsonObject


def command(texts: Messages) -> TaughtGroup:
    """`scenes` in a language."""
    group = TaughtGroup(
        "scenes",
        help=texts("cli.scenes.help"),
        short_help=texts("cli.scenes.short"),
        options_metavar=texts("cli.metavar.options"),
        subcommand_metavar=texts("cli.metavar.command"),
    )
    teach(group, texts, texts("cli.scenes.examples"))
    group.add_command(_list(texts), "list")
    group.add_command(_check(texts), "check")
    group.add_command(_show(texts), "show")
    return group


def _list(texts: Messages) -> Taught:
    def run(as_json: bool, language: str | None) -> int:
        from providers.simulator.scenes import shipped_scenes
        from providers.simulator.scenes.scene import worded

        for name, scene in shipped_scenes().items():
            if as_json:
                write_json(_facts(name, scene, texts))
                continue
            write_line(f"{name:<20}{worded(scene.title, texts.language)}", style="bold")
            write_line(f"  {worded(scene.summary, texts.language)}", style="dim")
        return Code.ANSWERED

    return taught("scenes.list", texts, run, [json_option(texts)])


def _check(texts: Messages) -> Taught:
    def run(files: tuple[str, ...], as_json: bool, language: str | None) -> int:
        from pathlib import Path

        from providers.simulator.scenes import SceneError, read_scene

        code = Code.ANSWERED
        for name in files:
            error: SceneError | None = None
            try:
                read_scene(Path(name))
            except SceneError as found:
                error, code = found, Code.FAILED
            if as_json:
                write_json(_verdict(name, error, texts))
            else:
                _tell(name, error, texts)
        return code

    files = click.Argument(
        ["files"], nargs=-1, required=True, metavar=texts("cli.metavar.files"), type=click.Path()
    )
    return taught("scenes.check", texts, run, [files, json_option(texts)])


def _show(texts: Messages) -> Taught:
    def run(name: str, as_json: bool, language: str | None) -> int:
        from app.scene_words import describe_error
        from providers.simulator.scenes import SceneError, find_scene

        try:
            scene = find_scene(name)
        except SceneError as error:
            raise click.UsageError("\n".join(describe_error(error, texts))) from error
        if as_json:
            document = scene.model_dump(mode="json", by_alias=True, exclude_defaults=True)
            write_json({**_facts(name, scene, texts), "scene": document})
        else:
            _tell_story(name, scene, texts)
        return Code.ANSWERED

    argument = click.Argument(["name"], metavar=texts("cli.metavar.scene"))
    return taught("scenes.show", texts, run, [argument, json_option(texts)])


def _facts(name: str, scene: Scene, texts: Messages) -> JsonObject:
    from providers.simulator.scenes.scene import worded

    return {
        "name": name,
        "title": worded(scene.title, texts.language),
        "summary": worded(scene.summary, texts.language),
        "opening": scene.opening(texts.language),
        "languages": list(scene.languages),
        "tools": list(scene.tools),
        "files": list(scene.files),
        "model": scene.model,
    }


def _verdict(name: str, error: SceneError | None, texts: Messages) -> JsonObject:
    from app.scene_words import describe_problem

    problems = [
        {
            "line": one.line,
            "key": one.key,
            "wanted": one.wanted.value,
            "got": one.got or None,
            "message": describe_problem(one, texts),
        }
        for one in (error.problems if error else ())
    ]
    return {"file": name, "ok": error is None, "problems": problems}


def _tell(name: str, error: SceneError | None, texts: Messages) -> None:
    from app.scene_words import describe_error

    if error is None:
        write_line(texts("cli.scenes.right", name=name))
        return
    for line in describe_error(error, texts):
        write_line(line, style="bad", err=True)


def _tell_story(name: str, scene: Scene, texts: Messages) -> None:
    """The scene as it will be seen, turn by turn."""
    from providers.simulator.scenes.scene import worded

    language = texts.language
    write_line(f"{name} · {worded(scene.title, language)}", style="bold")
    write_line(worded(scene.summary, language))
    if scene.files:
        write_line(texts("cli.scenes.files", files=", ".join(scene.files)), style="dim")
    if scene.model:
        write_line(texts("cli.scenes.model", model=scene.model), style="dim")
    for turn in scene.turns:
        write_line()
        _tell_turn(turn, texts)


def _tell_turn(turn: Turn, texts: Messages) -> None:
    from providers.simulator.scenes.scene import worded

    message = worded(turn.message, texts.language) if turn.message else texts("cli.scenes.any")
    write_line(f"❯ {message}", style="bold")
    for step in turn.steps:
        _tell_step(step, texts)


def _tell_step(step: Step, texts: Messages) -> None:
    from providers.json_text import written
    from providers.simulator.scenes.scene import worded

    for strike in step.faults:
        write_line(f"  ⚡ {strike.fault} × {'∞' if strike.always else strike.times}", style="dim")
    if step.text:
        write_line("  " + worded(step.text, texts.language).strip().replace("\n", "\n  "))
    for call in step.calls:
        write_line(f"  → {call.tool} {call.raw or written(call.arguments)}")
