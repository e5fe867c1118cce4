"""A dialog with a list to choose from: typing filters it, the arrows move, Enter takes one.

Everything that is chosen from a list is chosen here: providers, models, chats, languages, themes.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, TypeVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.message import Message
from textual.screen import ModalScreen
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from app.messages import Messages
from app.safe_text import safe
from app.tui.ink import Ink, Line, Piece, clip, outside, width_of
from app.tui.widgets.painted_lines import content_of

Answer = TypeVar("Answer")

LABEL_CELLS = 18
"""The least width of the column of labels."""
NO_MARK = Piece(" ")


@dataclass(frozen=True, slots=True)
class Offer:
    """One thing to choose: a label, and a dim note beside it."""

    id: str
    label: str
    note: str = ""
    mark: Piece = NO_MARK

    def line(self, width: int, label_cells: int) -> Line:
        """The choice on one line: mark, label, note; notes stand below one another."""
        label = outside(self.label)
        if not self.note:
            return clip([self.mark, Piece(" "), label], width)
        label_line = clip([label], label_cells)
        gap = Piece(" " * (label_cells - width_of(label_line) + 2))
        note = outside(self.note, Ink.DIM)
        return clip([self.mark, Piece(" "), *label_line, gap, note], width)


def label_cells(choices: Sequence[Offer], width: int) -> int:
    """How wide the column of labels is: as wide as they need, while half is left for notes."""
    noted = [choice for choice in choices if choice.note]  # a label alone has the whole line
    labels = max((width_of([outside(choice.label)]) for choice in noted), default=0)
    notes = max((width_of([outside(choice.note)]) for choice in noted), default=0)
    return max(min(max(labels, LABEL_CELLS), width - min(notes, width // 2) - 4), 8)


class Listing(OptionList):
    """The list of a dialog; says when it has another width, since its rows are cut to that."""

    class Resized(Message):
        """The list is as wide as it will be."""

    def on_resize(self) -> None:
        self.post_message(self.Resized())


class SafeInput(Input):
    """An input into which nothing can be pasted that drives a terminal."""

    def _on_paste(self, event: events.Paste) -> None:
        event.text = safe(event.text.strip("\r\n"), newlines=False)
        super()._on_paste(event)


class Dialog(ModalScreen[Answer]):
    """A calm box over the chat, with a title above and the keys below; Esc leaves it."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "leave", show=False)]

    def __init__(self, messages: Messages, title: str, keys: str) -> None:
        super().__init__()
        self.messages = messages
        self._title = title
        self._keys = keys

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog"):
            yield Static(classes="dialog-title", markup=False)
            yield from self.body()
            yield Static(classes="dialog-keys", markup=False)

    def body(self) -> ComposeResult:
        """The widgets between title and keys."""
        raise NotImplementedError

    def on_mount(self) -> None:
        self.watch(self.app, "theme", self.paint)

    def paint(self) -> None:
        """Write the title and the keys in the colours of the theme."""
        self.write(".dialog-title", (outside(self._title, Ink.TITLE),))
        self.write(".dialog-keys", (Piece(self._keys, Ink.DIM),))

    def write(self, selector: str, line: Line) -> None:
        """Put a line into the `Static` that `selector` finds."""
        self.query_one(selector, Static).update(content_of(line, self.app))

    def on_screen_suspend(self) -> None:
        """Another dialog stands above: leave the place to it."""
        self.add_class("-behind")

    def on_screen_resume(self) -> None:
        self.remove_class("-behind")

    def action_leave(self) -> None:
        self.dismiss(None)


class ChoiceDialog(Dialog[Answer]):
    """A dialog around a filtered list. Subclasses say what taking a choice does."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "move(-1)", show=False),
        Binding("down", "move(1)", show=False),
        Binding("pageup", "move(-8)", show=False),
        Binding("pagedown", "move(8)", show=False),
        Binding("enter", "take", show=False),
    ]
    other_rows: ClassVar[int] = 12
    """The rows of a screen that the list leaves to the rest of its dialog and to the chat."""
    free_key: ClassVar[str] = ""
    """The message for taking what was typed as it is (`{text}`); "" where only the list counts."""

    def __init__(
        self,
        messages: Messages,
        title: str,
        choices: Sequence[Offer],
        *,
        chosen: str = "",
        keys: str = "",
        filtered: bool = True,
    ) -> None:
        super().__init__(messages, title, keys or messages("choice.keys"))
        self.choices = list(choices)
        self._chosen = chosen
        self._filtered = filtered
        self._shown: list[Offer] = []
        self._width = 0

    def body(self) -> ComposeResult:
        yield SafeInput(placeholder=self.messages("choice.filter"), classes="dialog-filter")
        yield Listing(classes="dialog-list", markup=False)
        yield Static(classes="dialog-note", markup=False)

    def on_mount(self) -> None:
        super().on_mount()
        self.query_one(OptionList).can_focus = False
        self.query_one(Input).display = self._filtered
        self.query_one(Input).disabled = not self._filtered  # else it hears keys unseen
        if self._filtered:
            self.query_one(Input).focus()

    def on_resize(self) -> None:
        # In cells, because an automatic height does not see a limit in parts of the screen.
        self.query_one(OptionList).styles.max_height = max(self.size.height - self.other_rows, 3)

    def on_listing_resized(self) -> None:
        if self.query_one(OptionList).size.width != self._width:
            self.fill()

    def paint(self) -> None:
        super().paint()
        self.fill()

    def replace_choices(self, choices: Sequence[Offer]) -> None:
        """Show other choices under the same filter."""
        self.choices = list(choices)
        self.fill()

    def highlight(self, chosen: str) -> None:
        """Write the list anew, with this choice under the cursor."""
        self._chosen, self._shown = chosen, []
        self.query_one(Input).value = ""
        self.fill()

    def fill(self) -> None:
        """Write the list anew: the choices that the filter leaves."""
        listing = self.query_one(OptionList)
        highlighted = self.highlighted or self._chosen
        self._width = listing.size.width or self._width  # 0 where another dialog lies above
        width = max(self._width - 3, 20)
        cells = label_cells(self.choices, width)
        shown = self._matching()
        listing.set_options(
            Option(content_of(choice.line(width, cells), self.app), id=f"at-{place}")
            for place, choice in enumerate(shown)
        )
        self._shown = shown
        places = [place for place, choice in enumerate(shown) if choice.id == highlighted]
        if shown:
            listing.highlighted = places[0] if places else 0
        self.write(".dialog-note", self.note_line(len(shown)))

    def note_line(self, found: int) -> Line:
        """What stands under the list; by default only that nothing was found."""
        return () if found else (Piece(self.messages("choice.nothing"), Ink.DIM),)

    @property
    def highlighted(self) -> str:
        """The id of the choice that Enter would take; "" when there is none."""
        place = self.query_one(OptionList).highlighted
        return self._shown[place].id if place is not None and place < len(self._shown) else ""

    def take(self, chosen: str) -> None:
        """The person took this choice, or typed this where that is allowed."""
        raise NotImplementedError

    def action_move(self, step: int) -> None:
        listing = self.query_one(OptionList)
        if listing.option_count:
            last = listing.option_count - 1
            at = (listing.highlighted or 0) + step
            ends = abs(step) == 1  # one step goes round, a page does not
            listing.highlighted = at % (last + 1) if ends else min(max(at, 0), last)

    def on_input_changed(self) -> None:
        self.fill()

    def on_input_submitted(self) -> None:
        self.action_take()

    def action_take(self) -> None:
        """Take the choice under the cursor."""
        if self.highlighted:
            self.take(self.highlighted)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.take(self._shown[event.option_index].id)

    def _matching(self) -> list[Offer]:
        typed = self.query_one(Input).value.strip()
        wanted = folded(typed).split()
        found = [
            choice
            for choice in self.choices
            if all(word in folded(f"{choice.label} {choice.note} {choice.id}") for word in wanted)
        ]
        if self.free_key and typed and all(choice.id != typed for choice in found):
            label = self.messages(self.free_key, text=safe(typed, newlines=False))
            found.append(Offer(typed, label))
        return found


def folded(text: str) -> str:
    """Text for comparing: without case and accents."""
    plain = unicodedata.normalize("NFKD", text)
    return "".join(sign for sign in plain if not unicodedata.combining(sign)).casefold()


class ChoiceScreen(ChoiceDialog[str | None]):
    """Gives the id of what was chosen, None when the person left."""

    def take(self, chosen: str) -> None:
        self.dismiss(chosen)


class FreeChoiceScreen(ChoiceScreen):
    """Takes also what is not in the list, as it was typed."""

    free_key = "choice.use_typed"


def chosen_mark(chosen: bool) -> Piece:
    """The sign at what is in use now."""
    return Piece("●", Ink.OK) if chosen else NO_MARK
