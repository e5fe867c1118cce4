"""How is a person told what is wrong with a tool of their own?"""

from __future__ import annotations

from app.messages import Messages
from tools.own import OwnToolProblem


def describe_problem(problem: OwnToolProblem, texts: Messages) -> str:
    """The problem in one sentence. It quotes the person's file: not yet safe to show."""
    place = problem.file.name if problem.line is None else f"{problem.file.name}:{problem.line}"
    what = texts(f"own_tools.{problem.trouble.value}", detail=problem.detail)
    return texts("own_tools.problem", place=place, what=what)
