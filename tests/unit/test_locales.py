"""Every language says everything, with the same place-holders, and nothing is said in vain."""

from __future__ import annotations

import ast
import gettext
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from string import Formatter

import click
import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po

from app.cli.commands import COMMANDS
from app.messages import DEFAULT, DOMAIN, LANGUAGES, find_language, language_of_environment
from providers.faults import FAULTS

REPOSITORY = Path(__file__).parents[2]
LOCALES = REPOSITORY / "locales"
OTHERS = [language for language in LANGUAGES if language != DEFAULT]

FILE_ENDINGS = (".sqlite3", ".tcss", ".toml", ".jsonl", ".svg", ".md")


@cache
def catalogue(language: str, domain: str = DOMAIN) -> dict[str, Message]:
    """Key → message."""
    path = LOCALES / language / "LC_MESSAGES" / f"{domain}.po"
    with path.open("rb") as file:
        return dict(_by_key(read_po(file)))


def _by_key(read: Catalog) -> Iterator[tuple[str, Message]]:
    for message in read:
        if message.id:
            yield (message.id if isinstance(message.id, str) else message.id[0]), message


def texts_of(message: Message) -> tuple[str, ...]:
    said = message.string or ""
    return (said,) if isinstance(said, str) else tuple(said)


def placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


@cache
def strings_of(*rooms: str) -> tuple[frozenset[str], frozenset[str]]:
    """Every plain string of these rooms' code, and every f-string as a pattern."""
    plain, patterns = set(), set()
    for path in (path for room in rooms for path in (REPOSITORY / room).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            match node:
                case ast.Constant(value=str(text)):
                    plain.add(text)
                case ast.JoinedStr(values=values):
                    patterns.add("".join(_pattern(value) for value in values))
                case _:
                    pass
    return frozenset(plain), frozenset(patterns)


def _pattern(value: ast.expr) -> str:
    return re.escape(str(value.value)) if isinstance(value, ast.Constant) else "[a-z0-9_.-]+"


def areas() -> str:
    """The first words of all keys, as a pattern."""
    return "|".join({key.split(".")[0] for key in catalogue(DEFAULT)})


@pytest.mark.parametrize("language", OTHERS)
def test_each_language_has_the_same_keys(language: str) -> None:
    assert catalogue(language).keys() == catalogue(DEFAULT).keys()


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_text_is_there(language: str) -> None:
    empty = [key for key, message in catalogue(language).items() if not all(texts_of(message))]
    assert empty == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_text_waits_for_its_translator(language: str) -> None:
    assert [key for key, message in catalogue(language).items() if message.fuzzy] == []


@pytest.mark.parametrize("language", OTHERS)
def test_each_text_has_the_same_placeholders(language: str) -> None:
    different = [
        key
        for key, message in catalogue(DEFAULT).items()
        for own, other in zip(texts_of(message), texts_of(catalogue(language)[key]), strict=True)
        if placeholders(own) != placeholders(other)
    ]
    assert different == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_compiled_catalogue_is_the_written_one(language: str) -> None:
    compiled = gettext.translation(DOMAIN, str(LOCALES), [language])
    stale = []
    for key, message in catalogue(language).items():
        said = (
            (compiled.gettext(key),)
            if isinstance(message.id, str)
            else tuple(compiled.ngettext(key, f"{key}.plural", n) for n in (1, 2))
        )
        if said != texts_of(message):
            stale.append(key)
    assert stale == [], "compile the catalogues: make locales"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_plural_key_is_named_after_its_singular(language: str) -> None:
    pairs = [m.id for m in catalogue(language).values() if not isinstance(m.id, str)]
    assert [pair for pair in pairs if pair[1] != f"{pair[0]}.plural"] == []


def test_each_key_of_the_code_is_in_the_catalogues() -> None:
    plain, _ = strings_of("app")
    looks_like_a_key = re.compile(rf"(?:{areas()})(?:\.[a-z0-9_]+)+")
    unknown = {
        text
        for text in plain
        if looks_like_a_key.fullmatch(text) and not text.endswith(FILE_ENDINGS)
    }
    assert unknown - set(COMMANDS.values()) - catalogue(DEFAULT).keys() == set()


def test_each_family_of_keys_in_the_code_has_members() -> None:
    _, patterns = strings_of("app")
    families = {p for p in patterns if re.match(rf"(?:{areas()})\\\.", p) and "[" in p}
    keys = "\n".join(catalogue(DEFAULT))
    assert {family for family in families if not re.search(rf"(?m)^{family}$", keys)} == set()


def test_no_key_is_unused() -> None:
    plain, patterns = strings_of("app", "providers", "tools")
    families = [p for p in patterns if re.match(rf"(?:{areas()})\\\.", p)]
    unused = {
        key
        for key in catalogue(DEFAULT).keys() - plain
        if not any(re.fullmatch(family, key) for family in families)
    }
    assert unused == set()


def test_no_description_outlives_its_fault() -> None:
    described = {key for key in catalogue(DEFAULT) if key.startswith("fault.")}
    named = {key for fault in FAULTS.values() for key in (fault.about, fault.right)}
    assert described - named == set()


@cache
def sentences_of_click() -> frozenset[str]:
    """What Click asks gettext for, read from its source."""
    found = {"required"}  # the only one that Click keeps in a variable
    for path in Path(click.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            match node:
                case ast.Call(
                    func=ast.Name(id="_" | "ngettext"), args=[ast.Constant(value=str(text)), *_]
                ):
                    found.add(text)
                case _:
                    pass
    return frozenset(found)


# What Click says to programmers, to its own prompts and to consoles that we do not use.
UNSAID = re.compile(
    r"d|.*DeprecationWarning.*|.*\{editor\}.*|Windows error.*|.*\{decls!r\}.*|.*\{colour!r\}.*"
    r"|No options defined.*|Arguments take exactly.*|Name '\{name\}' defined.*|Boolean option.*"
    r"|Unknown standard stream.*|Choice\(.*",
)


@pytest.mark.parametrize("language", OTHERS)
def test_what_click_says_is_translated_too(language: str) -> None:
    said = {text for text in sentences_of_click() if not UNSAID.fullmatch(text)}
    assert said - catalogue(language, "click").keys() == set()


@pytest.mark.parametrize("language", OTHERS)
def test_the_translations_of_click_ask_for_nothing_that_it_does_not_give(language: str) -> None:
    wrong = [
        key
        for key, message in catalogue(language, "click").items()
        for text, source in zip(texts_of(message), _sources(message), strict=True)
        if not placeholders(text) <= placeholders(source)
    ]
    assert wrong == []


def _sources(message: Message) -> tuple[str, ...]:
    return (message.id,) if isinstance(message.id, str) else tuple(message.id)


@pytest.mark.parametrize("language", OTHERS)
def test_the_compiled_sentences_of_click_are_the_written_ones(language: str) -> None:
    compiled = gettext.translation("click", str(LOCALES), [language])
    written = catalogue(language, "click")
    stale = [key for key, m in written.items() if compiled.gettext(key) not in texts_of(m)]
    assert stale == []


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ("pt-BR", "pt_BR"),
        ("pt_BR.UTF-8", "pt_BR"),
        ("pt", "pt_BR"),
        ("pt_PT", "pt_BR"),
        ("ES", "es"),
        ("es_MX.UTF-8@euro", "es"),
        ("en_GB", "en"),
        ("fr", None),
        ("", None),
    ],
)
def test_a_tag_finds_its_catalogue(wanted: str, found: str | None) -> None:
    assert find_language(wanted) == found


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({"LANG": "pt_BR.UTF-8"}, "pt_BR"),
        ({"LANG": "es_ES.UTF-8", "LC_ALL": "pt_BR.UTF-8"}, "pt_BR"),
        ({"LANG": "pt_BR.UTF-8", "LC_MESSAGES": "es_AR.UTF-8"}, "es"),
        ({"LANG": "en_US.UTF-8", "LANGUAGE": "fr:es:en"}, "es"),
        ({"LANG": "es_ES.UTF-8", "LANGUAGE": "fr"}, "es"),
        ({"LANG": "es_ES.UTF-8", "LC_ALL": "C"}, "en"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
    ],
)
def test_the_environment_chooses_the_language(environment: dict[str, str], language: str) -> None:
    assert language_of_environment(environment) == language
