"""Typing a key for this run: hidden while it is typed, kept in memory only."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.widgets import Input, Static

from app.messages import Messages
from app.tui.ink import Ink, Piece
from app.tui.screens.choice import Dialog, SafeInput
from providers.secret import Secret


class KeyScreen(Dialog[Secret | None]):
    """Gives the key, None when the person left. `provider` is the name that is shown."""

    def __init__(self, messages: Messages, provider: str) -> None:
        title = messages("key.title", provider=provider)
        super().__init__(messages, title, messages("key.keys"))

    def body(self) -> ComposeResult:
        yield SafeInput(
            password=True, placeholder=self.messages("key.placeholder"), classes="dialog-filter"
        )
        yield Static(classes="dialog-note", markup=False)

    def on_mount(self) -> None:
        super().on_mount()
        self.query_one(Input).focus()

    def paint(self) -> None:
        super().paint()
        self.write(".dialog-note", (Piece(self.messages("key.only_this_run"), Ink.DIM),))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        key = Secret(event.value)
        if not key:
            return
        if not key.sendable:
            problem = self.messages("key.not_sendable")
            self.write(".dialog-note", (Piece(f"✗ {problem}", Ink.FAILED),))
            return
        self.dismiss(key)
