"""How does one Markdown block look? Tokens of markdown-it in, styled rows out.

Nothing in the text can act: no markup, no clickable links (an address is shown beside its words),
no HTML. The parser is loaded at the first block, not at the start of the program.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING

from rich.style import Style

from app.safe_text import safe
from app.tui import code
from app.tui.markdown_blocks import Block, Kind
from app.tui.palette import Palette
from app.tui.table import Column, draw_table, shape_of
from app.tui.wrap import Row, Run, wrap

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

_BOLD = Style(bold=True)
_ITALIC = Style(italic=True)
_STRUCK = Style(strike=True)
_QUOTE_BAR = "▏ "
_INDENTED = re.compile(r"^(?: {1,3}|\t)", re.MULTILINE)


@cache
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])


def draw(block: Block, width: int, look: Palette) -> list[Row]:
    """The rows of a block, each at most `width` cells."""
    source = safe(block.source)
    match block.kind:
        case Kind.CODE:
            return code.draw_code(source, block.language, width, look, joined=block.joined)
        case Kind.TABLE if block.joined:
            header = "\n".join(safe(block.shape).split("\n")[:2])
            rows = _cells(_parse(f"{header}\n{source}"), look)[1:]
            columns = shape_of(_cells(_parse(safe(block.shape)), look), width)
            return draw_table(rows, columns, look, headed=False)
        case Kind.ITEM if block.joined:
            inner = _Drawing(look, width - 2).blocks(_parse(_INDENTED.sub("", source)))
            return [[("  ", look.ink), *row] for row in inner]
        case _:
            return _Drawing(look, width).blocks(_parse(source))


def warm_up() -> None:
    """Load the parsers: called from a thread, so that no frame waits for them."""
    _parse("warm *up*")
    code.warm_up()


def _parse(source: str) -> list[Token]:
    return _parser().parse(source)


class _Drawing:
    """Draws the tokens of one level in `width` cells."""

    def __init__(self, look: Palette, width: int, base: Style | None = None) -> None:
        self.look = look
        self.width = max(width, 4)
        self.base = base or look.ink

    def blocks(self, tokens: Sequence[Token], *, tight: bool = False) -> list[Row]:
        """All blocks of the level, an empty row between them unless `tight`."""
        rows: list[Row] = []
        for first, inside in _nested(tokens):
            drawn = self._block(first, inside)
            nested_list = first.type in ("bullet_list_open", "ordered_list_open")
            if rows and drawn and not tight and not (nested_list and first.level > 0):
                rows.append([])
            rows += drawn
        return rows

    def _block(self, first: Token, inside: Sequence[Token]) -> list[Row]:
        match first.type:
            case "heading_open":
                return wrap(self._inline(inside[0], self.look.heading), self.width)
            case "paragraph_open":
                return wrap(self._inline(inside[0], self.base), self.width)
            case "fence" | "code_block":
                language = safe(first.info, newlines=False).split(" ")[0]
                return code.draw_code(first.content.rstrip("\n"), language, self.width, self.look)
            case "blockquote_open":
                quoted = _Drawing(self.look, self.width - 2, self.look.dim + _ITALIC)
                return [[(_QUOTE_BAR, self.look.voice), *row] for row in quoted.blocks(inside)]
            case "bullet_list_open":
                return self._items(inside, lambda _item: "• ")
            case "ordered_list_open":
                return self._items(inside, lambda item: f"{item.info}{item.markup} ")
            case "table_open":
                table = _cells([first, *inside], self.look)
                return draw_table(table, shape_of(table, self.width), self.look, headed=True)
            case "hr":
                return [[("─" * min(self.width, 24), self.look.dim)]]
            case _:
                return wrap([(first.content, self.base)], self.width) if first.content else []

    def _items(self, tokens: Sequence[Token], mark: Callable[[Token], str]) -> list[Row]:
        rows: list[Row] = []
        for item, inside in _nested(tokens):
            sign = mark(item)
            indent = len(sign)
            inner = _Drawing(self.look, self.width - indent, self.base)
            drawn = inner.blocks(inside, tight=_is_tight(inside)) or [[]]
            rows.append([(sign, self.look.voice), *drawn[0]])
            rows += [[(" " * indent, self.base), *row] if row else [] for row in drawn[1:]]
        return rows

    def _inline(self, token: Token, style: Style) -> list[Run]:
        return inline_runs(token, style, self.look)


def inline_runs(token: Token, style: Style, look: Palette) -> list[Run]:
    """The runs of an inline token."""
    runs: list[Run] = []
    styles = [style]
    addresses: list[tuple[str, int]] = []
    for child in token.children or ():
        text = safe(child.content, newlines=False)  # again: `&#x202e;` has become a character
        match child.type:
            case "softbreak":
                runs.append((" ", styles[-1]))
            case "hardbreak":
                runs.append(("\n", styles[-1]))
            case "code_inline":
                runs.append((text, look.code))
            case "strong_open":
                styles.append(styles[-1] + _BOLD)
            case "em_open":
                styles.append(styles[-1] + _ITALIC)
            case "s_open":
                styles.append(styles[-1] + _STRUCK)
            case "link_open":
                addresses.append((str(child.attrs.get("href", "")), len(runs)))
                styles.append(styles[-1])
            case "link_close":
                styles.pop()
                runs += _address(*addresses.pop(), runs, look)
            case "image":
                runs.append((text, styles[-1]))
                runs += _address(str(child.attrs.get("src", "")), len(runs) - 1, runs, look)
            case closing if closing.endswith("_close"):
                styles.pop()
            case _:
                runs.append((text, styles[-1]))
    return [run for run in runs if run[0]]


def _address(address: str, begin: int, runs: list[Run], look: Palette) -> list[Run]:
    """Where a link leads, unless its words say so already."""
    words = "".join(text for text, _ in runs[begin:])
    shown = safe(address, newlines=False)
    if not shown or words in (address, address.removeprefix("mailto:")):
        return []
    return [(" (", look.dim), (shown, look.link), (")", look.dim)]


def _cells(tokens: Sequence[Token], look: Palette) -> list[list[Column]]:
    """A table's cells, the header's row first."""
    rows: list[list[Column]] = []
    for place, token in enumerate(tokens):
        match token.type:
            case "tr_open":
                rows.append([])
            case "th_open" | "td_open":
                style = look.strong if token.type == "th_open" else look.ink
                side = str(token.attrs.get("style", "")).removeprefix("text-align:")
                rows[-1].append(Column(inline_runs(tokens[place + 1], style, look), side))
            case _:
                pass
    return rows


def _nested(tokens: Sequence[Token]) -> Iterator[tuple[Token, Sequence[Token]]]:
    """Each token that opens something at this level, with the tokens inside it."""
    place = 0
    while place < len(tokens):
        first = tokens[place]
        depth, end = int(first.nesting), place + 1
        while depth > 0:
            depth += tokens[end].nesting
            end += 1
        yield first, tokens[place + 1 : end - 1]
        place = end


def _is_tight(tokens: Sequence[Token]) -> bool:
    return all(token.hidden for token in tokens if token.type == "paragraph_open")
