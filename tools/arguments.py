"""Whether the arguments that a model sent fit the tool, and in which words it hears that not.

The check is strict, whatever the provider promised: `"170"` is no number, `true` is no 1, a key
that the tool does not know is refused. Two things are allowed because JSON says so: an integer
where a float or a decimal is wanted, and null for an argument that may be left out (strict modes
make the model send it).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from tools.call import FieldProblem, JsonObject
from tools.schema import parameters_of

GOT_LENGTH = 80
"""How much of a wrong value is quoted."""

Path = tuple[str | int, ...]


class ArgumentsError(Exception):
    """The arguments do not fit: `problems` says where and why."""

    def __init__(self, problems: tuple[FieldProblem, ...]) -> None:
        super().__init__("; ".join(_in_words(problem) for problem in problems))
        self.problems = problems


def checked(args: JsonObject, model: type[BaseModel]) -> BaseModel:
    """The arguments as the tool takes them; raises ArgumentsError."""
    schema = parameters_of(model)
    given = _without_nulls(args, schema)
    # Pydantic takes "170" for a Decimal even when strict, so this one case is looked at here.
    problems = tuple(_texts_for_numbers(given, schema, ()))
    if problems:
        raise ArgumentsError(problems)
    try:
        text = json.dumps(given, allow_nan=False)
    except (ValueError, RecursionError) as error:
        problem = FieldProblem("", "values that JSON has", str(error))
        raise ArgumentsError((problem,)) from error
    try:
        return model.model_validate_json(text, strict=True, extra="forbid")
    except ValidationError as error:
        details = error.errors(include_url=False, include_context=False)
        found = tuple(_problem(detail, schema) for detail in details)
        raise ArgumentsError(found) from error


def _in_words(problem: FieldProblem) -> str:
    where = f"{problem.field}: " if problem.field else ""
    return f"{where}wanted {problem.wanted}, got {problem.got}"


def _problem(detail: ErrorDetails, schema: JsonObject) -> FieldProblem:
    field = _dotted(detail["loc"])
    match detail["type"]:
        case "missing":
            return FieldProblem(field, "a value: it is required", "nothing")
        case "extra_forbidden":
            known = ", ".join(schema["properties"]) or "none"
            wanted = "no argument of this name"
            if len(detail["loc"]) == 1:
                wanted += f" (the arguments are: {known})"
            return FieldProblem(field, wanted, described(detail["input"]))
        case "json_invalid" if "recursion" in detail["msg"]:
            return FieldProblem(field, "values that are nested less deeply", "a deeper nesting")
        case "json_invalid":  # the text is of our own writing: only a lone surrogate does this
            return FieldProblem(field, "whole Unicode characters", "half of a surrogate pair")
        case _:
            wanted = detail["msg"].removeprefix("Value error, ").removeprefix("Input should be ")
            return FieldProblem(field, wanted, described(detail["input"]))


def described(value: object) -> str:
    """A JSON value with its type, cut to a length that fits in a sentence."""
    match value:
        case None:
            return "null"
        case bool():
            return f"the boolean {json.dumps(value)}"
        case int() | float():
            return f"the number {_cut(json.dumps(value))}"
        case str():
            return f"the string {_cut(json.dumps(value, ensure_ascii=False))}"
        case list():
            return f"the list {_cut(json.dumps(value, ensure_ascii=False, default=repr))}"
        case _:
            return f"the object {_cut(json.dumps(value, ensure_ascii=False, default=repr))}"


def _cut(text: str) -> str:
    return text if len(text) <= GOT_LENGTH else f"{text[:GOT_LENGTH]}…"


def _dotted(path: Path) -> str:
    return ".".join(str(step) for step in path)


def _without_nulls(value: Any, schema: Mapping[str, Any]) -> Any:
    """The value without the nulls that stand for "left out", in nested objects and lists too."""
    match value:
        case dict() if "properties" in schema:
            properties, required = schema["properties"], schema.get("required", ())
            return {
                key: _without_nulls(inner, properties.get(key, {}))
                for key, inner in value.items()
                if not (inner is None and key in properties and key not in required)
            }
        case list() if "items" in schema:
            return [_without_nulls(inner, schema["items"]) for inner in value]
        case _:
            return value


def _texts_for_numbers(value: Any, schema: Mapping[str, Any], path: Path) -> Iterator[FieldProblem]:
    match value:
        case str() if schema.get("type") in ("number", ["number", "null"]):
            yield FieldProblem(_dotted(path), "a number, not in quotes", described(value))
        case dict() if "properties" in schema:
            for key, inner in value.items():
                yield from _texts_for_numbers(
                    inner, schema["properties"].get(key, {}), (*path, key)
                )
        case list() if "items" in schema:
            for place, inner in enumerate(value):
                yield from _texts_for_numbers(inner, schema["items"], (*path, place))
