"""The fault lab: what is to go wrong with the next messages, and what came of it last.

The list switches faults on and off, several together. What is chosen holds from the next message
on, whoever answers; nothing of it is remembered for another run.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import Input, OptionList, Static

from app.choice import Choice
from app.messages import Messages
from app.struck import Struck
from app.tui.ink import Ink, Line, Piece
from app.tui.screens.choice import NO_MARK, ChoiceDialog, Listing, Offer, SafeInput
from app.tui.widgets.struck_view import StruckView
from providers.dialects import DIALECT_IDS
from providers.faults import FAMILIES, FAULTS
from providers.faults.lab import SEPARATOR

FAMILY, TIMES, SEED, NONE = "family:", "times:", "seed:", "none:"
"""The rows that are no faults; no fault can be named so."""
ON = Piece("↯", Ink.WAITING)
OFTEN: tuple[int | None, ...] = (None, 1, 2, 3)
"""How many requests a fault strikes; None for all of them."""


@dataclass(frozen=True, slots=True)
class Switches:
    """Which faults are on, how often they strike, and with which seed."""

    names: tuple[str, ...] = ()
    times: int | None = None
    seed: int = 0

    @classmethod
    def of(cls, choice: Choice) -> Switches:
        """What is on now."""
        return cls(choice.fault_names, choice.fault_times, choice.fault_seed)

    def flipped(self, name: str) -> Switches:
        """The other way round for this fault. The one that came first is nearest to the server."""
        left = tuple(one for one in self.names if one != name)
        return replace(self, names=left if name in self.names else (*self.names, name))

    def oftener(self, step: int) -> Switches:
        """The next of the times that can be chosen."""
        at = OFTEN.index(self.times) if self.times in OFTEN else 0
        return replace(self, times=OFTEN[(at + step) % len(OFTEN)])

    def applied(self, choice: Choice) -> Choice:
        """Whom to ask, with these faults on the way."""
        names = SEPARATOR.join(self.names) or None
        return replace(choice, fault=names, fault_times=self.times, fault_seed=self.seed)


@dataclass(frozen=True, slots=True)
class Heading(Offer):
    """The name of a family of faults, above them in the list."""

    def line(self, width: int, label_cells: int) -> Line:
        return (Piece(self.label, Ink.TITLE),)


class NameFilter(SafeInput):
    """Leaves the space bar to the list: no name of a fault holds a space."""

    def check_consume_key(self, key: str, character: str | None) -> bool:
        return key != "space" and super().check_consume_key(key, character)


class FaultsScreen(ChoiceDialog[Choice | None]):
    """Gives `choice` with the faults that are on, None when it is left as it was."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space", "switch", show=False, priority=True),
        Binding("left", "change(-1)", show=False, priority=True),
        Binding("right", "change(1)", show=False, priority=True),
        Binding("tab", "view", show=False, priority=True),
    ]
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-wide")]  # noqa: RUF012 - Textual's type
    VERTICAL_BREAKPOINTS = [(0, "-low"), (34, "-high")]  # noqa: RUF012 - Textual's type

    def __init__(self, messages: Messages, choice: Choice, struck: Struck) -> None:
        self._choice = choice
        self._switches = Switches.of(choice)
        first = next(iter([*self._switches.names, *FAULTS]))
        title, keys = messages("lab.title"), messages("lab.keys")
        super().__init__(messages, title, (), chosen=first, keys=keys)
        self._struck = StruckView(messages, struck)
        self.choices = list(self._rows())

    def body(self) -> ComposeResult:
        yield NameFilter(placeholder=self.messages("choice.filter"), classes="dialog-filter")
        yield Listing(classes="dialog-list", markup=False)
        yield Static(classes="dialog-note", markup=False)
        yield self._struck

    # --- the list

    def _rows(self) -> Iterator[Offer]:
        for family, faults in FAMILIES.items():
            yield Heading(f"{FAMILY}{family}", self.messages(f"cli.faults.family.{family}"))
            for fault in faults:
                mark = ON if fault.name in self._switches.names else NO_MARK
                yield Offer(fault.name, fault.name, self.messages(fault.about), mark)
        yield Heading(f"{FAMILY}how", self.messages("lab.how"))
        yield Offer(TIMES, self.messages("lab.times"), f"‹ {self._often()} ›")
        yield Offer(SEED, self.messages("lab.seed"), f"‹ {self._switches.seed} ›")
        yield Offer(NONE, self.messages("lab.none"))

    def _often(self) -> str:
        times = self._switches.times
        if times is None:
            return self.messages("lab.times.always")
        return self.messages.plural("lab.times.first", times)

    def _matching(self) -> list[Offer]:
        """What the filter leaves, each under its heading; a heading that is meant brings all."""
        typed = self.query_one(Input).value.strip()
        found = {choice.id for choice in super()._matching()}
        if not typed:
            return self.choices
        shown: list[Offer] = []
        heading: Offer | None = None
        for choice in self.choices:
            if isinstance(choice, Heading):
                heading, whole = choice, choice.id in found
                continue
            if whole or choice.id in found:
                shown += [heading] if heading else []
                shown.append(choice)
                heading = None
        return shown

    def fill(self) -> None:
        super().fill()
        if self.highlighted.startswith(FAMILY):
            self.action_move(1)

    def action_move(self, step: int) -> None:
        """Over the headings; where an exchange is looked at, through it."""
        if self.looking:
            self._struck.scroll_rows(step)
            return
        super().action_move(step)
        if self.highlighted.startswith(FAMILY):
            super().action_move(1 if step > 0 else -1)

    def note_line(self, found: int) -> Line:
        """What happens, and what a correct client does then."""
        if not found:
            return super().note_line(found)
        fault = FAULTS.get(self.highlighted)
        if fault is None:
            names = ", ".join(self._switches.names) or self.messages("picker.calm")
            return (Piece(f"{ON.text} ", ON.ink), Piece(names))
        said = self.messages(fault.about)
        if fault.dialects != DIALECT_IDS:
            said += " " + self.messages("cli.faults.only", dialects=", ".join(fault.dialects))
        right = self.messages(fault.right)
        return (Piece(f"{ON.text} ", ON.ink), Piece(said), Piece(f"\n→ {right}", Ink.OK))

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        self.write(".dialog-note", self.note_line(event.option_list.option_count))

    # --- keys

    @property
    def looking(self) -> bool:
        """Whether the last exchange has the dialog to itself."""
        return self.has_class("-looking")

    def action_view(self) -> None:
        """From the list to the exchange alone, and back."""
        self.toggle_class("-looking")
        self._keys = self.messages("lab.keys_looking" if self.looking else "lab.keys")
        self.query_one(Input).display = not self.looking
        self.paint()
        if not self.looking:
            self.query_one(Input).focus()

    def action_switch(self) -> None:
        self.take(self.highlighted)

    def action_change(self, step: int) -> None:
        """Another value in the row under the cursor; or another exchange."""
        if self.looking:
            self._struck.step(step)
            return
        switches = self._switches
        if self.highlighted == TIMES:
            self._switch(switches.oftener(step))
        elif self.highlighted == SEED:
            self._switch(replace(switches, seed=max(switches.seed + step, 0)))

    def take(self, chosen: str) -> None:
        """Switch it on or off, or change what the row says."""
        if chosen in FAULTS:
            self._switch(self._switches.flipped(chosen))
        elif chosen == NONE:
            self._switch(replace(self._switches, names=()))
        else:
            self.action_change(1)

    def _switch(self, switches: Switches) -> None:
        self._switches = switches
        self.replace_choices(list(self._rows()))

    def action_leave(self) -> None:
        """Back to the list, and from there to the chat."""
        if self.looking:
            self.action_view()
        else:
            super().action_leave()

    def action_take(self) -> None:
        """Enter: it holds from now on."""
        self.dismiss(self._switches.applied(self._choice))
