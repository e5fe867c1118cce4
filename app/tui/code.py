"""How does a listing look? A card with coloured words; pygments is loaded at the first one."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from rich.style import Style

from app.tui.palette import Palette
from app.tui.wrap import Row, Run, cells, fold

if TYPE_CHECKING:
    from pygments.lexer import Lexer

_ITALIC = Style(italic=True)


def draw_code(
    source: str, language: str, width: int, look: Palette, *, joined: bool = False
) -> list[Row]:
    """The listing's rows on a card of the whole width, the language above unless `joined`."""
    inner = max(width - 2, 2)
    rows = fold(highlight(source, language, look), inner)
    if language and not joined:
        rows.insert(0, [(language[:inner], look.card_dim)])
    return [_on_card(row, width, look) for row in rows]


def highlight(source: str, language: str, look: Palette) -> list[Run]:
    """The source in runs of the colours of its language; plain when it is none that we know."""
    lexer = _lexer(language.lower())
    if lexer is None:
        return [(source, look.card)]
    return [(text, _style(str(token), look)) for token, text in lexer.get_tokens(source)]


def warm_up() -> None:
    """Load what the first listing needs: called from a thread, so that no frame waits for it."""
    _lexer("python")


def _on_card(row: Row, width: int, look: Palette) -> Row:
    free = max(width - 1 - cells(row), 0)
    return [(" ", look.card), *row, (" " * free, look.card)]


@lru_cache(maxsize=32)
def _lexer(language: str) -> Lexer | None:
    from pygments.lexers import get_lexer_by_name
    from pygments.util import ClassNotFound

    if not language:
        return None
    try:
        lexer: Lexer = get_lexer_by_name(language, stripnl=False, ensurenl=False)
    except ClassNotFound:
        return None
    return lexer


def _style(token: str, look: Palette) -> Style:
    """`token` is pygments' dotted name, such as `Token.Literal.String.Double`."""
    match token.split(".")[1:]:
        case ["Comment", *_]:
            return look.card_dim + _ITALIC
        case ["Keyword", *_] | ["Name", "Tag", *_] | ["Operator", "Word", *_]:
            return look.key
        case ["Literal", "String", *_]:
            return look.string
        case ["Literal", "Number", *_] | ["Name", "Constant" | "Builtin" | "Decorator", *_]:
            return look.number
        case ["Punctuation", *_]:
            return look.card_dim
        case _:
            return look.card
