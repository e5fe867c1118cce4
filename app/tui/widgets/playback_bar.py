"""One line in the panel of calls: is the stream held or slowed, and how much waits behind it?"""

from __future__ import annotations

from app.messages import Messages
from app.tui.projector import LIVE, Showing
from app.tui.widgets.bars import Bar


class PlaybackBar(Bar):
    """Shows a `Showing`; hidden while everything is shown as it comes."""

    def __init__(self, messages: Messages) -> None:
        super().__init__()
        self.messages = messages
        self.showing = Showing()
        self.display = False

    def show(self, showing: Showing) -> None:
        """The stream as it is shown now."""
        self.showing = showing
        self.display = showing != Showing()
        self._write()

    def relabel(self, messages: Messages) -> None:
        """Speak another language."""
        self.messages = messages
        self._write()

    def _write(self) -> None:
        showing, texts = self.showing, self.messages
        sign, word = ("▮▮", "paused") if showing.paused else ("▶", "playing")
        facts = [] if showing.speed == LIVE else [speed_text(showing.speed, texts)]
        if showing.waiting:
            facts.append(texts.plural("playback.waiting", showing.waiting))
        said = "".join(f" · {fact}" for fact in facts)
        self.say([(f"{sign} {texts(f'playback.{word}')}", "$waiting"), (said, "$dim")])


def speed_text(speed: float, messages: Messages) -> str:
    """`×0.25`, `×10`."""
    return f"×{speed:g}".replace(".", messages("figures.point"))
