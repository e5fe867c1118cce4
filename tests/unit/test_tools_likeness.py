"""What confuses a model in a list of tools is found, and the tools that come with us are clear."""

from __future__ import annotations

import pytest
from pydantic import BaseModel, Field, create_model

from tools.demo import demo_toolbox
from tools.likeness import Confusion, Kind, confusions, meanings
from tools.tool import Effect, Tool, ToolContext


class Nothing(BaseModel):
    pass


async def run(arguments: BaseModel, context: ToolContext) -> None:
    return None


def made(name: str, description: str, model: type[BaseModel] = Nothing) -> Tool:
    return Tool(name, description, model, Effect.READ, run)


CLEAR = "Gives the weather of a town for one day."


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("search_code", "find_in_files"),
        ("get_order", "fetchOrders"),
        ("deleteFile", "remove_files"),
        ("create_user", "add_person"),
    ],
)
def test_names_that_say_the_same_are_too_alike(one: str, other: str) -> None:
    tools = [made(one, CLEAR), made(other, "Tells how far two stars are apart.")]
    assert confusions(tools) == (Confusion(Kind.ALIKE_NAMES, (one, other)),)


@pytest.mark.parametrize(
    ("one", "other"), [("read_file", "write_file"), ("get_order", "get_user"), ("a", "b")]
)
def test_names_that_differ_in_one_meaning_are_not(one: str, other: str) -> None:
    tools = [made(one, CLEAR), made(other, "Tells how far two stars are apart.")]
    assert confusions(tools) == ()


def test_descriptions_that_say_the_same_are_too_alike() -> None:
    tools = [
        made("alpha", "Searches all files of the folder for a word."),
        made("beta", "Finds a word in all files of the folder."),
    ]
    assert confusions(tools) == (Confusion(Kind.ALIKE_DESCRIPTIONS, ("alpha", "beta")),)


@pytest.mark.parametrize("description", ["Orders.", "This tool reads a file.", "Reads files"])
def test_a_description_that_adds_nothing_has_no_purpose(description: str) -> None:
    found = confusions([made("read_file", description)])
    assert found == (Confusion(Kind.NO_PURPOSE, ("read_file",)),)


def test_a_schema_of_thousands_of_tokens_is_named_with_its_size() -> None:
    fields = {f"field_{n}": (str, Field(description="x" * 100)) for n in range(60)}
    large: type[BaseModel] = create_model("Large", **fields)  # type: ignore[call-overload]
    (found,) = confusions([made("weather", CLEAR, large)])
    assert found.kind is Kind.LARGE_SCHEMA
    assert found.tokens > 1_000


def test_a_word_means_the_same_in_all_its_forms() -> None:
    assert meanings("Searches, searching, searched; finds") == meanings("search")
    assert meanings("ships shipped shipping routines") == meanings("ship routine")


def test_the_tools_that_come_with_the_program_confuse_nobody() -> None:
    assert confusions(demo_toolbox()) == ()
