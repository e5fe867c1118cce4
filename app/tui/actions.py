"""Which actions are there, on which keys? The one table behind bindings, palette, help and key bar.

`action.<name>` is an action's short name in the catalogue and `action.<name>.help` its line in the
help. The screens implement `action_<name>`; nothing else lists keys.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from textual.binding import Binding


class Where(StrEnum):
    """Where an action's keys work. The help groups by it: `actions.where.<value>`."""

    ANYWHERE = "anywhere"
    CHAT = "chat"
    COMPOSER = "composer"
    PANEL = "panel"
    COMPARE = "compare"


@dataclass(frozen=True, slots=True)
class Action:
    """One thing that a person can do. `keys` are Textual's, the first one is shown.

    `bar` puts it into the key bar; `palette` into the command palette (off for plain movement).
    """

    name: str
    keys: tuple[str, ...]
    where: Where
    bar: bool = False
    palette: bool = True

    @property
    def key_shown(self) -> str:
        """The first key as people write it: `^P`, `F1`, `Esc`."""
        return shown(self.keys[0])

    @property
    def title(self) -> str:
        """The catalogue's key for the short name."""
        return f"action.{self.name}"

    @property
    def help(self) -> str:
        """The catalogue's key for the line in the help."""
        return f"action.{self.name}.help"


ACTIONS: tuple[Action, ...] = (
    Action("help", ("f1",), Where.ANYWHERE, bar=True, palette=True),
    Action("commands", ("ctrl+p",), Where.ANYWHERE, bar=True, palette=False),
    Action("provider", ("ctrl+o",), Where.ANYWHERE, bar=True),
    Action("panel", ("ctrl+t",), Where.ANYWHERE, bar=True),
    Action("stop", ("escape",), Where.ANYWHERE, bar=True),
    Action("retry", ("ctrl+r",), Where.ANYWHERE),
    Action("resume", ("ctrl+g",), Where.ANYWHERE),
    Action("new_chat", ("ctrl+n",), Where.ANYWHERE),
    Action("chats", ("ctrl+l",), Where.ANYWHERE),
    Action("wire", ("f2",), Where.ANYWHERE),
    Action("reasoning", ("f3",), Where.ANYWHERE),
    Action("copy_answer", ("f4",), Where.ANYWHERE),
    Action("tools", ("f5",), Where.ANYWHERE),
    Action("tool_choice", ("f12",), Where.ANYWHERE),
    Action("scene", ("ctrl+s",), Where.ANYWHERE),
    Action("faults", ("ctrl+b",), Where.ANYWHERE),
    Action("compare", ("f6",), Where.ANYWHERE),
    Action("theme", ("f9",), Where.ANYWHERE),
    Action("language", ("f8",), Where.ANYWHERE),
    Action("quit", ("ctrl+q",), Where.ANYWHERE),
    Action("send", ("enter",), Where.COMPOSER, palette=False),
    Action("new_line", ("shift+enter", "ctrl+j"), Where.COMPOSER, palette=False),
    Action("history_back", ("up",), Where.COMPOSER, palette=False),
    Action("history_forward", ("down",), Where.COMPOSER, palette=False),
    Action("copy_selection", ("ctrl+c",), Where.CHAT, palette=False),
    Action("page_up", ("pageup",), Where.CHAT, palette=False),
    Action("page_down", ("pagedown",), Where.CHAT, palette=False),
    Action("to_top", ("ctrl+home",), Where.CHAT),
    Action("to_end", ("ctrl+end", "end"), Where.CHAT),
    Action("card_previous", ("up",), Where.PANEL, palette=False),
    Action("card_next", ("down",), Where.PANEL, palette=False),
    Action("card_open", ("enter",), Where.PANEL, palette=False),
    Action("lens_command", ("1",), Where.PANEL),
    Action("lens_wire", ("2", "w"), Where.PANEL),
    Action("lens_voices", ("3",), Where.PANEL),
    Action("lens_journey", ("4",), Where.PANEL),
    Action("fragment_back", ("left",), Where.PANEL, palette=False),
    Action("fragment_forward", ("right",), Where.PANEL, palette=False),
    Action("playback_pause", ("space",), Where.PANEL),
    Action("playback_fragment", ("full_stop",), Where.PANEL),
    Action("playback_event", ("e",), Where.PANEL),
    Action("playback_faster", ("plus",), Where.PANEL),
    Action("playback_slower", ("minus",), Where.PANEL),
    Action("lens_up", ("pageup",), Where.PANEL, palette=False),
    Action("lens_down", ("pagedown",), Where.PANEL, palette=False),
    Action("column_next", ("tab",), Where.COMPARE, palette=False),
    Action("column_previous", ("shift+tab",), Where.COMPARE, palette=False),
    Action("column_add", ("f7",), Where.COMPARE),
    Action("column_remove", ("f10",), Where.COMPARE),
)
"""In the order of the help."""

_NAMED = {
    "escape": "Esc",
    "enter": "↵",
    "space": "␣",
    "tab": "Tab",
    "full_stop": ".",
    "plus": "+",
    "minus": "-",
    "up": "↑",
    "down": "↓",
    "pageup": "PgUp",
    "pagedown": "PgDn",
    "home": "Home",
    "end": "End",
    "left": "←",
    "right": "→",
}


def shown(key: str) -> str:
    """A Textual key as people write it."""
    *held, last = key.split("+")
    name = _NAMED.get(last, last.upper())
    signs = {"ctrl": "^", "shift": "⇧", "alt": "⌥"}
    return "".join(signs.get(one, f"{one}+") for one in held) + name


def actions(*where: Where) -> tuple[Action, ...]:
    """The actions of these places, in the table's order."""
    return tuple(action for action in ACTIONS if action.where in where)


def bindings(
    chosen: Iterable[Action], *, prefix: str = "", priority: bool = False
) -> list[Binding]:
    """Textual's bindings for `chosen`; `prefix` such as `app.` says who implements them."""
    return [
        Binding(",".join(action.keys), f"{prefix}{action.name}", action.name, False, None, priority)
        for action in chosen
    ]
