"""The tools that come with the program, one file a subject."""

from __future__ import annotations

from tools.toolbox import Toolbox


def demo_toolbox() -> Toolbox:
    """All of them, in the order in which models see them."""
    from tools.demo.calculator import calculate
    from tools.demo.files import list_files, read_file, search_text
    from tools.demo.measurements import lookup_demo_value

    return Toolbox([lookup_demo_value, calculate, list_files, read_file, search_text])
