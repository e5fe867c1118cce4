"""The line at the top: who speaks, which chat this is, the language, what is going on."""

from __future__ import annotations

from dataclasses import dataclass, replace

from app.messages import Messages
from app.tui.activity import Activity
from app.tui.figures import decimal_text
from app.tui.widgets.bars import Bar

_LONG = 100


_LOOKS = {
    Activity.READY: ("○", "$dim"),
    Activity.ASKING: ("◌", "$voice"),
    Activity.ANSWERING: ("●", "$voice"),
    Activity.WAITING: ("◷", "$waiting"),
    Activity.RUNNING: ("◐", "$waiting"),
    Activity.PERMISSION: ("?", "$waiting"),
    Activity.PAUSED: ("▮▮", "$waiting"),
}


@dataclass(frozen=True, slots=True)
class Status:
    """All that the line says."""

    provider: str = ""
    model: str = ""
    title: str = ""
    activity: Activity = Activity.READY
    seconds: float | None = None
    faults: tuple[str, ...] = ()
    """What is switched on in the fault lab."""
    paused: bool = False
    """Whether the person holds the picture."""


class StatusBar(Bar):
    """Shows a `Status`."""

    def __init__(self, messages: Messages) -> None:
        super().__init__()
        self.messages = messages
        self.status = Status()

    def relabel(self, messages: Messages) -> None:
        """Speak another language."""
        self.messages = messages
        self._write()

    def update(self, **changes: object) -> None:
        """Change some of it."""
        status = replace(self.status, **changes)  # type: ignore[arg-type]  # dataclass fields
        if status != self.status:
            self.status = status
            self._write()

    def on_resize(self) -> None:
        self._write()

    def _write(self) -> None:
        status = self.status
        activity = Activity.PAUSED if status.paused else status.activity
        sign, style = _LOOKS[activity]
        word = self.messages(f"chat.activity.{activity.value}")
        time = "" if status.seconds is None else f" {decimal_text(status.seconds, self.messages)} s"
        wide = self.size.width >= _LONG
        left = [
            (" Vitral   ", "bold $ink"),
            ("◆ ", "$voice"),
            (status.provider, "$voice"),
            (f" · {status.model}" if status.model else "", "$dim"),
        ]
        faults = [(f"{_faults(status.faults, wide=wide)}   ", "$waiting")] if status.faults else []
        language = [(f"{self.messages.tag}   ", "$dim")] if wide else []
        right = [*faults, *language, (f"{sign} ", style), (f"{word}{time} ", "$dim")]
        middle = [(status.title, "italic $dim")] if wide else []
        self.say(left, middle, right)


def _faults(names: tuple[str, ...], *, wide: bool) -> str:
    """`↯ drip`, `↯ drip +1`, or how many where there is little room."""
    if not wide:
        return f"↯ {len(names)}"
    others = f" +{len(names) - 1}" if len(names) > 1 else ""
    return f"↯ {names[0]}{others}"
