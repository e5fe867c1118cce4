"""`vitral tools`: which tools can a model call, how is each described to it, at what cost?"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from app.cli.codes import Code
from app.cli.options import dialect_option, json_option
from app.cli.output import write_json, write_line
from app.cli.teaching import Taught, taught
from app.messages import Messages
from tools.call import JsonObject

if TYPE_CHECKING:
    from app.settings import ToolSettings
    from tools.likeness import Confusion
    from tools.tool import Tool


def command(texts: Messages) -> Taught:
    """`tools` in a language."""

    def run(dialect: str | None, as_json: bool, language: str | None) -> int:
        from app.own_tools import describe_problem
        from app.session import open_session
        from providers.dialects import DIALECT_IDS
        from tools.likeness import confusions

        dialects = (dialect,) if dialect else DIALECT_IDS
        shelf = open_session(language=texts.language).shelf
        for problem in shelf.own.problems:
            write_line(describe_problem(problem, texts), style="dim", err=True)
        to_mend = confusions(shelf.whole)
        for tool in shelf.whole:
            schemas = {name: _schema(tool, name) for name in dialects}
            said = shelf.said(tool.name)
            if as_json:
                warnings = [one for one in to_mend if tool.name in one.tools]
                write_json(_document(tool, said, schemas, warnings))
            else:
                _show(tool, said, schemas, texts, whole=dialect is not None)
        if not as_json:
            for confusion in to_mend:
                write_line(_warning(confusion, texts), style="bad", err=True)
        return Code.ANSWERED

    return taught("tools", texts, run, [dialect_option(texts), json_option(texts)])


def _schema(tool: Tool, dialect_id: str) -> JsonObject:
    """The tool as a request in this dialect describes it."""
    from providers.dialects import dialect
    from providers.history import UserTurn
    from providers.request import Request, ToolSpec

    spec = ToolSpec(tool.name, tool.description, tool.parameters)
    request = Request(model="any", history=(UserTurn(""),), tools=(spec,))
    schema: JsonObject = dialect(dialect_id).encode(request).body["tools"][0]
    return schema


def _warning(confusion: Confusion, texts: Messages) -> str:
    """What to mend, in one sentence."""
    named = " / ".join(confusion.tools)
    return texts(f"cli.tools.warning.{confusion.kind}", tools=named, tokens=confusion.tokens)


def _document(
    tool: Tool, said: ToolSettings, schemas: dict[str, JsonObject], warnings: list[Confusion]
) -> JsonObject:
    from tools.cost import tokens_estimate

    return {
        "name": tool.name,
        "description": tool.description,
        "effect": tool.effect.value,
        "enabled": said.enabled,
        "permission": said.permission,
        "schemas": schemas,
        "tokens": {name: tokens_estimate(schema) for name, schema in schemas.items()},
        "warnings": [{"kind": one.kind.value, "tools": list(one.tools)} for one in warnings],
    }


def _show(
    tool: Tool,
    said: ToolSettings,
    schemas: dict[str, JsonObject],
    texts: Messages,
    *,
    whole: bool,
) -> None:
    """One tool for a person to read; with its schema when it is `whole`."""
    from tools.cost import tokens_estimate
    from tools.tool import Effect

    facts = [texts(f"cli.tools.effect.{tool.effect.value}")]
    if tool.effect is Effect.WRITE:
        facts.append(texts(f"cli.tools.permission.{said.permission}"))
    if not said.enabled:
        facts.append(texts("cli.tools.off"))
    write_line(f"{tool.name}  ({', '.join(facts)})", style="bold")
    write_line(f"  {tool.description}".replace("\n", "\n  "))
    required = tool.parameters.get("required", [])
    for name, about in tool.parameters.get("properties", {}).items():
        key = "cli.tools.argument" if name in required else "cli.tools.optional_argument"
        write_line(f"  · {texts(key, name=name, type=about.get('type', '?'))}")
    for dialect, schema in schemas.items():
        cost = texts.plural("cli.tools.cost", tokens_estimate(schema), dialect=dialect)
        write_line(f"  {cost}", style="dim")
        if whole:
            write_line(json.dumps(schema, ensure_ascii=False, indent=2))
    write_line()
