"""The wire beside the command: what came, byte for byte, and the one command that it becomes.

Shows the event that brought a fragment of the chosen call, with the fragment marked in it, under
the command as far as it is known. It follows the newest fragment until the person steps back.
"""

from __future__ import annotations

import json
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.geometry import Size
from textual.strip import Strip

from app.call_views import CallState, CallView
from app.messages import Messages
from app.tui.figures import count_text
from app.tui.ink import Ink, Line, Piece, clip, coloured, fold, outside
from app.tui.json_prefix import JsonPrefix
from app.tui.themes import colours_of
from app.tui.widgets.call_card import CURSOR, TORN
from app.tui.widgets.painted_lines import PaintedLines, painted
from tools.call import ToolCall

EVENT_CHARACTERS = 6_000
"""The most that is shown of one event: an answer that did not stream is one long event."""
ARGUMENT_CHARACTERS = 600
LABEL_CELLS = 10


def command_lines(view: CallView, messages: Messages, width: int) -> list[Line]:
    """The normalized command: the same four fields whoever sent it."""
    made = isinstance(view.call, ToolCall) and view.state is not CallState.CUT
    note = "panel.command_made" if made else "panel.command_not_yet"
    if view.state in (CallState.CUT, CallState.BROKEN) or view.torn:
        note = "panel.command_never"
    title = Piece(messages("panel.command"), Ink.TITLE)
    lines = [clip([title, Piece("  "), Piece(messages(note), Ink.DIM)], width)]
    arguments = coloured(JsonPrefix().feed(_argument_text(view)))
    if view.arguments.characters > ARGUMENT_CHARACTERS:
        arguments.append(Piece(" …", Ink.DIM))
    elif view.torn:
        arguments.append(Piece(TORN, Ink.FAILED))
    elif view.state is CallState.ASSEMBLING:
        arguments.append(Piece(CURSOR, Ink.WAITING))
    lines += _field("name", [outside(view.name or "…", Ink.NAME)], width)
    lines += _field("args", arguments, width)
    lines += _field("provider", [outside(view.origin.provider)], width)
    lines += _field("call_id", [outside(view.call_id or "…", Ink.ADDRESS)], width)
    return lines


def event_lines(view: CallView, at: int, messages: Messages, width: int) -> list[Line]:
    """The event that brought fragment `at` (from 0), the fragment marked in it."""
    title = Piece(messages("panel.wire"), Ink.TITLE)
    if view.wire is None or not view.spans:
        return [clip([title, Piece("  "), Piece(messages("panel.no_wire"), Ink.DIM)], width)]
    span = view.spans[at]
    place = messages(
        "panel.wire_place",
        number=count_text(at + 1, messages),
        total=count_text(len(view.spans), messages),
        first=count_text(span[0], messages),
        last=count_text(max(span[1] - 1, span[0]), messages),
    )
    lines = [clip([title, Piece("  "), Piece(place, Ink.DIM)], width), ()]
    raw = view.wire.cut(span).strip("\r\n")
    fragment = view.arguments.pieces[at] if at < len(view.arguments.pieces) else ""
    return lines + fold(_marked(raw, fragment), width)


def _field(label: str, value: list[Piece], width: int) -> list[Line]:
    first, *others = fold(value, width - LABEL_CELLS - 2)
    indent = Piece(" " * (LABEL_CELLS + 2))
    lines = [(Piece(f"  {label:<{LABEL_CELLS}}", Ink.DIM), *first)]
    return lines + [(indent, *line) for line in others]


def _argument_text(view: CallView) -> str:
    if isinstance(view.call, ToolCall) and view.arguments.characters <= ARGUMENT_CHARACTERS:
        return json.dumps(view.call.args, ensure_ascii=False, default=str)
    return view.arguments.head(ARGUMENT_CHARACTERS)


def _marked(raw: str, fragment: str) -> list[Piece]:
    """An event's text in colours, `fragment` marked where it is found as the wire writes it."""
    start, end = _find(raw, fragment)
    if start < 0:
        return [*_event(raw[:EVENT_CHARACTERS]), *_rest(len(raw) - EVENT_CHARACTERS)]
    before, inside, after = raw[:start], raw[start:end], raw[end:]
    left, right = max(len(before) - EVENT_CHARACTERS // 4, 0), EVENT_CHARACTERS // 4
    shown = inside[:EVENT_CHARACTERS]
    return [
        *_rest(left),
        *_event(before[left:]),
        outside(shown, Ink.ADDED, newlines=True),
        *_rest(len(inside) - len(shown)),
        *_event(after[:right], inside_string=True),
        *_rest(len(after) - right),
    ]


def _find(raw: str, fragment: str) -> tuple[int, int]:
    if not fragment:
        return -1, -1
    for escapes_all in (False, True):
        written = json.dumps(fragment, ensure_ascii=escapes_all)[1:-1]
        if (start := raw.rfind(written)) >= 0:
            return start, start + len(written)
    start = raw.rfind(fragment)
    return start, start + len(fragment)


def _event(text: str, *, inside_string: bool = False) -> list[Piece]:
    """The lines of an event: field names dim, the event's name in full, the data as JSON."""
    pieces: list[Piece] = []
    reader = JsonPrefix()
    if inside_string:
        reader.feed('"')
    for line in text.splitlines(keepends=True):
        name, colon, value = line.partition(":")
        if colon and name in ("event", "id", "retry"):
            pieces += [Piece(f"{name}:", Ink.DIM), outside(value, Ink.WAITING, newlines=True)]
        elif colon and name == "data":
            pieces += [Piece("data:", Ink.DIM), *coloured(reader.feed(value))]
        else:
            pieces += coloured(reader.feed(line))
    return pieces


def _rest(characters: int) -> list[Piece]:
    return [Piece(" … ", Ink.DIM)] if characters > 0 else []


class WireView(PaintedLines):
    """Draws the command and the event of one call; ← and → step through its fragments."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "fragment_previous", show=False),
        Binding("right", "fragment_next", show=False),
    ]

    def __init__(self, messages: Messages) -> None:
        super().__init__()
        self.messages = messages
        self.view: CallView | None = None
        self._at: int | None = None
        self._lines: list[Line] = []

    def show(self, view: CallView | None) -> None:
        """Show this call as it is now; another call than before is shown at its newest fragment."""
        if view is not self.view:
            self._at = None
            self.scroll_to(y=0, animate=False)
        self.view = view
        self._lay_out()

    def relabel(self, messages: Messages) -> None:
        """Speak another language."""
        self.messages = messages
        self._lay_out()

    def action_fragment_previous(self) -> None:
        self._step(-1)

    def action_fragment_next(self) -> None:
        self._step(1)

    def _step(self, step: int) -> None:
        if self.view is None or not self.view.spans:
            return
        last = len(self.view.spans) - 1
        at = min(max((last if self._at is None else self._at) + step, 0), last)
        self._at = None if at == last else at
        self._lay_out()

    def _lay_out(self) -> None:
        view, width = self.view, self.line_width
        if view is None or not self.display:
            self._lines = []
        else:
            at = len(view.spans) - 1 if self._at is None else self._at
            command = command_lines(view, self.messages, width)
            self._lines = [*command, (), *event_lines(view, at, self.messages, width)]
        self.virtual_size = Size(self.size.width, len(self._lines))
        self.refresh()

    def line_at(self, y: int, width: int) -> Strip | None:
        if y >= len(self._lines):
            return None
        colours = colours_of(self.app)
        return painted(self._lines[y], width, colours, colours.panel)

    def on_resize(self) -> None:
        self._lay_out()
